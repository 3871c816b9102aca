/** `coder`: flat replies with `ok`, absolute paths taken when they lie inside the root. */
import { sentences } from '../../failure.ts';
import type { EndedCall } from '../../runtime/tool.ts';
import { defineDialect } from '../dialect.ts';
import { bash } from './exec.ts';
import { list, read, write } from './fs.ts';
import { lspDefinitionTool, lspDiagnosticsTool, lspHoverTool } from './lsp.ts';
import { edit, patch } from './patch.ts';
import { glob, grep } from './search.ts';
import { task } from './task.ts';
import { skill } from './skills.ts';
import { todoread, todowrite } from './todo.ts';

export const coder = defineDialect({
  name: 'coder',
  paths: { absolute: 'inside-root' },
  tools: [
    read,
    write,
    edit,
    patch,
    list,
    glob,
    grep,
    bash,
    todoread,
    todowrite,
    task,
    skill,
    lspDiagnosticsTool,
    lspDefinitionTool,
    lspHoverTool,
  ],
  reply,
});

function reply(call: EndedCall): unknown {
  if (!('failure' in call)) return call.rendered;
  const { failure, outcome } = call;
  const message = sentences(failure);
  if (outcome === 'denied') return { ok: false, denied: true, reason: message, code: failure.code };
  const prefix = PREFIXES[failure.code];
  return { ok: false, error: prefix === undefined ? message : `${prefix}: ${message}`, code: failure.code };
}

/** Words this dialect's clients look for. */
const PREFIXES: Readonly<Record<string, string>> = {
  E_NO_TOOL: 'unknown tool',
  E_INVALID_ARGS: 'args',
  E_OUTSIDE_WORKSPACE: 'permission',
};
