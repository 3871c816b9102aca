/** Rules are data: an answer for a permission and, where given, a path or a tool. They are checked and compiled once. */
import { z } from 'zod';
import { Failure } from '../failure.ts';
import { isPathPermission, PERMISSIONS, type Permission, type ResolvedAccess } from './access.ts';
import { compilePathPattern, type PathMatcher } from './path-pattern.ts';

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
  tool: z.array(z.string().min(1)).min(1).optional().describe('Only for these tools'),
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
  readonly reason: string | undefined;
  readonly floor: boolean;
  fits(access: ResolvedAccess, tool: string): boolean;
}

/** Checks and compiles rules; a rule that does not hold its schema stops the load. */
export function compileLayer(name: string, rules: readonly unknown[]): Layer {
  return { name, rules: rules.map((rule, index) => compileRule(`${name}#${index + 1}`, rule)) };
}

function compileRule(id: string, written: unknown): CompiledRule {
  const parsed = ruleSchema.safeParse(written);
  if (!parsed.success) {
    throw new Failure('E_INVALID_ARGS', `Rule ${id} can not be used: ${z.prettifyError(parsed.error)}`);
  }
  const rule = parsed.data;
  const permissions = new Set<Permission | '*'>([rule.permission].flat());
  const tools = rule.tool && new Set(rule.tool);
  const paths = compilePaths(rule);
  return {
    id,
    action: rule.action,
    reason: rule.reason,
    floor: rule.floor === true,
    fits: (access, tool) =>
      (permissions.has('*') || permissions.has(access.permission)) &&
      (tools === undefined || tools.has(tool)) &&
      (paths === undefined ||
        (isPathPermission(access.permission) && fitsEither(paths, access, rule.action))),
  };
}

function compilePaths(rule: Rule): PathMatcher[] | undefined {
  if (rule.path === undefined) return undefined;
  return [rule.path]
    .flat()
    .map((pattern) => compilePathPattern(pattern, { folded: rule.action !== 'allow' }));
}

/** A link must not dodge a rule: a restriction counts on either spelling, a permission needs both. */
function fitsEither(paths: readonly PathMatcher[], access: ResolvedAccess, action: Rule['action']): boolean {
  const fits = (path: string): boolean => paths.some((matches) => matches(path));
  return action === 'allow'
    ? fits(access.resource) && fits(access.resolved)
    : fits(access.resource) || fits(access.resolved);
}
