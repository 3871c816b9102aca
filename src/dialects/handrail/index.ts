/** `handrail`: ours, the default. `coder`'s names and shapes, with limits for today's models and more tools. */
import { coder } from '../coder/index.ts';
import { defineDialect } from '../dialect.ts';
import { readDocument } from './docs.ts';
import { applyPreview, bash, previewCommand } from './exec.ts';
import { askUser, display, patchReview } from './interact.ts';
import { mkdir, move, read, readFiles, remove, stat, view } from './fs.ts';
import { blame, diff, log, show, status } from './git.ts';
import { lspDiagnosticsTool, lspFindSymbol, lspReferencesTool, lspRenameTool, lspSymbols } from './lsp.ts';
import { add, branch, commit, restore, stash } from './git-changes.ts';
import { recall, remember } from './memory.ts';
import { readOutput } from './output.ts';
import {
  forwardPort,
  listProcesses,
  readProcess,
  runBackground,
  stopProcess,
  writeProcess,
} from './process.ts';
import { codeSearch, glob, grep } from './search.ts';
import { webFetchTool, webSearchTool } from './web.ts';

export const handrail = defineDialect({
  name: 'handrail',
  extends: coder,
  canPage: true,
  tools: [
    read,
    readFiles,
    readDocument,
    view,
    stat,
    mkdir,
    remove,
    move,
    glob,
    grep,
    codeSearch,
    bash,
    previewCommand,
    applyPreview,
    runBackground,
    listProcesses,
    readProcess,
    writeProcess,
    stopProcess,
    forwardPort,
    webFetchTool,
    webSearchTool,
    status,
    diff,
    log,
    show,
    blame,
    add,
    commit,
    branch,
    stash,
    restore,
    readOutput,
    remember,
    recall,
    lspDiagnosticsTool,
    lspReferencesTool,
    lspSymbols,
    lspFindSymbol,
    lspRenameTool,
    display,
    askUser,
    patchReview,
  ],
});
