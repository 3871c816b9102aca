/** The examples of the API, as a reader would start them, against `handrail serve`. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { environmentOf } from '../support/command-line.ts';
import { whyNoPrograms } from '../support/language-programs.ts';
import { serve, type Serving } from '../support/serve.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';

const EXAMPLES = join(import.meta.dirname, '../../examples/http');

const workspace = tempWorkspace({ 'a.txt': 'old\n' });
let server: Serving;
beforeAll(async () => {
  server = await serve(workspace);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await workspace[Symbol.asyncDispose]();
});

/** What an example says, line by line. */
async function run(program: string, file: string): Promise<string[]> {
  const env = {
    ...environmentOf(workspace),
    HANDRAIL_URL: server.url.origin,
    HANDRAIL_TOKEN: server.token,
    HANDRAIL_APPROVAL_KEY: server.url.hash.replace('#approve=', ''),
  };
  const { stdout } = await promisify(execFile)(program, [join(EXAMPLES, file)], { env, timeout: 50_000 });
  return stdout.trimEnd().split('\n');
}

describe.each([
  { file: 'tour.ts', program: process.execPath, needs: [] },
  { file: 'tour.py', program: 'python3', needs: ['python3'] },
  { file: 'tour.sh', program: 'sh', needs: ['curl'] },
])('examples/http/$file', ({ file, program, needs }) => {
  it.skipIf(whyNoPrograms(...needs) !== undefined)('goes from the tools to undo', async () => {
    const [tools, ...said] = await run(program, file);
    expect(tools).toMatch(/ read write .* bash /);
    const events = said.filter((line) => line.startsWith('event: '));
    expect(said.filter((line) => !line.startsWith('event: '))).toEqual([
      'list: ok',
      expect.stringMatching(/^write asks: .* needs an approval/) as string,
      'write: ok',
      'undo: remove hello.txt',
    ]);
    expect(events).toEqual(expect.arrayContaining(['event: call-started', 'event: approval-requested']));
    expect(existsSync(join(workspace.root, 'hello.txt'))).toBe(false);
  });
});

describe('examples/http/session.ts', () => {
  it('makes calls, and waits for the answer of a person', async () => {
    expect(await run(process.execPath, 'session.ts')).toEqual([
      'state: open',
      'list_files: ok',
      'write_file asks',
      'write_file: ok',
      'state: closed',
    ]);
  });
});

describe('examples/http/session.py', () => {
  it.skipIf(whyNoPrograms('python3') !== undefined)('makes a call', async () => {
    expect(await run('python3', 'session.py')).toEqual(['list_files: ok']);
  });
});
