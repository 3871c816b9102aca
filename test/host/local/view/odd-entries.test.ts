/** Names, modes and kinds of entries that are rare, in a view and taken over, beside the same without a view. */
import { describe, expect, it } from 'vitest';
import { whyNotAs } from '../sandbox/fixtures/commands-in-a-child.ts';
import { runCaptured, type CapturedCase } from './fixtures/captured-in-a-child.ts';

interface Case extends CapturedCase {
  readonly gaps?: readonly string[];
  readonly notes?: readonly string[];
  /** Lines of the tree that are different, for what a view can't do. */
  readonly without?: RegExp;
}

const SQLITE = `python3 -c "
import sqlite3, os
base = sqlite3.connect('db')
base.execute('pragma journal_mode=wal')
base.execute('create table if not exists t(n)')
base.executemany('insert into t values (?)', [(n,) for n in range(50)])
base.commit()
os._exit(0)"`;

const CASES: Readonly<Record<string, Case>> = {
  'odd names': {
    before:
      "mkdir 'd,e:f'; echo 1 > 'd,e:f/a\nb'; echo 2 > 'back\\slash'; echo 3 > ' '; echo 4 > \"q'\\\"\"; echo 5 > -r",
    line: "echo >> 'd,e:f/a\nb'; rm 'back\\slash' ' ' ./-r; echo > '-n'; mkdir 'é\t,:\\'; echo > 'é\t,:\\/*'; echo >> \"q'\\\"\"",
  },
  'names that are not UTF-8, which are left out': {
    before: 'mkdir d e; echo 1 > "$(printf \'d/caf\\351\')"; echo 2 > d/2; echo 3 > e/3',
    line: 'echo > "$(printf \'e/n\\351\')"; echo >> e/3; rm d/2',
    gaps: ['"e/n\ufffd" was left out: its name is not UTF-8.'],
    without: / e\/n\u00e9$/,
  },
  'a folder with such a name, which stays': {
    before:
      'mkdir -p d/e; echo 1 > "$(printf \'d/e/caf\\351\')"; echo 2 > d/2; mkdir f; echo > "$(printf \'f/\\351\')"',
    line: 'rm -r d; rm -r f; echo > f',
    gaps: [
      '"d/e/caf\ufffd" stays, with the folders it is in: its name is not UTF-8.',
      '"f/\ufffd" stays, with the folders it is in: its name is not UTF-8.',
      '"f" was left out: the folder that it was stays.',
    ],
    without: / (?:d|d\/e|d\/e\/caf\u00e9|f|f\/\u00e9)$/,
  },
  'hard links that it makes': {
    before: 'echo a > a',
    line: 'ln a b; echo >> a; mkdir d; echo > d/1; ln d/1 d/2',
  },
  'a hard link that was there, of which the other name stays': {
    before: 'echo a > a; ln a b; echo c > c; ln c d',
    line: 'echo >> a; rm c',
    notes: ['Other names of the same files (hard links) keep what they hold; changed were "a".'],
    without: / [b]$/,
  },
  'files and folders that nobody may enter': {
    before: 'mkdir -p d/e; echo 1 > d/e/1; echo f > f',
    line: 'echo n > n; chmod 000 n f; mkdir g; echo 1 > g/1; chmod 000 g; chmod 000 d',
  },
  'folders that may not be written': {
    before: 'mkdir -p d/e f; echo 1 > d/1; echo 2 > d/e/2; echo 3 > f/3; chmod 555 d d/e f',
    line: 'chmod 755 d; echo more >> d/1; echo new > d/n; chmod 555 d; chmod -R u+w f; rm -r f; mkdir g; echo > g/1; chmod 444 g',
  },
  'bits of modes that folders have': {
    before: 'mkdir d e',
    line: 'chmod g+s d; chmod +t e; mkdir -m 2770 f',
  },
  'power over others, which nothing gets': {
    before: 'echo a > a; chmod 755 a; echo b > b; chmod 4755 b',
    line: 'chmod 4755 a; cp a c; chmod 6755 c; chmod 4711 b',
    gaps: [
      '"a" is kept without the bits 4000 of its mode.',
      '"c" is kept without the bits 6000 of its mode.',
    ],
    without: / (?:a|c)$/,
  },
  'pipes and sockets, which are left out': {
    before: 'mkfifo p; mkdir d; mkfifo d/p; echo > f',
    line: 'mkfifo q; rm -r d; rm f; mkfifo f; chmod 600 p',
    gaps: [
      '"f" was left out: it is a pipe, a socket or a device.',
      '"p" was left out: it is a pipe, a socket or a device.',
      '"q" was left out: it is a pipe, a socket or a device.',
      'What "d/p" was before can\'t be kept: it is no file, or may not be read.',
    ],
    without: / (?:f|p|q)$/,
  },
  'a deep tree': {
    before: `mkdir -p ${'d/'.repeat(400)}; echo > ${'d/'.repeat(400)}f`,
    line: `echo > ${'d/'.repeat(400)}g; rm ${'d/'.repeat(400)}f; mkdir -p ${'e/'.repeat(400)}`,
  },
  'a database with its log': {
    before: SQLITE,
    line: `${SQLITE}; sqlite3 db 'select 1' >/dev/null 2>&1; rm -f db-shm`,
    without: / db/,
  },
  'what is hidden and frozen, which stays': {
    before:
      'mkdir -p d/e c .git/hooks; echo s > secret; echo s > d/secret; echo s > d/e/s; echo c > c/c; echo x > d/x; echo c > .git/config',
    line: 'rm -rf secret d c .git 2>/dev/null; mv d n 2>/dev/null; echo > c/c 2>/dev/null; chmod 777 secret c d 2>/dev/null; echo y > y',
    request: { confinement: { hidden: ['secret', 'd/secret', 'd/e'], frozen: ['c'] } },
  },
};

describe.each(['root', 'nobody'] as const)('commands in a view, as %s', (user) => {
  const whyNot = whyNotAs(user);
  const runs = whyNot === undefined ? runCaptured(user, Object.values(CASES)) : Promise.resolve([]);

  it.skipIf(whyNot !== undefined).each(Object.entries(CASES))(
    'change %s',
    async (name, { gaps = [], notes = [], without = /^$/ }) => {
      const run = (await runs)[Object.keys(CASES).indexOf(name)]!;
      expect(run).toMatchObject({ isUntouched: true, conflicts: [], notes });
      expect(run.gaps.toSorted()).toEqual(gaps.toSorted());
      const comparable = (tree: readonly string[]): string[] => tree.filter((entry) => !without.test(entry));
      expect(comparable(run.after)).toEqual(comparable(run.direct));
    },
  );

  it.skipIf(whyNot !== undefined)('work in a workspace with an odd name', async () => {
    const [run] = await runCaptured(
      user,
      [{ before: 'echo a > a', line: 'echo b >> a; pwd' }],
      'w s,a:b\\c\'"d',
    );
    expect(run).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('/w s,a:b\\c\'"d\n') as string,
    });
    expect(run!.after).toEqual(run!.direct);
  });
});
