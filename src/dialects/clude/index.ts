/** `clude`: every answer is a ToolCallResult; relative paths only. */
import type { EndedCall } from '../../runtime/tool.ts';
import { defineDialect } from '../dialect.ts';
import { deleteFile, listDir, readFile } from './fs.ts';
import { applyPatch } from './patch.ts';
import { globFileSearch, grep } from './search.ts';

export const clude = defineDialect({
  name: 'clude',
  paths: { absolute: 'refused' },
  // A page of a million bytes must fit, however its characters are written in JSON.
  replyBytes: 7 * 1024 * 1024,
  tools: [listDir, globFileSearch, readFile, applyPatch, deleteFile, grep],
  reply,
});

function reply(call: EndedCall): unknown {
  if (!('failure' in call)) return { ...call.result, payload: call.rendered };
  const { error } = call.result;
  // Its list has no code of its own for a path that can't be one.
  return error?.code === 'E_INVALID_PATH'
    ? { ...call.result, error: { ...error, code: 'E_INVALID_ARGS' } }
    : call.result;
}
