/** How each dialect wraps what a tool gives. */
import { expect } from 'vitest';

/** A good answer of `codelab`. */
export function codelabResult(result: unknown): unknown {
  return { type: 'tool_result', call_id: 'c1', result };
}

/** A bad answer of `codelab`. */
export function codelabError(code: string, message: string, details: unknown): unknown {
  return { type: 'tool_result', call_id: 'c1', error: { code, message, details } };
}

/** A good answer of `tenas`. */
export function tenasData(data: unknown): unknown {
  return { ok: true, data };
}

/** A good answer of `clude`. */
export function cludeResult(payload: unknown, changed?: readonly string[]): unknown {
  return {
    tool_call_id: 'c1',
    ok: true,
    payload,
    error: null,
    ...(changed === undefined ? {} : { artifacts: { files_changed: changed } }),
    duration_ms: expect.any(Number) as number,
  };
}

/** A bad answer of `clude`. */
export function cludeError(error: unknown): unknown {
  return {
    tool_call_id: 'c1',
    ok: false,
    payload: null,
    error,
    duration_ms: expect.any(Number) as number,
  };
}
