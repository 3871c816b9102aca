/** `codelab`: `tool_result` messages with the error codes of its document; relative paths of at most 255 characters. */
import { type FailureCode, sentences } from '../../failure.ts';
import type { EndedCall, Tool } from '../../runtime/tool.ts';
import type { Dialect } from '../../runtime/tool.ts';
import { defineDialect } from '../dialect.ts';
import { runCommand } from './exec.ts';
import { createDirectory, deleteFile, moveFile, readFile, writeFile } from './fs.ts';
import * as git from './git.ts';
import { applyPatchReview, promptUser } from './interact.ts';
import { applyPatch } from './patch.ts';
import { killProcess, runPersistent } from './process.ts';
import { listFiles, searchInProject } from './search.ts';

/** Its phases, as its plan lists them: what each one adds to the one before. */
const PHASES: readonly { readonly version: string; readonly adds: readonly Tool[] }[] = [
  { version: '1.0', adds: [readFile, writeFile, git.diff, applyPatch, applyPatchReview, promptUser] },
  { version: '1.1', adds: [listFiles, searchInProject, runCommand] },
  { version: '1.2', adds: [git.status, git.commit, deleteFile] },
  {
    version: '2.0',
    adds: [runPersistent, killProcess, git.branch, git.log, createDirectory, moveFile],
  },
];

/** Each phase under its own name, `codelab@1.0` and so on; plain `codelab` is the last one. */
export const codelab: readonly [Dialect, ...Dialect[]] = [
  declare('codelab', PHASES.length),
  ...PHASES.map(({ version }, index) => declare(`codelab@${version}`, index + 1)),
];

function declare(name: string, phases: number): Dialect {
  return defineDialect({
    name,
    paths: { absolute: 'refused', refuseParent: true, maxLength: 255 },
    // Its messages may have 10 MB, and a whole file must fit.
    replyBytes: 8 * 1024 * 1024,
    tools: PHASES.slice(0, phases).flatMap(({ adds }) => adds),
    reply,
  });
}

function reply(call: EndedCall): unknown {
  const head = { type: 'tool_result', call_id: call.result.tool_call_id };
  if (!('failure' in call)) return { ...head, result: call.rendered };
  const { code, details } = call.failure;
  const error = { code: CODES[code], message: sentences(call.failure) };
  return { ...head, error: details === undefined ? error : { ...error, details } };
}

/** Its document's codes; where it has none, one that says what happened. */
const CODES: Readonly<Record<FailureCode, string>> = {
  E_INVALID_ARGS: 'INVALID_ARGUMENTS',
  E_NO_TOOL: 'TOOL_NOT_FOUND',
  E_VERSION: 'TOOL_NOT_FOUND',
  E_POLICY_DENIED: 'PERMISSION_DENIED',
  E_DENIED: 'PERMISSION_DENIED',
  E_PENDING: 'APPROVAL_PENDING',
  E_OUTSIDE_WORKSPACE: 'PATH_OUTSIDE_WORKSPACE',
  E_INVALID_PATH: 'INVALID_PATH',
  E_NOT_FOUND: 'FILE_NOT_FOUND',
  E_NOT_FILE: 'INVALID_PATH',
  E_NOT_DIR: 'INVALID_PATH',
  E_TOO_LARGE: 'FILE_TOO_LARGE',
  E_ENCODING: 'ENCODING_ERROR',
  E_PATCH: 'PATCH_APPLY_FAILED',
  E_NOT_UNIQUE: 'PATCH_APPLY_FAILED',
  E_CONFLICT: 'CONFLICT',
  E_TOOL_TIMEOUT: 'TIMEOUT',
  E_CANCELLED: 'CANCELLED',
  E_EXEC: 'IO_ERROR',
  E_NO_REPOSITORY: 'GIT_NOT_INITIALIZED',
  E_GIT: 'GIT_ERROR',
  E_INVALID_REF: 'INVALID_ARGUMENTS',
  E_NO_PROJECT: 'PROJECT_NOT_FOUND',
  E_NO_PROJECT_ROOT: 'PROJECT_NOT_FOUND',
  E_IO: 'IO_ERROR',
  E_UNSUPPORTED: 'UNSUPPORTED',
  E_INTERNAL: 'INTERNAL_ERROR',
};
