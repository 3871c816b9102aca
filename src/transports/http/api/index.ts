/** Every route of the API. */
import { answerApproval, listApprovals, pastCallsFor, showApproval } from './approvals.ts';
import { listMemory, removeMemory } from './memory.ts';
import { listMessages } from './messages.ts';
import { listProcesses, readProcess, resizeProcess, stopProcess, writeProcess } from './processes.ts';
import { listSkills } from './skills.ts';
import { auditCounts, exportAudit, showAudit, verifyAudit } from './audit.ts';
import {
  interruptConversation,
  listAgents,
  listConversations,
  sendMessage,
  showConversation,
  startConversation,
} from './conversations.ts';
import { explainCall, replayPolicy, showPolicy } from './policy.ts';
import { addProject, listProjects, removeProject } from './projects.ts';
import { cancelCall, executeCall, listCalls, makeCall, showCall } from './calls.ts';
import { events } from './events.ts';
import { closeSession, listSessions, listTodos, openSession, showSession } from './sessions.ts';
import { listTools } from './tools.ts';
import { distrust, showTrust, trust } from './trust.ts';
import { listTurns, showDiff, showTurn, undo } from './turns.ts';

export const API_ROUTES = [
  listTools,
  listTurns,
  showTurn,
  showDiff,
  undo,
  listApprovals,
  showApproval,
  answerApproval,
  pastCallsFor,
  listMessages,
  listProcesses,
  readProcess,
  writeProcess,
  resizeProcess,
  stopProcess,
  listMemory,
  removeMemory,
  listSkills,
  showAudit,
  auditCounts,
  verifyAudit,
  exportAudit,
  listProjects,
  addProject,
  removeProject,
  showTrust,
  trust,
  distrust,
  showPolicy,
  explainCall,
  replayPolicy,
  makeCall,
  executeCall,
  listCalls,
  showCall,
  cancelCall,
  openSession,
  listSessions,
  showSession,
  closeSession,
  listTodos,
  events,
  listAgents,
  listConversations,
  showConversation,
  startConversation,
  sendMessage,
  interruptConversation,
] as const;
