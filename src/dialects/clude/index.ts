/** `clude`: every answer is a ToolCallResult; relative paths only. */
import type { EndedCall } from '../../runtime/tool.ts';
import { defineDialect } from '../dialect.ts';
import { deleteFile, listDir, readFile } from './fs.ts';
import { applyPatch } from './patch.ts';
import { globFileSearch, grep } from './search.ts';

export const clude = defineDialect({
  name: 'clude',
  paths: { absolute: 'refused' },
  // A page of a million bytes must fit.
  replyBytes: 4 * 1024 * 1024,
  tools: [listDir, globFileSearch, readFile, applyPatch, deleteFile, grep],
  reply,
});

function reply(call: EndedCall): unknown {
  return 'failure' in call ? call.result : { ...call.result, payload: call.rendered };
}
