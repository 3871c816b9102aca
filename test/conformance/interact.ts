/** The tables of what agents show their user, and ask them. */
import type { RuntimeOptions } from '../../src/index.ts';
import { prompter } from '../support/prompter.ts';
import { cludeResult, codelabResult } from './replies.ts';
import { NOT_PRESENTED, type Table } from './table.ts';

const interactDisplay: Table = {
  handrail: {
    tool: 'display',
    args: { content: 'Half done.', level: 'progress' },
    reply: () => ({ ok: true, displayed: false, preview: 'Half done.' }),
  },
  coder: NOT_PRESENTED,
  tenas: NOT_PRESENTED,
  clude: {
    tool: 'display',
    args: { content: 'Half done.', level: 'progress' },
    reply: () =>
      cludeResult({
        displayed: false,
        length: 10,
        level: 'progress',
        truncated: false,
        preview: 'Half done.',
      }),
  },
  codelab: NOT_PRESENTED,
};

const choosing = async (): Promise<Partial<RuntimeOptions>> => ({
  prompt: prompter({ kind: 'choice', choice: 'review' }),
});

const interactAsk: Table = {
  handrail: [
    {
      tool: 'ask_user',
      settings: choosing,
      args: { message: 'Go on?', choices: ['approve', 'review'] },
      reply: () => ({ ok: true, answer: 'review' }),
    },
    {
      tool: 'ask_user',
      settings: async () => ({ prompt: prompter({ kind: 'text', text: 'green' }) }),
      args: { message: 'Which colour?' },
      reply: () => ({ ok: true, answer: 'green' }),
    },
  ],
  coder: NOT_PRESENTED,
  tenas: NOT_PRESENTED,
  clude: NOT_PRESENTED,
  codelab: {
    tool: 'prompt_user',
    settings: choosing,
    args: { message: 'Go on?', actions: ['approve', 'deny', 'review'] },
    reply: () => codelabResult({ action: 'review' }),
  },
};

const OLD = ['one', ...Array.from({ length: 20 }, (_, index) => `${index}`), 'last', ''].join('\n');
const DIFF = [
  '--- a/a.txt',
  '+++ b/a.txt',
  '@@ -1,2 +1,3 @@',
  '+first',
  ' one',
  ' 0',
  '@@ -21,2 +22,2 @@',
  ' 19',
  '-last',
  '+end',
  '--- /dev/null',
  '+++ b/b.txt',
  '@@ -0,0 +1 @@',
  '+made',
  '',
].join('\n');
const FILTERED = [
  'diff --git a/a.txt b/a.txt',
  '--- a/a.txt',
  '+++ b/a.txt',
  '@@ -19,4 +19,4 @@',
  ' 17',
  ' 18',
  ' 19',
  '-last',
  '+end',
  'diff --git a/b.txt b/b.txt',
  'new file mode 100644',
  '--- /dev/null',
  '+++ b/b.txt',
  '@@ -0,0 +1 @@',
  '+made',
  '',
].join('\n');

const reviewing = async (): Promise<Partial<RuntimeOptions>> => ({
  prompt: prompter({
    kind: 'review',
    action: 'apply',
    taken: [3, 2],
    comments: [{ chunk: 1, text: 'Why?' }],
  }),
});
const reviewed = {
  action: 'apply',
  filtered_diff: FILTERED,
  chunks_selected: [2, 3],
  chunks_total: 3,
  comments: [{ chunk: 1, text: 'Why?' }],
};
const after = { 'a.txt': OLD, 'b.txt': null };

const interactReview: Table = {
  handrail: {
    tool: 'patch_review',
    files: { 'a.txt': OLD },
    settings: reviewing,
    args: { patch: DIFF, message: 'Fine?' },
    reply: () => ({ ok: true, ...reviewed }),
    after,
  },
  coder: NOT_PRESENTED,
  tenas: NOT_PRESENTED,
  clude: NOT_PRESENTED,
  codelab: {
    tool: 'apply_patch_review',
    files: { 'a.txt': OLD },
    settings: reviewing,
    args: { diff: DIFF },
    reply: () => codelabResult(reviewed),
    after,
  },
};

export const interactTables: Readonly<Record<string, Table>> = {
  'interact.ask': interactAsk,
  'interact.display': interactDisplay,
  'interact.review': interactReview,
};
