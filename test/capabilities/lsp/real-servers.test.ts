/** Real language servers, asked through our own tools while our own tools, commands and others change the files. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Runtime } from '../../../src/index.ts';
import { LANGUAGE_PATH, whyNoPrograms } from '../../support/language-programs.ts';
import { scaled } from '../../support/scale.ts';
import { type TempWorkspace, tempWorkspace } from '../../support/temp-workspace.ts';

interface Case {
  readonly name: string;
  readonly programs: readonly string[];
  /** A file that uses what another one defines. */
  readonly files: Readonly<Record<string, string>>;
  readonly file: string;
  /** A line of the file, without an error and with one. */
  readonly right: string;
  readonly wrong: string;
  readonly message: RegExp;
  /** Where the other file's name is used, and what the servers know about it. */
  readonly use: { readonly line: number; readonly character: number };
  readonly definedIn: string;
  readonly hover: RegExp;
  /** Files that are changed at the same time, and how often. */
  readonly atOnce: number;
  readonly rounds: number;
}

const CASES: readonly Case[] = [
  {
    name: 'bash-language-server with shellcheck',
    programs: ['bash-language-server', 'shellcheck'],
    files: {
      'a.sh': '#!/bin/bash\n. ./b.sh\ngreet "$1"\nline=1\necho "$line"\n',
      'b.sh': '#!/bin/bash\n# Greets somebody.\ngreet() {\n  echo "hello $1"\n}\n',
    },
    file: 'a.sh',
    right: 'line=1',
    wrong: 'line=$[1]',
    message: /Use \$\(\(\.\.\.?\)\) instead/,
    use: { line: 2, character: 1 },
    definedIn: 'b.sh',
    hover: /Greets somebody/,
    // It looks half a second after each change: many files at once take no longer than one.
    atOnce: 20,
    rounds: scaled(5),
  },
  {
    name: 'pylsp with pyflakes',
    programs: ['pylsp', 'pyflakes3'],
    files: {
      'a.py': 'from b import greet\n\nline = 1\nprint(greet(line))\n',
      'b.py': 'def greet(name):\n    """Greets somebody."""\n    return name\n',
    },
    file: 'a.py',
    right: 'line = 1',
    wrong: 'line = unheard_of',
    message: /undefined name 'unheard_of'/,
    use: { line: 3, character: 8 },
    definedIn: 'b.py',
    hover: /Greets somebody/,
    atOnce: 20,
    rounds: scaled(5),
  },
  {
    name: 'TypeScript 7',
    programs: ['tsc'],
    files: {
      'tsconfig.json':
        '{ "compilerOptions": { "strict": true, "noEmit": true, "module": "nodenext", "types": [] } }',
      'a.ts':
        'import { greet } from "./b.js";\n\nconst line: number = 1;\nexport const told = greet(line);\n',
      'b.ts': '/** Greets somebody. */\nexport function greet(name: number): number {\n  return name;\n}\n',
    },
    file: 'a.ts',
    right: 'const line: number = 1;',
    wrong: 'const line: number = "";',
    message: /Type 'string' is not assignable to type 'number'/,
    use: { line: 3, character: 22 },
    definedIn: 'b.ts',
    hover: /Greets somebody/,
    atOnce: 1,
    rounds: 100,
  },
  {
    name: 'clangd',
    programs: ['clangd'],
    files: {
      'a.c': '#include "b.h"\n\nint line = 1;\nint main(void) { return greet(line); }\n',
      'b.h': '// Greets somebody.\nint greet(int name);\n',
    },
    file: 'a.c',
    right: 'int line = 1;',
    wrong: 'int line = unheard;',
    message: /[Uu]se of undeclared identifier 'unheard'/,
    use: { line: 3, character: 26 },
    definedIn: 'b.h',
    hover: /Greets somebody/,
    atOnce: 5,
    rounds: scaled(20),
  },
];

interface Diagnosed {
  readonly ok: boolean;
  readonly server_status: string;
  readonly diagnostics: readonly { readonly message: string; readonly range: { start: { line: number } } }[];
}

async function runtimeIn(workspace: TempWorkspace): Promise<Runtime> {
  return workspace.runtime({ mode: 'auto', environment: { PATH: LANGUAGE_PATH } });
}

async function diagnose(runtime: Runtime, path: string): Promise<Diagnosed> {
  return (await runtime.call('lsp_diagnostics', { path })).reply as Diagnosed;
}

/** The messages that tell of the planted error. */
async function planted(runtime: Runtime, path: string, message: RegExp): Promise<string[]> {
  const { ok, diagnostics, ...rest } = await diagnose(runtime, path);
  expect({ ok, ...rest }).toMatchObject({ ok: true, server_status: 'active' });
  return diagnostics.map((found) => found.message).filter((text) => message.test(text));
}

describe.each(CASES)('$name', (server) => {
  const { programs, files, file, right, wrong, message, use, definedIn, hover, atOnce, rounds } = server;
  const whyNot = whyNoPrograms(...programs);

  it.skipIf(whyNot !== undefined)(
    `reports an error until it is edited away, ${atOnce * rounds} times`,
    async () => {
      const [stem, ending] = file.split('.');
      const copies = Array.from({ length: atOnce }, (_, index) =>
        index === 0 ? file : `${stem}${index}.${ending}`,
      );
      await using workspace = tempWorkspace({
        ...files,
        ...Object.fromEntries(copies.map((copy) => [copy, files[file]!])),
      });
      const runtime = await runtimeIn(workspace);
      const round = async (path: string): Promise<void> => {
        const edit = { path, old_string: right, new_string: wrong };
        expect(await runtime.call('edit', edit)).toMatchObject({ outcome: 'ok' });
        expect(await planted(runtime, path, message)).toHaveLength(1);
        const fix = { path, old_string: wrong, new_string: right };
        expect(await runtime.call('edit', fix)).toMatchObject({ outcome: 'ok' });
        expect(await planted(runtime, path, message)).toEqual([]);
      };
      for (let count = 0; count < rounds; count++) await Promise.all(copies.map(round));
    },
  );

  it.skipIf(whyNot !== undefined)('finds a definition in another file, and its documentation', async () => {
    await using workspace = tempWorkspace(files);
    const runtime = await runtimeIn(workspace);
    const definition = await runtime.call('lsp_definition', { path: file, ...use });
    expect(definition.reply).toMatchObject({
      ok: true,
      server_status: 'active',
      location: { path: definedIn, uri: `file://${workspace.root}/${definedIn}` },
    });
    const { reply } = await runtime.call('lsp_hover', { path: file, ...use });
    expect(reply).toMatchObject({ ok: true, contents: expect.stringMatching(hover) as string });
  });

  it.skipIf(whyNot !== undefined)('sees what a command and an editor wrote', async () => {
    await using workspace = tempWorkspace(files);
    const runtime = await runtimeIn(workspace);
    const original = files[file]!;
    expect(await planted(runtime, file, message)).toEqual([]);
    writeFileSync(join(workspace.root, file), original.replace(right, wrong));
    expect(await planted(runtime, file, message)).toHaveLength(1);
    const { outcome } = await runtime.call('bash', { command: `sed -i 's/^.*line.*=.*$/${right}/' ${file}` });
    expect(outcome).toBe('ok');
    expect(await planted(runtime, file, message)).toEqual([]);
  });
});

describe.skipIf(whyNoPrograms('tsc') !== undefined)('TypeScript 7 over several files', () => {
  const { files } = CASES[2]!;

  it('sees a change of a file that is not open, by a tool, a command and an editor', async () => {
    await using workspace = tempWorkspace(files);
    const runtime = await runtimeIn(workspace);
    const isBroken = async (): Promise<boolean> => (await diagnose(runtime, 'a.ts')).diagnostics.length > 0;
    expect(await isBroken()).toBe(false);
    await runtime.call('edit', { path: 'b.ts', old_string: 'name: number', new_string: 'name: string' });
    expect(await isBroken()).toBe(true);
    await runtime.call('bash', { command: "sed -i 's/name: string/name: number/' b.ts" });
    expect(await isBroken()).toBe(false);
    writeFileSync(join(workspace.root, 'b.ts'), 'export function greet(): void {}\n');
    expect(await isBroken()).toBe(true);
    writeFileSync(join(workspace.root, 'b.ts'), files['b.ts']!);
    expect(await isBroken()).toBe(false);
  });

  it('says what an edit brought and what it took away', async () => {
    await using workspace = tempWorkspace({
      ...files,
      'c.ts': 'export const a: string = 1;\nexport const b = 2;\n',
    });
    const runtime = await runtimeIn(workspace);
    await diagnose(runtime, 'c.ts');
    await runtime.call('edit', {
      path: 'c.ts',
      old_string: 'const b = 2',
      new_string: 'const b: boolean = 2',
    });
    const brought = await runtime.call('lsp_diagnostics', { path: 'c.ts', only_new: true });
    expect(brought.reply).toMatchObject({
      count: 1,
      fixed: 0,
      diagnostics: [{ message: "Type 'number' is not assignable to type 'boolean'." }],
    });
    await runtime.call('edit', { path: 'c.ts', old_string: 'a: string', new_string: '\n\na' });
    const took = await runtime.call('lsp_diagnostics', { path: 'c.ts', only_new: true });
    expect(took.reply).toMatchObject({ count: 0, fixed: 1, diagnostics: [] });
  });

  it('renames by a patch that our own tool applies', async () => {
    await using workspace = tempWorkspace(files);
    const runtime = await runtimeIn(workspace);
    const place = { path: 'b.ts', line: 1, character: 18 };
    const { reply } = await runtime.call('lsp_rename', { ...place, new_name: 'welcome' });
    expect(reply).toMatchObject({ ok: true, files: expect.arrayContaining(['a.ts', 'b.ts']) as string[] });
    const { patch } = reply as { patch: string };
    expect(await runtime.call('patch', { patch })).toMatchObject({ outcome: 'ok' });
    expect((await diagnose(runtime, 'a.ts')).diagnostics).toEqual([]);
    const references = await runtime.call('lsp_references', place);
    expect(references.reply).toMatchObject({ ok: true });
    expect((references.reply as { locations: unknown[] }).locations).toHaveLength(3);
  });

  it('knows the symbols of a file and of all files', async () => {
    await using workspace = tempWorkspace(files);
    const runtime = await runtimeIn(workspace);
    const inFile = await runtime.call('lsp_symbols', { path: 'a.ts' });
    expect(inFile.reply).toMatchObject({
      ok: true,
      symbols: expect.arrayContaining([
        expect.objectContaining({ name: 'told', path: 'a.ts', line: 3 }) as unknown,
      ]) as unknown,
    });
    const everywhere = await runtime.call('lsp_find_symbol', { path: 'a.ts', query: 'greet' });
    expect(everywhere.reply).toMatchObject({
      symbols: [{ name: 'greet', kind: 'function', path: 'b.ts', line: 1 }],
    });
  });
});

describe.skipIf(whyNoPrograms('pyright-langserver') !== undefined)('a server from the settings', () => {
  const { files, file, right, wrong, use, definedIn } = CASES[1]!;

  it('is used in place of the usual one', async () => {
    await using workspace = tempWorkspace(files);
    const servers = { py: { command: ['pyright-langserver', '--stdio'] } };
    mkdirSync(workspace.locations.config, { recursive: true });
    writeFileSync(
      join(workspace.locations.config, 'config.jsonc'),
      JSON.stringify({ languages: { servers } }),
    );
    const runtime = await workspace.runtime({
      mode: 'auto',
      readConfig: true,
      environment: { PATH: LANGUAGE_PATH },
    });
    const message = /"unheard_of" is not defined/;
    for (let round = 0; round < 5; round++) {
      await runtime.call('edit', { path: file, old_string: right, new_string: wrong });
      expect(await planted(runtime, file, message)).toHaveLength(1);
      await runtime.call('edit', { path: file, old_string: wrong, new_string: right });
      expect(await planted(runtime, file, message)).toEqual([]);
    }
    const { reply } = await runtime.call('lsp_definition', { path: file, ...use });
    expect(reply).toMatchObject({ ok: true, location: { path: definedIn } });
  });
});
