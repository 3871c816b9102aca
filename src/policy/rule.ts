/** Rules are data: an answer for a permission and, where given, a path or a tool. They are checked and compiled once. */
import { z } from 'zod';
import { Failure } from '../failure.ts';
import {
  type Extent,
  isPathPermission,
  PERMISSIONS,
  type Permission,
  type ResolvedAccess,
} from './access.ts';
import { compileExactPath, compilePathPattern, type PathMatcher } from './path-pattern.ts';

const permissionPattern = z.union([z.enum(PERMISSIONS), z.literal('*')]);

/** One rule as a person writes it. */
export const ruleSchema = z.strictObject({
  action: z.enum(['allow', 'ask', 'deny']).describe('What to do with a call that fits'),
  permission: z
    .union([permissionPattern, z.array(permissionPattern).min(1)])
    .describe('The permission, or several, or `*`'),
  path: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
    .optional()
    .describe('A path pattern, or several; for `fs.*` permissions'),
  exact: z
    .literal(true)
    .optional()
    .describe('`path` is no pattern: the very paths that are written, nothing below them'),
  tool: z.array(z.string().min(1)).min(1).optional().describe('Only for these tools'),
  workspace: z.string().startsWith('/').optional().describe('Only in the workspace with this root'),
  reversible: z
    .boolean()
    .optional()
    .describe('Only for calls that undo can take back, or only for those it can not'),
  over: z
    .strictObject({ files: z.int().min(0).optional(), lines: z.int().min(0).optional() })
    .optional()
    .describe('Only for calls that change more files, or more lines, than this'),
  match: z
    .array(z.string().min(1))
    .optional()
    .describe('Paths that must fit `path`; checked when the rule loads'),
  notMatch: z.array(z.string().min(1)).optional().describe('Paths that must not fit'),
  reason: z.string().optional().describe('Shown to the human and to the agent'),
  floor: z.literal(true).optional().describe('An ask that no mode and no rule lowers'),
});
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
  readonly reason: string | undefined;
  readonly floor: boolean;
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
}

/** Checks and compiles rules; one that does not hold its schema stops the load, one of another workspace is left out. */
export function compileLayer(name: string, rules: readonly unknown[], workspace?: string): Layer {
  const compiled = rules.map((rule, index) => compileRule(`${name}#${index + 1}`, rule));
  return {
    name,
    rules: compiled.filter((rule) => rule.workspace === undefined || rule.workspace === workspace),
  };
}

function compileRule(id: string, written: unknown): CompiledRule {
  const parsed = ruleSchema.safeParse(written);
  if (!parsed.success) {
    throw new Failure('E_INVALID_ARGS', `Rule ${id} can not be used: ${z.prettifyError(parsed.error)}`);
  }
  const rule = parsed.data;
  if (rule.floor === true && rule.action !== 'ask')
    throw new Failure('E_INVALID_ARGS', `Rule ${id} can not be used: only an ask can be a floor.`);
  const permissions = new Set<Permission | '*'>([rule.permission].flat());
  const tools = rule.tool && new Set(rule.tool);
  const paths = compilePaths(rule);
  checkExamples(id, rule, paths);
  return {
    id,
    action: rule.action,
    workspace: rule.workspace,
    reason: rule.reason,
    floor: rule.floor === true,
    examples: (rule.match?.length ?? 0) + (rule.notMatch?.length ?? 0),
    fits: (access, { tool, isReversible, extent }) =>
      (permissions.has('*') || permissions.has(access.permission)) &&
      (tools === undefined || tools.has(tool)) &&
      (rule.reversible === undefined || rule.reversible === isReversible) &&
      (rule.over === undefined || isOver(rule.over, extent)) &&
      (paths === undefined ||
        (isPathPermission(access.permission) && fitsEither(paths, access, rule.action))),
  };
}

function isOver({ files = Infinity, lines = Infinity }: NonNullable<Rule['over']>, extent?: Extent): boolean {
  return extent !== undefined && (extent.files > files || extent.lines > lines);
}

function compilePaths(rule: Rule): PathMatcher[] | undefined {
  if (rule.path === undefined) return undefined;
  const compile = rule.exact === true ? compileExactPath : compilePathPattern;
  return [rule.path].flat().map((path) => compile(path, { folded: rule.action !== 'allow' }));
}

/** A rule that does not hold its own examples says something else than its writer thinks. */
function checkExamples(id: string, rule: Rule, paths: readonly PathMatcher[] | undefined): void {
  const fits = (path: string): boolean => paths === undefined || paths.some((matches) => matches(path));
  const missed = rule.match?.find((path) => !fits(path));
  const caught = rule.notMatch?.find(fits);
  if (missed !== undefined) throw wrongExample(id, `${JSON.stringify(missed)} should match, but does not`);
  if (caught !== undefined) throw wrongExample(id, `${JSON.stringify(caught)} should not match, but does`);
}

function wrongExample(id: string, what: string): Failure {
  return new Failure('E_INVALID_ARGS', `Rule ${id} does not hold its own examples: ${what}.`);
}

/** A link must not dodge a rule: a restriction counts on either spelling, a permission needs both. */
function fitsEither(paths: readonly PathMatcher[], access: ResolvedAccess, action: Rule['action']): boolean {
  const fits = (path: string): boolean => paths.some((matches) => matches(path));
  return action === 'allow'
    ? fits(access.resource) && fits(access.resolved)
    : fits(access.resource) || fits(access.resolved);
}
