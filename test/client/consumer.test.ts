/** The package's client in a project of somebody else: built, and checked strictly without anything but the package. */
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { tempWorkspace } from '../support/temp-workspace.ts';

const ROOT = join(import.meta.dirname, '../..');

const OPTIONS = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  // The package's own declarations are looked at too; it may not need Node's.
  skipLibCheck: false,
  types: [],
  target: 'es2024',
  lib: ['es2024', 'dom'],
  module: 'nodenext',
  noEmit: true,
};

const USE = `
import { ApiFailure, type Client, handrailClient, type OutputOf } from 'handrail/client';

const client: Client = handrailClient({ url: 'http://127.0.0.1:4870', token: 'secret' });
const { tools } = await client.listTools({ dialect: 'codelab' });
export const first: string | undefined = tools[0]?.name;
export const risk: 'read' | 'write' | 'destructive' | undefined = tools[0]?.risk;
export const kept: OutputOf<'listTools'>['tools'] = tools;
export const statusOf = (error: unknown): number => (error instanceof ApiFailure ? error.status : 0);
// @ts-expect-error
export const notANumber: number = tools[0]!.name;
// @ts-expect-error
await client.listTools({ dialekt: 'codelab' });
// @ts-expect-error
await client.noSuchOperation();
`;

describe('handrail/client', () => {
  it('is typed for a project that has nothing but the package', async () => {
    await using project = tempWorkspace({
      'package.json': '{ "type": "module" }',
      'tsconfig.json': JSON.stringify({ compilerOptions: OPTIONS, files: ['use.ts'] }),
      'use.ts': USE,
    });
    mkdirSync(join(project.root, 'node_modules'));
    symlinkSync(ROOT, join(project.root, 'node_modules/handrail'));
    const tsc = join(ROOT, 'node_modules/.bin/tsc');
    const checked = await promisify(execFile)(tsc, ['-p', project.root]).catch((error: unknown) => error);
    expect(checked).toMatchObject({ stdout: '' });
  });

  it('loads nothing but files beside it, so that a browser can', () => {
    const folder = join(ROOT, 'dist/client');
    const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'));
    const loaded = scripts.flatMap((name) => {
      const source = readFileSync(join(folder, name), 'utf8');
      return [...source.matchAll(/\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map(([, module]) => module!);
    });
    expect(loaded.length).toBeGreaterThan(0);
    expect(loaded.filter((module) => !/^\.\/[\w-]+\.js$/.test(module))).toEqual([]);
  });
});
