/** Where each operation of the API is: what a client has to know of it, and all that it loads. */
import type { API_ROUTES } from '../transports/http/api/index.ts';

type ApiRoute = (typeof API_ROUTES)[number];
export type OperationName = ApiRoute['name'];
export type RouteOf<Name extends OperationName> = Extract<ApiRoute, { readonly name: Name }>;
/** Undefined where it answers with one JSON value. */
export type StreamOf<Name extends OperationName> = RouteOf<Name>['type'];

export const OPERATIONS = {
  listTools: ['get', '/api/tools'],
  listTurns: ['get', '/api/turns'],
  showTurn: ['get', '/api/turns/{id}'],
  showDiff: ['get', '/api/turns/{id}/diff'],
  undo: ['post', '/api/turns/undo'],
  listApprovals: ['get', '/api/approvals'],
  showApproval: ['get', '/api/approvals/{id}'],
  answerApproval: ['post', '/api/approvals/{id}/answer'],
  pastCallsFor: ['get', '/api/approvals/{id}/past'],
  listMessages: ['get', '/api/messages'],
  listProcesses: ['get', '/api/processes'],
  readProcess: ['get', '/api/processes/{id}/output'],
  writeProcess: ['post', '/api/processes/{id}/input'],
  resizeProcess: ['post', '/api/processes/{id}/size'],
  stopProcess: ['delete', '/api/processes/{id}'],
  listMemory: ['get', '/api/memory'],
  removeMemory: ['delete', '/api/memory/{id}'],
  listSkills: ['get', '/api/skills'],
  showAudit: ['get', '/api/audit/calls/{id}'],
  auditCounts: ['get', '/api/audit/counts'],
  verifyAudit: ['get', '/api/audit/verify'],
  exportAudit: ['get', '/api/audit/export', 'application/x-ndjson'],
  listProjects: ['get', '/api/projects'],
  addProject: ['post', '/api/projects'],
  removeProject: ['delete', '/api/projects/{id}'],
  showTrust: ['get', '/api/trust'],
  trust: ['post', '/api/trust'],
  distrust: ['delete', '/api/trust'],
  showPolicy: ['get', '/api/policy'],
  explainCall: ['post', '/api/policy/explain'],
  replayPolicy: ['post', '/api/policy/replay'],
  makeCall: ['post', '/api/calls'],
  executeCall: ['post', '/api/calls/execute'],
  listCalls: ['get', '/api/calls'],
  showCall: ['get', '/api/calls/{id}'],
  cancelCall: ['delete', '/api/calls/{id}'],
  openSession: ['post', '/api/sessions'],
  listSessions: ['get', '/api/sessions'],
  showSession: ['get', '/api/sessions/{id}'],
  closeSession: ['delete', '/api/sessions/{id}'],
  listTodos: ['get', '/api/sessions/{id}/todos'],
  events: ['get', '/api/events', 'text/event-stream'],
  listAgents: ['get', '/api/agents'],
  listConversations: ['get', '/api/conversations'],
  showConversation: ['get', '/api/conversations/{id}'],
  startConversation: ['post', '/api/conversations'],
  sendMessage: ['post', '/api/conversations/{id}/messages'],
  interruptConversation: ['delete', '/api/conversations/{id}/turn'],
} as const satisfies {
  readonly [Name in OperationName]: StreamOf<Name> extends undefined
    ? readonly [RouteOf<Name>['method'], RouteOf<Name>['path']]
    : readonly [RouteOf<Name>['method'], RouteOf<Name>['path'], NonNullable<StreamOf<Name>>];
};
