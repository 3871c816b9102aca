/** `tenas`: `{ok:true,data}`, or a failure that is thrown where it can be, else `{ok:false,error}`; absolute paths taken when they lie inside the root. */
import type { FailureCode } from '../../failure.ts';
import type { EndedCall } from '../../runtime/tool.ts';
import { defineDialect } from '../dialect.ts';
import { fileReadDocx, fileReadExcel } from './docs.ts';
import { fileDelete, fileList, fileRead, fileSearch, fileWrite } from './fs.ts';
import { filePatch } from './patch.ts';
import { shellDestructive, shellReadonly, shellWrite } from './shell.ts';
import { timeNowTool } from './time.ts';
import { webFetchTool, webSearchTool } from './web.ts';

export const tenas = defineDialect({
  name: 'tenas',
  paths: { absolute: 'inside-root', projects: true },
  // A whole file of 256 KB must fit, however its characters are written in JSON.
  replyBytes: 2 * 1024 * 1024,
  throwsFailures: true,
  tools: [
    timeNowTool,
    fileRead,
    fileReadExcel,
    fileReadDocx,
    fileList,
    fileSearch,
    fileWrite,
    filePatch,
    fileDelete,
    shellReadonly,
    shellWrite,
    shellDestructive,
    webFetchTool,
    webSearchTool,
  ],
  reply,
});

function reply(call: EndedCall): unknown {
  if (!('failure' in call)) return { ok: true, data: call.rendered };
  const { code, message, hint } = call.failure;
  const said = [SENTENCES[code], message, hint].filter((sentence) => sentence !== undefined);
  return { ok: false, error: { code, message: said.join(' ') } };
}

/** What its clients look for. */
const SENTENCES: Readonly<Partial<Record<FailureCode, string>>> = {
  E_NO_PROJECT: 'projectId is required.',
  E_NO_PROJECT_ROOT: 'project root not found.',
};
