/** Commands in a view of the workspace, taken over, beside the same commands without one. */
import { describe, expect, it } from 'vitest';
import { whyNotAs } from '../sandbox/fixtures/commands-in-a-child.ts';
import { runCaptured, type CapturedCase } from './fixtures/captured-in-a-child.ts';

interface Case extends CapturedCase {
  readonly changed: readonly string[];
}

const CASES: Readonly<Record<string, Case>> = {
  nothing: { before: 'echo a > a', line: 'cat a; touch a', changed: [] },
  'a file that is made, changed and removed': {
    before: 'echo a > a; echo b > b; echo c > c',
    line: 'echo more >> a; rm b; echo d > d; chmod +x c',
    changed: ['a: file to file', 'b: file to missing', 'c: file to file', 'd: missing to file'],
  },
  'folders that are made and removed': {
    before: 'mkdir -p d/e f; echo 1 > d/e/1; echo 2 > d/2; echo 3 > f/3',
    line: 'rm -r d; mkdir -p g/h/i; echo 4 > g/h/i/4; mkdir f/empty',
    changed: [
      'd: directory to missing',
      'd/2: file to missing',
      'd/e: directory to missing',
      'd/e/1: file to missing',
      'f/empty: missing to directory',
      'g: missing to directory',
      'g/h: missing to directory',
      'g/h/i: missing to directory',
      'g/h/i/4: missing to file',
    ],
  },
  'a folder that is made anew': {
    before: 'mkdir d; echo 1 > d/1; echo 2 > d/2',
    line: 'rm -r d; mkdir d; echo two > d/2; echo 3 > d/3',
    changed: ['d/1: file to missing', 'd/2: file to file', 'd/3: missing to file'],
  },
  links: {
    before: 'ln -s /etc/passwd out; ln -s nowhere dangling; ln -s a kept; echo a > a',
    line: 'ln -sfn /etc/hosts out; rm dangling; ln -s ../.. up; echo b >> kept',
    changed: ['a: file to file', 'dangling: link to missing', 'out: link to link', 'up: missing to link'],
  },
  'a folder that becomes a file, and the other way round': {
    before: 'mkdir -p d/e; echo 1 > d/e/1; echo f > f; ln -s d l; mkdir m; echo m > m/m',
    line: 'rm -r d; echo d > d; rm f; mkdir f; echo 1 > f/1; rm l; mkdir l; rm -r m; ln -s f m',
    changed: [
      'd: directory to file',
      'd/e: directory to missing',
      'd/e/1: file to missing',
      'f: file to directory',
      'f/1: missing to file',
      'l: link to directory',
      'm: directory to link',
      'm/m: file to missing',
    ],
  },
};

describe.each(['root', 'nobody'] as const)('commands in a view, as %s', (user) => {
  const whyNot = whyNotAs(user);
  const runs = whyNot === undefined ? runCaptured(user, Object.values(CASES)) : Promise.resolve([]);

  it.skipIf(whyNot !== undefined).each(Object.entries(CASES))('change %s', async (name, { changed }) => {
    const run = (await runs)[Object.keys(CASES).indexOf(name)]!;
    expect(run).toMatchObject({ exitCode: 0, stderr: '', isUntouched: true, gaps: [], conflicts: [] });
    expect(run.changed.toSorted()).toEqual(changed.toSorted());
    expect(run.after).toEqual(run.direct);
  });
});
