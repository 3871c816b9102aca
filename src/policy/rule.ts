/** Rules are data: an answer for a permission and, where given, a path, a command, a host or a tool. They are checked and compiled once. */
import { z } from 'zod';
import { Failure } from '../failure.ts';
import {
  type Extent,
  isPathPermission,
  NAMED_RESOURCES,
  type Permission,
  type ResolvedAccess,
} from './access.ts';
import { analyseCommand } from './command/analyse.ts';
import type { CommandPart } from './command/command-analysis.ts';
import { compileCommandPattern, compileExactCommand } from './command/command-pattern.ts';
import { compileHostPattern, exampleAccess, namedHost } from './host-pattern.ts';
import { compileExactPath, compilePathPatterns, type PathMatcher } from './path-pattern.ts';
import { ruleSchema } from './rule-schema.ts';
import { fitsStars } from '../stars.ts';

/** One rule, as it was checked. */
export type Rule = z.infer<typeof ruleSchema>;

/** A named set of rules; later layers of a policy are more specific. */
export interface Layer {
  readonly name: string;
  readonly rules: readonly CompiledRule[];
}

/** A rule ready to be asked. */
export interface CompiledRule {
  /** `layer#index`, as decisions cite it. */
  readonly id: string;
  readonly action: Rule['action'];
  readonly workspace: string | undefined;
  /** The other projects it is about; undefined: the workspace itself. */
  readonly projects: readonly string[] | undefined;
  readonly needsTrust: boolean;
  readonly reason: string | undefined;
  readonly floor: boolean;
  /** Whether a human is shown what a command did in a view. */
  readonly hasPreview: boolean;
  readonly isAboutPaths: boolean;
  /** Hosts it names, patterns left out. */
  readonly hosts: readonly string[];
  /** How many examples it carries. */
  readonly examples: number;
  fits(access: ResolvedAccess, call: RuleCall): boolean;
}

/** What a rule may look at besides an access. */
export interface RuleCall {
  readonly tool: string;
  readonly extent?: Extent | undefined;
  /** Whether undo can take the call back. */
  readonly isReversible: boolean;
  readonly isSandboxed?: boolean | undefined;
}

/** Rules that somebody wrote; one that does not hold its schema, or its own examples, stops the load. */
export function checkRules(layer: string, written: readonly unknown[]): Rule[] {
  return written.map((rule, index) => checkRule(`${layer}#${index + 1}`, rule));
}

function checkRule(id: string, written: unknown): Rule {
  const parsed = ruleSchema.safeParse(written);
  if (!parsed.success)
    throw new Failure('E_INVALID_ARGS', `Rule ${id} can not be used: ${z.prettifyError(parsed.error)}`);
  const rule = parsed.data;
  if (rule.floor === true && rule.action !== 'ask')
    throw new Failure('E_INVALID_ARGS', `Rule ${id} can not be used: only an ask can be a floor.`);
  if (rule.preview === true && rule.action !== 'ask')
    throw new Failure('E_INVALID_ARGS', `Rule ${id} can not be used: only an ask can have a preview.`);
  checkExamples(id, rule);
  return rule;
}

/** The place rules are read for. */
export interface RulePlace {
  readonly workspace?: string | undefined;
  /** The other project that a call goes to. */
  readonly project?: string | undefined;
  /** Whether a person trusted its settings. */
  readonly isTrusted?: boolean;
}

/** Compiles rules that were checked; those for other places are left out. */
export function compileLayer(
  name: string,
  rules: readonly Rule[],
  { workspace, project, isTrusted = false }: RulePlace = {},
): Layer {
  const compiled = rules.map((rule, index) => compileRule(`${name}#${index + 1}`, rule));
  const isHere = (rule: CompiledRule): boolean =>
    (rule.workspace === undefined || rule.workspace === workspace) &&
    (isTrusted || !rule.needsTrust) &&
    isAbout(rule.projects, project);
  return { name, rules: compiled.filter(isHere) };
}

/** A rule about other projects says nothing about the workspace itself, nor the other way round. */
function isAbout(projects: readonly string[] | undefined, project: string | undefined): boolean {
  if (projects === undefined || project === undefined) return projects === project;
  return projects.includes(project) || projects.includes('*');
}

function compileRule(id: string, rule: Rule): CompiledRule {
  const permissions = new Set<Permission | '*'>([rule.permission].flat());
  const tools = rule.tool && new Set(rule.tool);
  const fitsResource = compileResource(rule);
  return {
    id,
    action: rule.action,
    workspace: rule.workspace,
    projects: rule.project === undefined ? undefined : list(rule.project),
    needsTrust: rule.trusted === true,
    reason: rule.reason,
    floor: rule.floor === true,
    hasPreview: rule.preview === true,
    isAboutPaths: rule.path !== undefined,
    hosts: list(rule.host).flatMap((written) => namedHost(written) ?? []),
    examples: (rule.match?.length ?? 0) + (rule.notMatch?.length ?? 0),
    fits: (access, { tool, isReversible, isSandboxed, extent }) =>
      (permissions.has('*') || permissions.has(access.permission)) &&
      (tools === undefined || tools.has(tool)) &&
      (rule.reversible === undefined || rule.reversible === isReversible) &&
      (rule.over === undefined || isOver(rule.over, extent)) &&
      (rule.onlyReads === undefined || isReader(access.command, isSandboxed === true)) &&
      fitsResource(access),
  };
}

/** Whether a command is known to change nothing, where it would run. */
export function isReader(command: CommandPart | undefined, isSandboxed: boolean): boolean {
  if (command === undefined || command.unclear !== undefined) return false;
  return command.onlyReads === 'always' || (command.onlyReads === 'sandboxed' && isSandboxed);
}

function isOver({ files = Infinity, lines = Infinity }: NonNullable<Rule['over']>, extent?: Extent): boolean {
  return extent !== undefined && (extent.files > files || extent.lines > lines);
}

/** A rule about paths says nothing about hosts, and so on; one without any of them is about everything. */
function compileResource(rule: Rule): (access: ResolvedAccess) => boolean {
  const { path, command, host, action, exact } = rule;
  const named = NAMED_RESOURCES.map(([field]) => rule[field]);
  if ([path, command, host, ...named].every((field) => field === undefined)) return () => true;
  const isStrict = action === 'allow';
  const fitsPath = compilePaths(list(path), { folded: !isStrict, exact: exact === true });
  const commands = list(command).map((written) =>
    exact === true ? compileExactCommand(written) : compileCommandPattern(written, { strict: isStrict }),
  );
  const hosts = list(host).map((written) => compileHostPattern(written, { strict: isStrict }));
  const fitsName = NAMED_RESOURCES.map(
    ([field, permission]) => [permission, compileNames(list(rule[field]), exact === true)] as const,
  );
  return (access) =>
    (isPathPermission(access.permission) && fitsEither(fitsPath, access, action)) ||
    (access.command !== undefined && commands.some((fits) => fits(access.command!))) ||
    (access.permission === 'net.connect' && hosts.some((fits) => fits(access))) ||
    fitsName.some(
      ([permission, fits]) => access.permission === permission && fitsEither(fits, access, action),
    );
}

/** A star stands for any text. */
function compileNames(written: readonly string[], isExact: boolean): PathMatcher {
  const isStar = (part: string): boolean => part === '*' && !isExact;
  return (resource) =>
    written.some((pattern) => fitsStars(resource, pattern.split(''), isStar, (item, part) => item === part));
}

function compilePaths(
  written: readonly string[],
  { exact, ...options }: { readonly folded: boolean; readonly exact: boolean },
): PathMatcher {
  if (!exact) return compilePathPatterns(written, options);
  const matchers = written.map((path) => compileExactPath(path, options));
  return (path) => matchers.some((matches) => matches(path));
}

function list(written: string | readonly string[] | undefined): readonly string[] {
  return written === undefined ? [] : [written].flat();
}

/** A rule that does not hold its own examples says something else than its writer thinks. */
function checkExamples(id: string, rule: Rule): void {
  const fitsResource = compileResource(rule);
  const fits = (example: string): boolean => fitsExample(rule, example, fitsResource);
  const missed = rule.match?.find((example) => !fits(example));
  const caught = rule.notMatch?.find(fits);
  if (missed !== undefined) throw wrongExample(id, `${JSON.stringify(missed)} should match, but does not`);
  if (caught !== undefined) throw wrongExample(id, `${JSON.stringify(caught)} should not match, but does`);
}

/** An example is a command where the rule is about commands: allowed when all of it fits, else when any of it does. */
function fitsExample(rule: Rule, example: string, fits: (access: ResolvedAccess) => boolean): boolean {
  const { command, host, action } = rule;
  if (command !== undefined) {
    const { parts } = analyseCommand(example, { root: '/', directory: '.' });
    const fitsPart = (part: CommandPart): boolean =>
      fits({ permission: 'proc.exec', resource: part.text, resolved: part.text, command: part });
    return action === 'allow' ? parts.length > 0 && parts.every(fitsPart) : parts.some(fitsPart);
  }
  if (host !== undefined)
    return fits({ permission: 'net.connect', ...exampleAccess(example), resolved: example });
  const [, permission = 'fs.read'] = NAMED_RESOURCES.find(([field]) => rule[field] !== undefined) ?? [];
  return fits({ permission, resource: example, resolved: example });
}

function wrongExample(id: string, what: string): Failure {
  return new Failure('E_INVALID_ARGS', `Rule ${id} does not hold its own examples: ${what}.`);
}

/** A link must not dodge a rule: a restriction counts on either spelling, a permission needs both. */
function fitsEither(
  fits: PathMatcher,
  { resource, resolved }: ResolvedAccess,
  action: Rule['action'],
): boolean {
  if (resource === resolved) return fits(resource);
  return action === 'allow' ? fits(resource) && fits(resolved) : fits(resource) || fits(resolved);
}
