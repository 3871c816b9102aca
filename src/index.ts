/** The library's door. */
export { createRuntime } from './create-runtime.ts';
export { openProjects, type Projects, type ProjectsOptions } from './open-projects.ts';
export type { AddedProject } from './project-registry.ts';
export type { Project, ProjectSettings } from './store/projects.ts';
export type { CallOptions, Runtime, RuntimeOptions, SessionOptions } from './runtime-types.ts';
export { userLocations } from './config/locations.ts';
export { defineDialect, defineTool, type DialectDeclaration } from './dialects/dialect.ts';
export { Failure, type FailureCode } from './failure.ts';
export type { ChangeEffect } from './journal/change-rows.ts';
export type { EntryDiff } from './journal/entry-diff.ts';
export type { TurnEntry } from './journal/turn-entries.ts';
export type { TurnQuery, TurnSummary } from './journal/turns.ts';
export type { UndoReport } from './journal/undo.ts';
export type { UndoStep } from './journal/undo-plan.ts';
export type { Access, Effect, Permission, ResolvedAccess } from './policy/access.ts';
export type { ApprovalAnswer, ApprovalRequest, Approver } from './policy/approvals.ts';
export type { Decision, Mode } from './policy/decide.ts';
export type { Locations } from './policy/places.ts';
export type { Rule } from './policy/rule.ts';
export type { CallResponse, Outcome, Rehearsal } from './runtime/spine.ts';
export type { Definition } from './runtime/catalogue.ts';
export type { ToolCallRequest, ToolCallResult } from './runtime/envelope.ts';
export type { EventListener, RuntimeEvent } from './runtime/events.ts';
export {
  defineOperation,
  type FileChange,
  type Operation,
  type OperationContext,
  type Preview,
} from './runtime/operation.ts';
export type {
  DisplayMessage,
  Prompter,
  ReviewChunk,
  ReviewComment,
  UserAnswer,
  UserQuestion,
} from './runtime/people.ts';
export type { Agent, Session } from './runtime/session.ts';
export type { Memory, MemoryScope } from './runtime/memories.ts';
export type { FoundSkills, Skill, SkillSummary, TriggeredSkill } from './runtime/skills.ts';
export type { TodoItem } from './runtime/todos.ts';
export type { Dialect, EndedCall, Tool } from './runtime/tool.ts';
