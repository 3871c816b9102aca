/** Every operation of the engine. Adding one is its file and a line here. */
import type { Operation } from '../runtime/operation.ts';
import { docsRead } from './docs/read.ts';
import { docsReadPdf } from './docs/read-pdf.ts';
import { docsReadSpreadsheet } from './docs/read-spreadsheet.ts';
import { docsReadWord } from './docs/read-word.ts';
import { execApply } from './exec/apply.ts';
import { execLook } from './exec/look.ts';
import { execPreview } from './exec/preview.ts';
import { execRun } from './exec/run.ts';
import { fsDelete } from './fs/delete.ts';
import { fsList } from './fs/list.ts';
import { fsMakeDirectory } from './fs/make-directory.ts';
import { fsMove } from './fs/move.ts';
import { fsRead } from './fs/read.ts';
import { fsReadMedia } from './fs/read-media.ts';
import { fsReadSeveral } from './fs/read-several.ts';
import { fsReadWhole } from './fs/read-whole.ts';
import { fsStat } from './fs/stat.ts';
import { fsWrite } from './fs/write.ts';
import { gitAdd } from './git/add.ts';
import { gitBlame } from './git/blame.ts';
import { gitBranch } from './git/branch.ts';
import { gitCommit } from './git/commit.ts';
import { gitDiff } from './git/diff.ts';
import { gitLog } from './git/log.ts';
import { gitRestore } from './git/restore.ts';
import { gitShow } from './git/show.ts';
import { gitStash } from './git/stash.ts';
import { gitStatus } from './git/status.ts';
import { interactAsk } from './interact/ask.ts';
import { interactDisplay } from './interact/display.ts';
import { interactReview } from './interact/review.ts';
import { lspDefinition } from './lsp/definition.ts';
import { lspDiagnostics } from './lsp/diagnostics.ts';
import { lspHover } from './lsp/hover.ts';
import { lspLint } from './lsp/lint.ts';
import { lspReferences } from './lsp/references.ts';
import { lspRename } from './lsp/rename.ts';
import { lspDocumentSymbols, lspWorkspaceSymbols } from './lsp/symbols.ts';
import { memoryChange } from './memory/change.ts';
import { memoryFind } from './memory/find.ts';
import { outputPage } from './output/page.ts';
import { patchApply } from './patch/apply.ts';
import { patchEdit } from './patch/edit.ts';
import { processForward } from './process/forward.ts';
import { processList } from './process/list.ts';
import { processRead } from './process/read.ts';
import { processResize } from './process/resize.ts';
import { processRunOrStart } from './process/run-or-start.ts';
import { processStart } from './process/start.ts';
import { processStop } from './process/stop.ts';
import { processWait } from './process/wait.ts';
import { processWrite } from './process/write.ts';
import { searchCode } from './search/code.ts';
import { searchFind } from './search/find.ts';
import { searchGlob } from './search/glob.ts';
import { searchGrep } from './search/grep.ts';
import { taskRun } from './task/run.ts';
import { skillsUse } from './skills/use.ts';
import { timeNow } from './time/now.ts';
import { todoRead } from './todo/read.ts';
import { todoWrite } from './todo/write.ts';
import { webFetch } from './web/fetch.ts';
import { webSearch } from './web/search.ts';

export const operations = [
  docsRead,
  docsReadPdf,
  docsReadSpreadsheet,
  docsReadWord,
  execApply,
  execLook,
  execPreview,
  execRun,
  fsDelete,
  fsList,
  fsMakeDirectory,
  fsMove,
  fsRead,
  fsReadMedia,
  fsReadSeveral,
  fsReadWhole,
  fsStat,
  fsWrite,
  gitAdd,
  gitBlame,
  gitBranch,
  gitCommit,
  gitDiff,
  gitLog,
  gitRestore,
  gitShow,
  gitStash,
  gitStatus,
  interactAsk,
  interactDisplay,
  interactReview,
  lspDefinition,
  lspDiagnostics,
  lspDocumentSymbols,
  lspHover,
  lspLint,
  lspReferences,
  lspRename,
  lspWorkspaceSymbols,
  memoryChange,
  memoryFind,
  outputPage,
  patchApply,
  patchEdit,
  processForward,
  processList,
  processRead,
  processResize,
  processRunOrStart,
  processStart,
  processStop,
  processWait,
  processWrite,
  searchCode,
  searchFind,
  searchGlob,
  searchGrep,
  taskRun,
  skillsUse,
  timeNow,
  todoRead,
  todoWrite,
  webFetch,
  webSearch,
] as readonly Operation[];
