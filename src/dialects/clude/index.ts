/** `clude`: every answer is a ToolCallResult; relative paths only. */
import type { FailureCode } from '../../failure.ts';
import type { EndedCall } from '../../runtime/tool.ts';
import { defineDialect } from '../dialect.ts';
import { runTerminalCmd } from './exec.ts';
import { deleteFile, listDir, readFile } from './fs.ts';
import { display } from './interact.ts';
import { readLints } from './lsp.ts';
import { updateMemory } from './memory.ts';
import { applyPatch } from './patch.ts';
import { listProcesses, readProcessOutput, stopProcess } from './process.ts';
import { codebaseSearch, globFileSearch, grep } from './search.ts';

export const clude = defineDialect({
  name: 'clude',
  paths: { absolute: 'refused' },
  // A page of a million bytes must fit, however its characters are written in JSON.
  replyBytes: 7 * 1024 * 1024,
  tools: [
    listDir,
    globFileSearch,
    readFile,
    applyPatch,
    deleteFile,
    grep,
    codebaseSearch,
    runTerminalCmd,
    listProcesses,
    readProcessOutput,
    stopProcess,
    readLints,
    updateMemory,
    display,
  ],
  reply,
});

function reply(call: EndedCall): unknown {
  if (!('failure' in call)) return { ...call.result, payload: call.rendered };
  const { error } = call.result;
  const code = CODES[call.failure.code];
  return error === null || code === undefined ? call.result : { ...call.result, error: { ...error, code } };
}

/** What its list has no code of its own for. */
const CODES: Readonly<Partial<Record<FailureCode, FailureCode>>> = {
  E_INVALID_PATH: 'E_INVALID_ARGS',
  E_PENDING: 'E_DENIED',
  E_NO_REPOSITORY: 'E_NOT_FOUND',
  E_GIT: 'E_EXEC',
  E_INVALID_REF: 'E_INVALID_ARGS',
  E_NO_PROJECT: 'E_NOT_FOUND',
  E_NO_PROJECT_ROOT: 'E_NOT_FOUND',
};
