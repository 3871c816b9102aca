/** Skills: instructions for a kind of work, in the Agent Skills format, with files beside them. */

export interface SkillSummary {
  readonly name: string;
  /** What it is for, in one line. */
  readonly description: string;
}

export interface Skill extends SkillSummary {
  /** Whose it is; where names are the same, the user's counts before the workspace's, and that before a built-in one. */
  readonly origin: 'user' | 'workspace' | 'built-in';
  /** Its folder, as people know it. */
  readonly place: string;
  /** Its folder in the workspace, where it is there. */
  readonly directory?: string | undefined;
  /** Its `SKILL.md`, whole. */
  readonly content: string;
  /** What is beside that, from its folder. */
  readonly files: readonly string[];
  /** The text of one of these files; a failure where it is none. */
  readFile(path: string): Promise<string>;
}

/** What there is, and what people should know about what is not: each a sentence. */
export interface FoundSkills {
  readonly skills: readonly Skill[];
  readonly warnings: readonly string[];
}

/** Looked for anew each time: what counts is what is there and trusted now. */
export interface SkillShelf {
  find(): Promise<FoundSkills>;
}

/** Skills as an operation sees them: blind to what the policy denies. */
export interface SessionSkills {
  list(): Promise<readonly Skill[]>;
  /** One that was declared. */
  get(name: string): Promise<Skill>;
}

/** A skill whose description fits what somebody wrote. */
export interface TriggeredSkill extends SkillSummary {
  readonly content: string;
  readonly files: readonly string[];
  /** Why it was taken, as a sentence. */
  readonly why: string;
}
