/** What a tool publishes about itself. Every appearance of a tool, in whatever surface, is made from this. */
import { z } from 'zod';
import type { Effect, Permission } from '../policy/access.ts';
import { decide, type Policy } from '../policy/decide.ts';
import { type Agent, isEnabled } from './session.ts';
import type { Dialect, MediaFields, Tool } from './tool.ts';

export interface Definition {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly args_schema: unknown;
  readonly return_schema: unknown;
  readonly required_permissions: readonly Permission[];
  readonly effect: Effect;
  readonly side_effects: readonly string[];
  readonly risk: 'read' | 'write' | 'destructive';
  /** Whether an ordinary call would be asked about. */
  readonly needsApproval: boolean;
  /** The component that shows it; none has one of its own yet. */
  readonly component: string | null;
  readonly operation: string;
  readonly media?: MediaFields;
}

/** The definitions of the tools an agent has. */
export function definitions(dialect: Dialect, agent: Agent, policy: Policy): Definition[] {
  return [...dialect.tools.values()]
    .filter((tool) => isEnabled(agent, tool.name))
    .map((tool) => define(tool, policy));
}

function define(tool: Tool, policy: Policy): Definition {
  const { permissions, effect, name } = tool.operation;
  return {
    name: tool.name,
    version: tool.version,
    description: tool.description,
    args_schema: schemaOf(tool.args),
    return_schema: schemaOf(tool.returns),
    required_permissions: permissions,
    effect,
    side_effects: SIDE_EFFECTS[effect],
    risk: RISKS[effect],
    needsApproval: isAsked(tool, policy),
    component: null,
    operation: name,
    ...(tool.media === undefined ? {} : { media: tool.media }),
  };
}

/** What the policy says about an ordinary file of the workspace, or an ordinary host. */
function isAsked({ name, operation }: Tool, policy: Policy): boolean {
  const accesses = operation.permissions.map((permission) => {
    const resource = permission === 'net.connect' ? 'example.com' : 'file';
    return { permission, resource, resolved: resource };
  });
  return decide({ tool: name, effect: operation.effect, accesses }, policy).action === 'ask';
}

const RISKS: Readonly<Record<Effect, Definition['risk']>> = {
  read: 'read',
  ask: 'read',
  state: 'write',
  write: 'write',
  network: 'read',
  exec: 'destructive',
  delete: 'destructive',
};

const SIDE_EFFECTS: Readonly<Record<Effect, readonly string[]>> = {
  read: [],
  ask: ['asks the user'],
  state: ["changes the session's state"],
  write: ['writes files'],
  network: ['reaches the network'],
  exec: ['runs processes', 'may write files'],
  delete: ['deletes files'],
};

// Making a JSON Schema takes a hundred times longer than reading one.
const schemas = new WeakMap<z.ZodType, unknown>();

function schemaOf(type: z.ZodType): unknown {
  const known = schemas.get(type);
  if (known !== undefined) return known;
  const schema = z.toJSONSchema(type, { target: 'draft-2020-12', io: 'input', override: withoutNoise });
  schemas.set(type, schema);
  return schema;
}

/** The bounds of safe integers say nothing to a model, and cost words in every schema. */
function withoutNoise({ jsonSchema }: { jsonSchema: { minimum?: number; maximum?: number } }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}
