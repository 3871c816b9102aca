/** The project of a request: named in `_meta`, or in a header over HTTP. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { handrail } from '../../support/command-line.ts';
import { connectMcp } from '../../support/mcp-client.ts';
import { tempWorkspace } from '../../support/temp-workspace.ts';
import { projectRegistry } from '../../../src/project-registry.ts';
import { type Serving, serving } from '../http/serving.ts';
import { beginSession, MCP_HEADERS, statelessCall } from './fixtures/raw-client.ts';

/** A project beside the workspace of the server; gives its root. */
async function addProject(server: Serving, id: string): Promise<string> {
  const root = join(server.workspace.root, '..', id);
  mkdirSync(root);
  writeFileSync(join(root, 'a.txt'), `of ${id}\n`);
  const { locations } = server.workspace;
  await projectRegistry({ store: server.state.store, locations }).add({ folder: root, id });
  return root;
}

/** What a call is answered with, of each era. */
async function callBoth(
  server: Serving,
  headers: Readonly<Record<string, string>>,
  meta: Readonly<Record<string, unknown>> = {},
): Promise<string[]> {
  const { headers: own, body } = statelessCall('read', { path: 'a.txt' });
  const { params, ...rest } = JSON.parse(body);
  const message = JSON.stringify({ ...rest, params: { ...params, _meta: { ...params._meta, ...meta } } });
  const modern = await server.send('/mcp', {
    method: 'POST',
    headers: { ...own, ...headers },
    body: message,
  });
  const session = { 'mcp-session-id': await beginSession(server), 'mcp-protocol-version': '2025-11-25' };
  const plain = { ...rest, params: { name: 'read', arguments: { path: 'a.txt' }, _meta: meta } };
  const legacy = await server.send('/mcp', {
    method: 'POST',
    headers: { ...MCP_HEADERS, ...session, ...headers },
    body: JSON.stringify(plain),
  });
  return [modern.body, legacy.body];
}

describe('the project of a request', () => {
  it('is that of the header, and of `_meta` before it', async () => {
    await using server = await serving();
    await addProject(server, 'notes');
    await addProject(server, 'other');
    for (const body of await callBoth(server, {})) expect(body).toContain('old');
    for (const body of await callBoth(server, { 'handrail-project': 'notes' }))
      expect(body).toContain('of notes');
    for (const body of await callBoth(server, {}, { 'handrail/project': 'notes' }))
      expect(body).toContain('of notes');
    const both = await callBoth(server, { 'handrail-project': 'notes' }, { 'handrail/project': 'other' });
    for (const body of both) expect(body).toContain('of other');
  });

  it('that is not there fails the call, and no other', async () => {
    await using server = await serving();
    for (const body of await callBoth(server, { 'handrail-project': 'nothing' })) {
      expect(body).toContain('There is no project');
      expect(body).toContain('"isError":true');
    }
    for (const body of await callBoth(server, {})) expect(body).toContain('old');
  });

  it('has sessions of its own, with the same id too', async () => {
    await using server = await serving();
    const root = await addProject(server, 'notes');
    const meta = { 'handrail/session': 'mine' };
    await callBoth(server, {}, meta);
    await callBoth(server, { 'handrail-project': 'notes' }, meta);
    await server.runtime.flush();
    const calls = await server.records.audit.list({ limit: 10 });
    const { root: own } = server.runtime.workspace;
    expect(calls.map(({ workspace, session }) => [workspace, session])).toEqual([
      [root, 'mine'],
      [root, 'mine'],
      [own, 'mine'],
      [own, 'mine'],
    ]);
  });
});

describe('handrail mcp --project', () => {
  it('serves the project, and another one where a call names it', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'here\n' });
    const roots = ['one', 'two'].map((id) => join(workspace.root, '..', id));
    for (const root of roots) {
      mkdirSync(root);
      writeFileSync(join(root, 'a.txt'), `in ${root}\n`);
      await handrail(workspace, ['projects', 'add', root, '--mode', 'auto']);
    }
    await using mcp = await connectMcp(workspace, { args: ['--project', 'one'] });
    const write = { name: 'write', arguments: { path: 'a.txt', content: 'new\n' } };
    expect((await mcp.client.callTool(write)).isError).toBeUndefined();
    expect(roots.map((root) => readFileSync(join(root, 'a.txt'), 'utf8'))).toEqual([
      'new\n',
      `in ${roots[1]}\n`,
    ]);
    const inTwo = await mcp.client.callTool({ ...write, _meta: { 'handrail/project': 'two' } });
    expect(inTwo.isError).toBeUndefined();
    expect(readFileSync(join(roots[1]!, 'a.txt'), 'utf8')).toBe('new\n');
    expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe('here\n');
  });
});
