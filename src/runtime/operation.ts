/**
 * What an operation is: one thing the engine can do, written once. From `effect` and `access` everything
 * else about it is derived: default decision, catalogue entry, audit class, approval text.
 */
import type { z } from 'zod';
import type { Failure } from '../failure.ts';
import type { Access, Effect, Extent, Permission } from '../policy/access.ts';
import type {
  OutputPages,
  ScopedCodeIndex,
  ScopedCommands,
  ScopedDocuments,
  ScopedFiles,
  ScopedGit,
  ScopedLanguages,
  ScopedPeople,
  ScopedProcesses,
  ScopedSearch,
  ScopedWeb,
  SessionFiles,
} from './operation-ports.ts';
import type { SessionMemories } from './memories.ts';
import type { ScopedAgents } from './sub-agents.ts';
import type { SessionSkills } from './skills.ts';
import type { SessionTodos } from './todos.ts';
import type { Workspace } from './workspace.ts';

export type * from './operation-ports.ts';
export { type Memory, MEMORY_SCOPES, type MemoryScope, scopeOf } from './memories.ts';
export type { FoundSkills, Skill, SkillSummary } from './skills.ts';
export type { TodoItem } from './todos.ts';

/** What a human is shown before they answer. */
export interface Preview {
  readonly kind: 'diff' | 'text';
  readonly text: string;
}

/** What a running operation has: its ports, narrowed to the accesses that were granted. */
export interface OperationContext {
  readonly files: ScopedFiles;
  readonly search: ScopedSearch;
  readonly codeIndex: ScopedCodeIndex;
  readonly commands: ScopedCommands;
  readonly documents: ScopedDocuments;
  readonly processes: ScopedProcesses;
  readonly web: ScopedWeb;
  readonly git: ScopedGit;
  readonly languages: ScopedLanguages;
  readonly people: ScopedPeople;
  readonly outputs: OutputPages;
  readonly todos: SessionTodos;
  readonly memories: SessionMemories;
  readonly agents: ScopedAgents;
  readonly skills: SessionSkills;
  readonly session: SessionFiles;
  readonly workspace: Workspace;
  readonly settings: EditSettings;
  readonly callId: string;
  readonly signal: AbortSignal;
  /** Tells listeners about output while the operation still runs. */
  addOutput(text: string): void;
}

/** What is refused in edits, though it could be done. */
export interface EditSettings {
  /** Overwriting a file that is no longer what the session last saw of it. */
  readonly refuseStale: boolean;
  /** New text that stands for "the rest is unchanged". */
  readonly refusePlaceholders: boolean;
  /** What must have no uncommitted changes where a patch wants that: the files it touches, everything, or nothing. */
  readonly cleanTree: 'touched' | 'whole' | 'off';
}

export interface Operation<Input = unknown, Output = unknown> {
  /** `capability.verb`, such as `fs.read`. */
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  readonly input: z.ZodType<Input>;
  readonly output: z.ZodType<Output>;
  readonly permissions: readonly Permission[];
  readonly effect: Effect;
  /** The exact resources a call with this input will touch. Pure. */
  access(input: Input, workspace: Workspace): readonly Access[];
  /** How much a call with this input will change, where that can be told. Pure. */
  extent?(input: Input): Extent;
  /** What a human should see before saying yes; runs with reading ports only. */
  preview?(input: Input, context: OperationContext): Promise<Preview>;
  /** Whether what its commands change is known before it counts, so that undo takes it back. Pure. */
  isCaptured?(input: Input): boolean;
  /** Does it; returns domain data or throws a `Failure`. */
  run(input: Input, context: OperationContext): Promise<Output>;
  /** What went wrong, where something did and there is a result all the same. */
  troubleOf?(output: Output): Failure | undefined;
}

/** Declares an operation. Tools carry it as a value; its types are checked here and forgotten there. */
export function defineOperation<Input, Output>(
  operation: Operation<Input, Output>,
): Operation<Input, Output> {
  return Object.freeze(operation);
}
