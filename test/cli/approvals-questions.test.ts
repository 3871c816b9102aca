/** Questions of agents on the command line: listed, shown and answered by another process than the one that asks. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { environmentOf, handrail, LAUNCHER } from '../support/command-line.ts';
import { questionsOf } from '../support/questions.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';

interface Call {
  reply(): Promise<{ readonly exitCode: number; readonly reply: unknown }>;
  kill(): Promise<void>;
}

/** A `handrail call --wait` that goes on until it is answered. */
function startCall(workspace: TempWorkspace, tool: string, args: object, dialect = 'handrail'): Call {
  const words = ['call', '--wait', '--session', 'ses_one', '--dialect', dialect, tool, JSON.stringify(args)];
  const child = spawn(process.execPath, [LAUNCHER, ...words], {
    cwd: workspace.root,
    env: environmentOf(workspace),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const gone = once(child, 'close') as Promise<[number]>;
  return {
    async reply() {
      const [exitCode] = await gone;
      return { exitCode, reply: JSON.parse(said) as unknown };
    },
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

async function makeStore(workspace: TempWorkspace): Promise<void> {
  await handrail(workspace, ['call', 'list', '{}']);
}

const ASK = { message: 'Which database?', choices: ['SQLite', 'Postgres'] };
const PATCH = [
  '--- a/a.txt',
  '+++ b/a.txt',
  '@@ -1 +1 @@',
  '-old',
  '+new',
  '--- /dev/null',
  '+++ b/b.txt',
  '@@ -0,0 +1 @@',
  '+made',
  '',
].join('\n');

describe('handrail approvals', () => {
  it('lists and shows a question of the agent as one, and takes its answer by number', async () => {
    await using workspace = tempWorkspace();
    await makeStore(workspace);
    await using questions = questionsOf(workspace);
    const call = startCall(workspace, 'ask_user', ASK);
    const [open] = await questions.whenOpen();
    const { stdout: list } = await handrail(workspace, ['approvals']);
    expect(list).toContain(`${open!.id}  handrail:ask_user`);
    expect(list).toContain('The agent asks: Which database?');
    const { stdout: shown } = await handrail(workspace, ['approvals', 'show', open!.id]);
    expect(shown).toBe(
      [
        '',
        'The agent asks you something (handrail:ask_user). Whatever you answer allows nothing.',
        '  | Which database?',
        '  1  SQLite',
        '  2  Postgres',
        `Answer it with: handrail approvals answer ${open!.id} 1…2, or --decline`,
        '',
      ].join('\n'),
    );
    expect(await handrail(workspace, ['approvals', 'answer', open!.id, '2'])).toMatchObject({ exitCode: 0 });
    expect(await call.reply()).toEqual({ exitCode: 0, reply: { ok: true, answer: 'Postgres' } });
    expect(await handrail(workspace, ['approvals', 'answer', open!.id, '1'])).toMatchObject({ exitCode: 1 });
  });

  it.each<[what: string, args: string[], said: string]>([
    ['an approval', ['once'], 'none of the choices'],
    ['a number too many', ['3'], 'none of the choices'],
    ['nothing', [], 'give an answer, or --decline'],
    ['an answer and none', ['1', '--decline'], '--decline goes without an answer'],
    ['a comment', ['1', '--comment', 'x'], '--comment goes with a review'],
    ['other arguments', ['1', '--args', '{}'], '--args goes with the answer edit'],
  ])('takes %s for no answer, and leaves the question open', async (_what, args, said) => {
    await using workspace = tempWorkspace();
    await makeStore(workspace);
    await using questions = questionsOf(workspace);
    const call = startCall(workspace, 'ask_user', ASK);
    const [open] = await questions.whenOpen();
    const { exitCode, stderr } = await handrail(workspace, ['approvals', 'answer', open!.id, ...args]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(said);
    expect(await questions.pending()).toHaveLength(1);
    await call.kill();
  });

  it('declines with a reason that the agent reads', async () => {
    await using workspace = tempWorkspace();
    await makeStore(workspace);
    await using questions = questionsOf(workspace);
    const call = startCall(workspace, 'ask_user', { message: 'Why?' });
    const [open] = await questions.whenOpen();
    await handrail(workspace, ['approvals', 'answer', open!.id, '--decline', '--reason', 'Find out.']);
    expect(await call.reply()).toMatchObject({
      exitCode: 3,
      reply: { denied: true, reason: expect.stringMatching(/^Find out\. /) },
    });
  });

  it('takes chunks of a patch with comments, for a call that was killed and came again', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'old\n' });
    await makeStore(workspace);
    await using questions = questionsOf(workspace);
    const killed = startCall(workspace, 'apply_patch_review', { diff: PATCH }, 'codelab');
    const [open] = await questions.whenOpen();
    await killed.kill();
    const { stdout } = await handrail(workspace, ['approvals', 'show', open!.id]);
    expect(stdout).toMatch(/Chunk 1 of 2, a\.txt\n[^]*\| \+new\nChunk 2 of 2, b\.txt\n[^]*\| \+made\n/);
    const answer = ['approvals', 'answer', open!.id, '2', '--comment', '1: not yet', '--comment', 'thanks'];
    expect(await handrail(workspace, answer)).toMatchObject({ exitCode: 0 });
    const again = startCall(workspace, 'apply_patch_review', { diff: PATCH }, 'codelab');
    expect(await again.reply()).toMatchObject({
      reply: {
        result: {
          action: 'apply',
          chunks_selected: [2],
          chunks_total: 2,
          filtered_diff: expect.stringContaining('+made'),
          comments: [{ chunk: 1, text: 'not yet' }, { text: 'thanks' }],
        },
      },
    });
  });

  it.each<[written: string, selected: number[]]>([
    ['all', [1, 2]],
    ['1-2', [1, 2]],
    ['none', []],
  ])('takes %s of a patch', async (written, selected) => {
    await using workspace = tempWorkspace({ 'a.txt': 'old\n' });
    await makeStore(workspace);
    await using questions = questionsOf(workspace);
    const call = startCall(workspace, 'patch_review', { patch: PATCH });
    const [open] = await questions.whenOpen();
    await handrail(workspace, ['approvals', 'answer', open!.id, written]);
    const action = selected.length === 0 ? 'cancel' : 'apply';
    expect(await call.reply()).toMatchObject({ reply: { action, chunks_selected: selected } });
  });
});
