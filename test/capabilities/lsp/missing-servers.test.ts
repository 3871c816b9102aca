/** Where a server is missing: told at once, with what to do; and what linters can do instead. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { languageProgram, whyNoPrograms } from '../../support/language-programs.ts';
import { type TempWorkspace, tempWorkspace } from '../../support/temp-workspace.ts';

/** A search path with nothing but the given programs: without a sandbox, unless it is among them. */
function pathWith(workspace: TempWorkspace, ...names: readonly string[]): string {
  const folder = join(workspace.outside, 'bin');
  mkdirSync(folder);
  for (const name of names) {
    const program = languageProgram(name);
    if (program !== undefined) symlinkSync(program, join(folder, name));
  }
  return folder;
}

const FILES = { 'a.sh': 'echo $1\n', 'a.py': 'import os\nx\n', 'a.rb': 'x', 'a.txt': 'x' };

describe('a missing language server', () => {
  it.each([
    ['a.sh', 'sh', 'bash-language-server', /^npm install --global bash-language-server$/],
    ['a.py', 'py', 'pylsp', /^(apt-get install python3-pylsp|pipx install)/],
    ['a.rb', 'ruby', 'ruby-lsp', /^gem install ruby-lsp$/],
  ])('is told for %s with the command that installs it', async (path, language, server, install) => {
    await using workspace = tempWorkspace(FILES);
    const runtime = await workspace.runtime({ dialect: 'coder', environment: { PATH: pathWith(workspace) } });
    const told = (fallback: string) => ({
      ok: false,
      server_status: 'not_installed',
      error: `The language server ${server} for ${language} is not installed.`,
      install_hint: expect.stringMatching(install) as string,
      fallback,
    });
    const place = { path, line: 0, character: 0 };
    const diagnostics = await runtime.call('lsp_diagnostics', { path });
    expect(diagnostics).toMatchObject({ outcome: 'failed', result: { error: { code: 'E_UNSUPPORTED' } } });
    expect(diagnostics.reply).toEqual({
      ...told('Look for likely problems with grep, or run the checks of the project with bash.'),
      diagnostics: [],
      count: 0,
    });
    expect((await runtime.call('lsp_definition', place)).reply).toEqual({
      ...told('Search for the name with grep.'),
      location: null,
    });
    expect((await runtime.call('lsp_hover', place)).reply).toEqual({
      ...told('Read the source instead.'),
      contents: '',
      content_kind: 'plaintext',
    });
  });

  it('needs no question', async () => {
    await using workspace = tempWorkspace(FILES);
    const runtime = await workspace.runtime({ environment: { PATH: pathWith(workspace) } });
    for (const dialect of ['coder', 'handrail', 'clude']) {
      const session = await runtime.openSession({ dialect });
      const [tool, args] =
        dialect === 'clude' ? ['read_lints', { paths: ['a.sh'] }] : ['lsp_diagnostics', { path: 'a.sh' }];
      const { decision } = await runtime.approvalRequest(tool, args, { session });
      expect([dialect, decision.action]).toEqual([dialect, 'allow']);
    }
  });
});

const missing = whyNoPrograms('shellcheck', 'pyflakes3', 'bash-language-server');

describe.skipIf(missing !== undefined)('read_lints', () => {
  it('asks a linter where there is no server, and says so where there is neither', async () => {
    await using workspace = tempWorkspace(FILES);
    const PATH = pathWith(workspace, 'bwrap', 'shellcheck', 'pyflakes3');
    const runtime = await workspace.runtime({ dialect: 'clude', environment: { PATH } });
    const { result } = await runtime.call('read_lints', { paths: Object.keys(FILES) });
    const { files } = (await runtime.call('read_lints', { paths: Object.keys(FILES) })).rendered as {
      files: unknown[];
    };
    expect(result).toMatchObject({ ok: true, error: null });
    expect(files).toEqual([
      {
        path: 'a.sh',
        source: 'shellcheck',
        lints: [
          expect.objectContaining({ line: 1, code: 'SC2148', severity: 'error' }) as unknown,
          expect.objectContaining({ line: 1, column: 6, code: 'SC2086', severity: 'information' }) as unknown,
        ],
      },
      {
        path: 'a.py',
        source: 'pyflakes3',
        lints: [
          { line: 1, column: 1, severity: 'warning', message: "'os' imported but unused" },
          { line: 2, column: 1, severity: 'warning', message: "undefined name 'x'" },
        ],
      },
      {
        path: 'a.rb',
        source: null,
        lints: [],
        note: 'The language server ruby-lsp for ruby is not installed. No linter is known for such a file. Install it: gem install ruby-lsp',
      },
      {
        path: 'a.txt',
        source: null,
        lints: [],
        note: 'No language server is known for files like "a.txt". No linter is known for such a file.',
      },
    ]);
  });

  it('asks the server where there is one', async () => {
    await using workspace = tempWorkspace({ 'a.sh': '#!/bin/sh\necho $1\n' });
    const PATH = [pathWith(workspace, 'bwrap', 'bash-language-server', 'shellcheck'), '/usr/bin'].join(
      delimiter,
    );
    const runtime = await workspace.runtime({ dialect: 'clude', environment: { PATH } });
    expect((await runtime.call('read_lints', { paths: ['a.sh'] })).rendered).toMatchObject({
      files: [{ source: 'bash-language-server', lints: [{ line: 2, code: 'SC2086' }] }],
      total: 1,
    });
  });

  it('tells that shellcheck is missing, though the server is there', async () => {
    await using workspace = tempWorkspace({ 'a.sh': '#!/bin/sh\nif true; then\n' });
    const PATH = pathWith(workspace, 'node', 'bash-language-server');
    const runtime = await workspace.runtime({ environment: { PATH } });
    expect((await runtime.call('lsp_diagnostics', { path: 'a.sh' })).reply).toMatchObject({
      ok: true,
      note: expect.stringMatching(/^shellcheck is not installed/) as string,
    });
  });
});
