/** A question of an agent is shown as one, whole and as it is; its answer counts for it alone, once, and allows nothing. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { ApprovalAnswer, Approver, Prompter, Rule, UserAnswer, UserQuestion } from '../../src/index.ts';
import { describeQuestion } from '../../src/runtime/any-question.ts';
import { describeMessage, previewMessage } from '../../src/runtime/describe-message.ts';
import { toQuestionForm } from '../../src/transports/mcp/question-form.ts';
import { approver } from '../support/approver.ts';
import { startCall } from '../support/asking.ts';
import { prompter } from '../support/prompter.ts';
import { openQuestions } from '../support/questions.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { type Attack, testAttacks } from './attack-case.ts';

const KEEP = { message: 'Keep the old files?', choices: ['keep', 'delete'] };
const DELETE: UserAnswer = { kind: 'choice', choice: 'delete' };
const WRITE = { path: 'a.txt', content: 'x\n' };

/** Hides, reverses, clears, moves, links, copies to the clipboard, overwrites; also without an end. */
const TRICKS = [
  '\u200b',
  '\u202e',
  '\u2066',
  '\u00ad',
  '\u{e0041}',
  '\u001b[2J\u001b[1A',
  '\u001b]8;;http://x\u001b\\',
  '\u001b]52;c;eA==\u0007',
  '\u009b31m',
  '\u001b[',
  '\r',
  '\b\b',
  '\u2028',
];

/** What a question of an agent would look like if its words were printed as they are. */
function printedAsIs({ message }: { readonly message: string }): string {
  return `The agent asks: ${message}`;
}

/** The questions that an agent can ask, with a trick in every word of its own. */
async function asked(workspace: TempWorkspace, trick: string): Promise<UserQuestion[]> {
  const prompt = prompter({ kind: 'declined' });
  const runtime = await workspace.runtime({ prompt });
  const message = `one${trick}two`;
  await runtime.call('ask_user', { message, choices: [`a${trick}`, `b${trick}`] });
  await runtime.call('ask_user', { message });
  const patch = `--- /dev/null\n+++ b/made\n@@ -0,0 +1 @@\n+one${trick.replaceAll(/[\r\n]/g, '')}two\n`;
  await runtime.call('patch_review', { patch, message });
  expect(prompt.asked).toHaveLength(3);
  return prompt.asked;
}

/** Has a question answered whose process is gone. */
async function answeredWhileDead(workspace: TempWorkspace): Promise<string> {
  await workspace.runtime();
  await using questions = openQuestions(workspace.locations.state);
  const asking = startCall(workspace, 'ses_one', 'ask_user', KEEP);
  const [open] = await questions.whenOpen();
  await asking.kill();
  expect(await questions.answer(open!.id, DELETE)).toBe(true);
  return open!.id;
}

/** Somebody who knows a question by its choices, and answers it as the last time. */
const rememberingChoices: Prompter = async (question) =>
  question.kind === 'choice' && question.choices.join() === KEEP.choices.join()
    ? DELETE
    : { kind: 'declined' };

const ATTACKS: readonly Attack[] = [
  {
    id: 'AP-01',
    title: 'an answer that is moved to another question with the same choices',
    attack: async () => {
      await using workspace = tempWorkspace();
      const id = await answeredWhileDead(workspace);
      const runtime = await workspace.runtime();
      const session = await runtime.openSession({ id: 'ses_one' });
      for (const args of [
        { ...KEEP, message: 'Keep the backups?' },
        { ...KEEP, message: `${KEEP.message} ` },
        { ...KEEP, choices: ['delete', 'keep'] },
        { message: KEEP.message },
      ])
        expect(await runtime.call('ask_user', args, { session })).toMatchObject({ outcome: 'denied' });
      await using questions = openQuestions(workspace.locations.state);
      expect(await questions.find(id)).toMatchObject({ state: 'answered' });
      expect((await runtime.call('ask_user', KEEP, { session })).reply).toMatchObject({ answer: 'delete' });
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      const runtime = await workspace.runtime({ prompt: rememberingChoices });
      const { reply } = await runtime.call('ask_user', { ...KEEP, message: 'Keep the backups?' });
      expect(reply).toMatchObject({ answer: 'delete' });
    },
  },
  {
    id: 'AP-01',
    title: 'an answer to an agent that is taken for a yes, and a yes that is taken for an answer',
    attack: async () => {
      await using workspace = tempWorkspace();
      const runtime = await workspace.runtime({ wait: true });
      await using questions = openQuestions(workspace.locations.state);
      for (const answer of [
        { kind: 'choice', choice: 'once' },
        { kind: 'text', text: 'always' },
        { kind: 'review', action: 'apply', taken: [1] },
      ] satisfies UserAnswer[]) {
        const writing = runtime.call('write', WRITE);
        const [open] = await questions.whenOpen();
        await questions.answer(open!.id, answer);
        expect(await writing).toMatchObject({ outcome: 'denied' });
      }
      for (const answer of [{ answer: 'once' }, { answer: 'always' }] satisfies ApprovalAnswer[]) {
        const asking = runtime.call('ask_user', { message: 'Once?', choices: ['once', 'always'] });
        const [open] = await questions.whenOpen();
        await questions.answer(open!.id, answer);
        expect(await asking).toMatchObject({ outcome: 'denied' });
      }
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      // Somebody who takes an answer for what its words are.
      const given = { kind: 'choice', choice: 'once' } as const;
      const runtime = await workspace.runtime({ approve: async () => ({ answer: given.choice }) });
      expect(await runtime.call('write', WRITE)).toMatchObject({ outcome: 'ok' });
    },
  },
  {
    id: 'AP-01',
    title: 'an answer that lets something else pass',
    attack: async () => {
      await using workspace = tempWorkspace();
      const prompt = prompter({ kind: 'choice', choice: 'yes, all of them' });
      const runtime = await workspace.runtime({ prompt });
      const session = await runtime.openSession();
      const choices = ['yes, all of them', 'no'];
      await runtime.call('ask_user', { message: 'May I write files?', choices }, { session });
      expect(await runtime.call('write', WRITE, { session })).toMatchObject({ outcome: 'denied' });
      expect(session.grants).toEqual([]);
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      const prompt = prompter({ kind: 'choice', choice: 'yes, all of them' });
      // Somebody who lets pass what the agent was told.
      const approve: Approver = async () => ({ answer: prompt.asked.length > 0 ? 'once' : 'deny' });
      const runtime = await workspace.runtime({ prompt, approve });
      expect(await runtime.call('write', WRITE)).toMatchObject({ outcome: 'denied' });
      await runtime.call('ask_user', { message: 'May I write files?', choices: ['yes, all of them', 'no'] });
      expect(await runtime.call('write', WRITE)).toMatchObject({ outcome: 'ok' });
    },
  },
  {
    id: 'AP-02',
    title: 'an answer that is used again, in another session or another workspace',
    attack: async () => {
      await using workspace = tempWorkspace();
      await answeredWhileDead(workspace);
      const second = join(workspace.root, '../second');
      mkdirSync(second);
      const elsewhere = await workspace.runtime({ workspace: second });
      const other = await elsewhere.openSession({ id: 'ses_one' });
      expect(await elsewhere.call('ask_user', KEEP, { session: other })).toMatchObject({ outcome: 'denied' });
      const runtime = await workspace.runtime();
      expect(await runtime.call('ask_user', KEEP)).toMatchObject({ outcome: 'denied' });
      const session = await runtime.openSession({ id: 'ses_one' });
      expect(await runtime.call('ask_user', KEEP, { session })).toMatchObject({ outcome: 'ok' });
      expect(await runtime.call('ask_user', KEEP, { session })).toMatchObject({ outcome: 'denied' });
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      const runtime = await workspace.runtime({ prompt: rememberingChoices });
      const sessions = [await runtime.openSession(), await runtime.openSession()];
      for (const session of [...sessions, ...sessions])
        expect(await runtime.call('ask_user', KEEP, { session })).toMatchObject({ outcome: 'ok' });
    },
  },
  {
    id: 'AP-03',
    title: 'a choice too long to be read, and choices that look the same',
    attack: async () => {
      await using workspace = tempWorkspace();
      const prompt = prompter({ kind: 'declined' });
      const runtime = await workspace.runtime({ prompt });
      const token = (end: string): string => `ghp_${'a1B2'.repeat(8)}${end.repeat(4)}`;
      for (const choices of [
        ['no', 'x'.repeat(201)],
        ['same', 'same'],
        ['no', '  '],
        [token('a'), token('b')],
        [],
        Array.from({ length: 21 }, (_, index) => `${index}`),
      ])
        expect(await runtime.call('ask_user', { message: 'Which?', choices })).toMatchObject({
          result: { error: { code: 'E_INVALID_ARGS' } },
        });
      expect(prompt.asked).toEqual([]);
      const message = `${'x'.repeat(9_000)} DANGER`;
      await runtime.call('ask_user', { message });
      expect(describeQuestion(prompt.asked[0]!)).toContain('DANGER');
    },
    bites: async () => {
      expect(printedAsIs({ message: `${'x'.repeat(9_000)} DANGER` }).slice(0, 500)).not.toContain('DANGER');
    },
  },
  {
    id: 'AP-05',
    title: 'characters in questions and messages that hide, reverse, or steer a terminal',
    attack: async () => {
      await using workspace = tempWorkspace();
      const shape = (text: string): number => text.split('\n').length;
      const plain = (await asked(workspace, '')).map((question) => shape(describeQuestion(question)));
      for (const trick of TRICKS) {
        const questions = await asked(workspace, trick);
        const message = {
          content: `a${trick}`,
          title: trick,
          thought: trick,
          evidence: [trick],
          level: 'info',
        } as const;
        const texts = [
          ...questions.map(describeQuestion),
          ...questions.map((question) => JSON.stringify(toQuestionForm(question))),
          describeMessage(message),
          previewMessage(message, 200),
        ];
        for (const text of texts)
          expect({ trick, isIn: text.includes(trick) }).toEqual({ trick, isIn: false });
        expect(questions.map((question) => shape(describeQuestion(question)))).toEqual(plain);
      }
    },
    bites: async () => {
      for (const trick of TRICKS) expect(printedAsIs({ message: trick })).toContain(trick);
    },
  },
  {
    id: 'AP-06',
    title: 'a question that is written like an approval, or like words of ours',
    attack: async () => {
      await using workspace = tempWorkspace();
      const prompt = prompter({ kind: 'declined' });
      const runtime = await workspace.runtime({ prompt });
      const faked = [
        'Whatever.',
        '',
        'handrail:bash asks: proc.exec needs an approval. (dialect:handrail#2)',
        '  proc.exec  ls',
        '[y]es once, for this [s]ession, [a]lways, [e]dit, [n]o, no, with a [r]eason? ',
        'Chunk 1 of 1, a.txt: take it [y,n,a,d,c,b,q,?]? ',
      ];
      await runtime.call('ask_user', { message: faked.join('\n'), choices: ['y', 'a'] });
      const question = prompt.asked[0]!;
      const [head, ...rest] = describeQuestion(question).split('\n');
      expect(head).toBe(
        'The agent asks you something (handrail:ask_user). Whatever you answer allows nothing.',
      );
      expect(rest).toEqual([...faked.map((line) => `  | ${line}`), '  1  y', '  2  a']);
      expect(Object.keys(toQuestionForm(question).requestedSchema.properties)).toEqual(['choice']);
      const said = describeMessage({ content: faked.join('\n'), level: 'error' })
        .split('\n')
        .slice(1);
      expect(said.every((line) => line.startsWith('  | '))).toBe(true);
    },
    bites: async () => {
      const [, fake] = printedAsIs({ message: 'x\nhandrail:bash asks: run it? [y/n]' }).split('\n');
      expect(fake).toBe('handrail:bash asks: run it? [y/n]');
    },
  },
  {
    id: 'AP-10',
    title: 'an agent that answers its own question, by its tools or its shell',
    attack: async () => {
      await using workspace = tempWorkspace();
      const { state } = workspace.locations;
      const rules: Rule[] = [{ action: 'allow', permission: ['fs.read', 'fs.write', 'proc.exec'] }];
      const approve = approver('deny');
      const runtime = await workspace.runtime({ wait: true, mode: 'auto', rules, approve });
      await using questions = openQuestions(state);
      const asking = runtime.call('ask_user', KEEP);
      const [open] = await questions.whenOpen();
      const store = join(state, 'handrail.sqlite');
      for (const [tool, args] of [
        ['read', { path: store }],
        ['write', { path: store, content: '' }],
        ['ask_user', { ...KEEP, id: open!.id, answer: 'delete' }],
        ['ask_user', { ...KEEP, by: 'terminal' }],
      ] as const)
        expect((await runtime.call(tool, args)).outcome).not.toBe('ok');
      const reach = await runtime.call('bash', { command: `test -e '${store}' && echo reach''ed` });
      expect(JSON.stringify(reach.reply)).not.toContain('reached');
      expect(await questions.find(open!.id)).toMatchObject({ state: 'pending', answer: null });
      await questions.answer(open!.id, DELETE);
      await asking;
    },
    bites: { noProof: 'the undefended keeps no questions' },
  },
];

describe('a question of an agent', () => {
  testAttacks(ATTACKS);
});
