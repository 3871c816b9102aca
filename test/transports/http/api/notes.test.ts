/** What agents showed, keep, and can load, over the API. */
import { describe, expect, it } from 'vitest';
import { shared } from '../../../support/shared.ts';
import { AS, type Serving, serving } from '../serving.ts';
import { clientOf } from './asking.ts';

let server: Serving;
shared(async (stack) => {
  server = stack.use(await serving());
});

describe('listMessages', () => {
  it('lists what agents showed, newest first', async () => {
    await server.runtime.call('display', { content: 'Begun.', title: 'Work' });
    await server.runtime.call('display', { content: 'Half done.', level: 'progress' });
    const { messages } = await clientOf(server).listMessages({ limit: 2 });
    expect(messages.map(({ message }) => message)).toMatchObject([
      { content: 'Half done.', level: 'progress' },
      { content: 'Begun.', title: 'Work' },
    ]);
  });
});

describe('listMemory, removeMemory', () => {
  it('show what is kept, and delete it in the name of who asked', async () => {
    for (const title of ['harbours', 'lighthouses'])
      await server.runtime.call('remember', { title, content: `About ${title}.` });
    const client = clientOf(server);
    expect((await client.listMemory()).memories).toHaveLength(2);
    const { memories } = await client.listMemory({ query: 'harbours' });
    expect(memories).toMatchObject([{ title: 'harbours', scope: 'workspace' }]);
    const [memory] = memories;
    expect(await client.removeMemory(memory!)).toEqual(memory);
    await expect(client.removeMemory(memory!)).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
    await server.runtime.flush();
    const calls = await server.records.audit.list({ limit: 2 });
    const removal = calls.find(({ outcome }) => outcome === 'ok')!;
    expect((await server.records.audit.show(removal.call_id))?.at(-1)).toMatchObject({
      name: 'memory.change',
      approver: 'api',
    });
  });
});

describe('listSkills', () => {
  it('lists skills without what they say, and why others do not count', async () => {
    server.workspace.write('.handrail/skills/own/SKILL.md', '---\nname: own\ndescription: x\n---\nSecret.\n');
    const { skills, warnings } = await clientOf(server).listSkills();
    expect(skills.map(({ origin }) => origin)).toContain('built-in');
    expect(JSON.stringify(skills)).not.toContain('Secret.');
    expect(warnings.join()).toContain('.handrail/skills');
  });
});

describe('what agents keep', () => {
  it.each([
    ['GET', '/api/messages'],
    ['GET', '/api/memory'],
    ['DELETE', '/api/memory/mem_w_none'],
    ['GET', '/api/skills'],
  ])('is for the person: %s %s', async (method, path) => {
    expect((await server.send(path, { method, headers: AS.agent })).status).toBe(403);
  });
});
