/** Projects and trust over the API. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/client/index.ts';
import { shared } from '../../../support/shared.ts';
import { AS, type Serving, serving } from '../serving.ts';

let server: Serving;
let person: Client;
let folder: string;

shared(async (stack) => {
  server = stack.use(await serving());
  ({ person } = server);
  folder = join(server.workspace.outside, 'other');
  mkdirSync(join(folder, 'inner'), { recursive: true });
});

describe('addProject', () => {
  it('registers a folder, lists it, and forgets it again', async () => {
    const { project, notes } = await person.addProject({ folder, mode: 'read-only' });
    expect({ project, notes }).toMatchObject({
      project: { id: 'other', name: 'other', mode: 'read-only', settings: 'none' },
      notes: [],
    });
    const inner = await person.addProject({ folder: join(folder, 'inner'), id: 'in' });
    expect(inner.notes).toEqual(['It lies in the project other, whose sessions reach it too.']);
    const { agent } = server;
    expect((await agent.listProjects()).projects.map(({ id }) => id)).toEqual(['in', 'other']);
    expect(await person.removeProject({ id: 'in' })).toEqual({ id: 'in' });
    expect((await agent.listProjects()).projects.map(({ id }) => id)).toEqual(['other']);
    expect(existsSync(join(folder, 'inner'))).toBe(true);
  });

  it.each([
    ['a path that is not absolute', { folder: 'here' }, 'E_INVALID_ARGS'],
    ['a folder that is not there', { folder: '/nowhere/at/all' }, 'E_NOT_FOUND'],
    ['the root of the machine', { folder: '/' }, 'E_UNSUPPORTED'],
  ])('refuses %s', async (_what, body, code) => {
    await expect(person.addProject(body)).rejects.toMatchObject({ code });
  });

  it('refuses an id that is none', async () => {
    await expect(person.addProject({ folder: join(folder, 'inner'), id: '../x' })).rejects.toMatchObject({
      code: 'E_INVALID_ARGS',
    });
  });

  it('knows no project to forget that is not there', async () => {
    await expect(person.removeProject({ id: 'none' })).rejects.toMatchObject({ code: 'E_NO_PROJECT' });
  });
});

describe('trust', () => {
  const settings = (text: string): void => {
    mkdirSync(join(server.workspace.root, '.handrail'), { recursive: true });
    writeFileSync(join(server.workspace.root, '.handrail/config.jsonc'), text);
  };

  it('trusts exactly what was shown', async () => {
    settings('{ "mode": "read-only" }');
    const shown = await person.showTrust();
    expect(shown).toMatchObject({
      isTrusted: false,
      contents: [{ folder: '.handrail', files: [{ text: '{ "mode": "read-only" }' }] }],
    });
    settings('{ "mode": "auto" }');
    await expect(person.trust({ hash: shown.hash })).rejects.toMatchObject({
      status: 409,
      code: 'E_CONFLICT',
    });
    expect((await person.showTrust()).isTrusted).toBe(false);
    const { hash } = await person.showTrust();
    expect(await person.trust({ hash })).toMatchObject({ isTrusted: true, needsRestart: true });
    expect(await person.trust({ hash })).toMatchObject({ isTrusted: true, needsRestart: false });
    expect(await person.distrust()).toEqual({ wasTrusted: true });
    expect((await person.showTrust()).isTrusted).toBe(false);
  });

  it('does not trust settings that could not be used', async () => {
    settings('{ "rulez": [] }');
    const { hash } = await person.showTrust();
    await expect(person.trust({ hash })).rejects.toMatchObject({ code: 'E_INVALID_ARGS' });
    expect((await person.showTrust()).isTrusted).toBe(false);
  });
});

describe('an agent without the approval key', () => {
  it('can neither register, forget nor trust anything', async () => {
    expect((await server.post('/api/projects', AS.agent, { folder })).status).toBe(403);
    expect((await server.send('/api/projects/other', { method: 'DELETE', headers: AS.agent })).status).toBe(
      403,
    );
    expect((await server.send('/api/trust', { headers: AS.agent })).status).toBe(403);
    const hash = (await person.showTrust()).hash;
    expect((await server.post('/api/trust', AS.agent, { hash })).status).toBe(403);
    expect((await server.send('/api/trust', { method: 'DELETE', headers: AS.agent })).status).toBe(403);
  });
});
