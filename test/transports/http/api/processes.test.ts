/** Background processes of every workspace over the API; real ones, that another process of Handrail started. */
import { describe, expect, it } from 'vitest';
import type { OutputOf } from '../../../../src/client/index.ts';
import type { BackgroundProcess } from '../../../../src/host/ports.ts';
import { type Background, backgroundIn } from '../../../support/background.ts';
import { shared } from '../../../support/shared.ts';
import { type TempWorkspace, tempWorkspace } from '../../../support/temp-workspace.ts';
import { AS, type Serving, serving } from '../serving.ts';
import { clientOf } from './asking.ts';

let server: Serving;
let other: TempWorkspace;
let background: Background;
shared(async (stack) => {
  server = stack.use(await serving());
  other = stack.use(tempWorkspace());
  background = stack.use(backgroundIn({ ...other, locations: server.workspace.locations }));
});

const TERMINAL = { terminal: { columns: 80, rows: 24 } };

/** Reads on until the text is there, or nothing more comes. */
async function outputOf({ id }: BackgroundProcess, wanted?: string): Promise<string> {
  const client = clientOf(server);
  let text = '';
  let from = 0;
  let last: OutputOf<'readProcess'>;
  const isDone = (): boolean => (wanted === undefined ? last.isEnded : text.includes(wanted));
  await expect
    .poll(
      async () => {
        last = await client.readProcess({ id, from, limit: 7 });
        text += last.text;
        from = last.next;
        return isDone();
      },
      { timeout: 30_000, interval: 5 },
    )
    .toBe(true);
  return text;
}

describe('listProcesses, readProcess', () => {
  it('show processes of other workspaces, and what they wrote, page by page', async () => {
    const started = await background.start("printf 'grüße, 世界\\n'; exit 3", { name: 'greeter' });
    expect(await outputOf(started)).toBe('grüße, 世界\n');
    const { processes } = await clientOf(server).listProcesses();
    expect(processes).toContainEqual({
      id: started.id,
      name: 'greeter',
      workspace: other.root,
      session: 'ses_test',
      isKept: false,
      command: started.command,
      directory: '.',
      pid: started.pid,
      tier: started.tier,
      startedAt: started.startedAt,
      ended: { at: expect.any(Number) as number, by: 'itself', exitCode: 3, hosts: [] },
    });
  });

  it('come to an end where the last character was cut', async () => {
    const started = await background.start("printf 'caf\\303'");
    expect(await outputOf(started)).toBe('caf\u{fffd}');
  });

  it('give the last of it where no byte is named', async () => {
    const started = await background.start('printf 0123456789');
    await outputOf(started);
    expect(await clientOf(server).readProcess({ id: started.id, limit: 4 })).toEqual({
      text: '6789',
      position: 6,
      next: 10,
      total: 10,
      isEnded: true,
    });
  });

  it.each(['from=-1', 'from=x', 'limit=3', 'limit=2000000'])('refuse ?%s', async (query) => {
    const path = `/api/processes/proc_none/output?${query}`;
    expect((await server.send(path, { headers: AS.person })).status).toBe(400);
  });
});

describe('writeProcess', () => {
  it('types into a process that somebody else started, and ends its input', async () => {
    const started = await background.start('cat; echo done', { terminal: undefined });
    const client = clientOf(server);
    await client.writeProcess({ id: started.id, text: 'hello\n' });
    expect(await outputOf(started, 'hello\n')).toBe('hello\n');
    expect(await client.writeProcess({ id: started.id, text: 'bye\n', isLast: true })).toMatchObject({
      id: started.id,
    });
    expect(await outputOf(started)).toBe('hello\nbye\ndone\n');
    await expect(client.writeProcess({ id: started.id, text: 'late' })).rejects.toMatchObject({
      status: 404,
      code: 'E_NOT_FOUND',
    });
  });

  it.each([{}, { text: 1 }, { text: 'x', last: true }, { text: 'x'.repeat(100_001) }])(
    'refuses %#',
    async (body) => {
      expect((await server.post('/api/processes/proc_none/input', AS.person, body)).status).toBe(400);
    },
  );
});

describe('resizeProcess', () => {
  it('changes the size of a terminal', async () => {
    const started = await background.start(
      "trap 'stty size; exit' WINCH; echo ready; while :; do sleep 0.05; done",
      TERMINAL,
    );
    await outputOf(started, 'ready');
    await clientOf(server).resizeProcess({ id: started.id, columns: 132, rows: 43 });
    expect(await outputOf(started)).toContain('43 132');
  });

  it.each([{}, { columns: 0, rows: 1 }, { columns: 80, rows: 1_001 }])('refuses %j', async (body) => {
    expect((await server.post('/api/processes/proc_none/size', AS.person, body)).status).toBe(400);
  });
});

describe('stopProcess', () => {
  it('ends one, which then stays so', async () => {
    const { id } = await background.start('sleep 600');
    const client = clientOf(server);
    const stopped = await client.stopProcess({ id });
    expect(stopped).toMatchObject({ id, ended: { by: 'stopped' } });
    expect(await client.stopProcess({ id })).toEqual(stopped);
  });
});

describe('every route of processes', () => {
  const about = { id: 'proc_none' };
  const CALLS = {
    readProcess: about,
    writeProcess: { ...about, text: 'x' },
    resizeProcess: { ...about, columns: 80, rows: 24 },
    stopProcess: about,
  };

  it('knows only what there is', async () => {
    const client = clientOf(server);
    for (const [name, input] of Object.entries(CALLS))
      await expect(client[name as 'stopProcess'](input)).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
  });

  it('can be looked at as often as a page does that shows what goes on', async () => {
    const client = clientOf(server);
    const looks = Array.from({ length: 100 }, async () => client.listProcesses());
    expect(await Promise.all(looks)).toHaveLength(100);
  });

  it('is for the person', async () => {
    const client = clientOf(server, 'agent');
    for (const [name, input] of Object.entries({ ...CALLS, listProcesses: undefined }))
      await expect(client[name as 'stopProcess'](input as never)).rejects.toMatchObject({ status: 403 });
  });
});
