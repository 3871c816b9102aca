/** Servers that break the rules, each a real process: whoever asked is told why, and the rest goes on. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { languagesIn, oddServer, type TestLanguages } from '../../../support/languages.ts';
import { type TempWorkspace, tempWorkspace } from '../../../support/temp-workspace.ts';

const QUICK = {
  startMs: 20_000,
  firstAnswerMs: 20_000,
  answerMs: 3_000,
  listenMs: 1_000,
  firstPauseMs: 60_000,
};
const IMPATIENT = { ...QUICK, firstAnswerMs: 300, answerMs: 300 };

function withOdd(workspace: TempWorkspace, words: readonly string[], limits = QUICK): TestLanguages {
  return languagesIn(workspace, { settings: oddServer(workspace, ...words), limits });
}

async function messagesOf(languages: TestLanguages, path = 'a.odd'): Promise<string[] | string> {
  const answer = await languages.diagnostics(languages.about(path));
  return answer.status === 'active' ? answer.value.diagnostics.map(({ message }) => message) : answer.says;
}

describe('a language server', () => {
  it.each([
    ['crashes', /^It does not answer, because it ended\.$/],
    ['ends-at-once', /because it ended\. It wrote: no licence$/],
    ['floods', /because it sent more than anyone could read\.$/],
    ['huge-message', /because it sent a message of 99999999999 bytes\.$/],
    ['speaks-prose', /because it wrote something that is no message\.$/],
    ['nonsense-at-start', /^It answered initialize with something that the protocol does not know\.$/],
    ['counts-bytes', /^It counts characters in "utf-8", which was not offered\.$/],
  ])('that %s is an error in words', async (word, says) => {
    await using workspace = tempWorkspace({ 'a.odd': 'wrong' });
    await using languages = withOdd(workspace, [word], QUICK);
    const answer = await languages.diagnostics(languages.about('a.odd'));
    expect(answer).toEqual({
      status: 'error',
      language: 'odd',
      server: expect.any(String) as string,
      says: expect.stringMatching(says) as string,
    });
    // Another language is not concerned.
    workspace.write('b.other', '');
    expect(await languages.hover(languages.at('b.other', 0, 0))).toMatchObject({ status: 'unsupported' });
  });

  it.each(['hangs', 'silent', 'other-version'])('that %s is given up after a while', async (word) => {
    await using workspace = tempWorkspace({ 'a.odd': 'wrong' });
    await using languages = withOdd(workspace, [word], IMPATIENT);
    expect(await languages.diagnostics(languages.about('a.odd'))).toMatchObject({
      status: 'error',
      says: 'It reported nothing within 0.3 seconds.',
      timedOut: true,
    });
  });

  it('that hangs at the start is given up after a while', async () => {
    await using workspace = tempWorkspace({ 'a.odd': 'wrong' });
    await using languages = withOdd(workspace, ['hangs-at-start'], { ...QUICK, startMs: 1_000 });
    expect(await messagesOf(languages)).toBe('It did not answer within 1 seconds.');
  });

  it('that answers nonsense is an error, and goes on', async () => {
    await using workspace = tempWorkspace({ 'a.odd': 'wrong' });
    await using languages = withOdd(workspace, ['nonsense', 'pulls']);
    expect(await messagesOf(languages)).toMatch(/^It answered textDocument\/diagnostic with something/);
    expect(await languages.hover(languages.at('a.odd', 0, 0))).toMatchObject({ status: 'error' });
    expect(await languages.definition(languages.at('a.odd', 0, 0))).toMatchObject({ status: 'active' });
  });

  it('that never answers one question answers the next', async () => {
    await using workspace = tempWorkspace({ 'a.odd': 'wrong' });
    await using languages = withOdd(workspace, ['never-answers'], IMPATIENT);
    expect(await languages.hover(languages.at('a.odd', 0, 0))).toMatchObject({ timedOut: true });
    expect(await messagesOf(languages)).toEqual(['This is wrong.']);
  });

  it('that never reports answers questions all the same', async () => {
    await using workspace = tempWorkspace({ 'a.odd': 'one' });
    await using languages = withOdd(workspace, ['silent'], IMPATIENT);
    for (const text of ['two', 'three', 'four']) {
      workspace.write('a.odd', text);
      const hover = await languages.hover(languages.at('a.odd', 0, 0));
      expect(hover).toMatchObject({ value: { contents: `\`\`\`odd\n${text}\n\`\`\`\n\ntext` } });
    }
  });

  it('that does not offer something is said not to', async () => {
    await using workspace = tempWorkspace({ 'a.odd': 'wrong' });
    await using languages = withOdd(workspace, ['few-talents']);
    expect(await languages.definition(languages.at('a.odd', 0, 0))).toMatchObject({
      status: 'unsupported',
      says: 'It does not offer this (definition).',
    });
  });

  it('that does not read is stopped before what is sent fills the memory', async () => {
    await using workspace = tempWorkspace({ 'a.odd': 'wrong' });
    await using languages = withOdd(workspace, ['stops-reading', 'pulls'], IMPATIENT);
    for (let round = 0; round < 30; round++) {
      workspace.write('a.odd', `${round % 10}`.repeat(4_000_000));
      const says = String(await messagesOf(languages));
      if (/because it (?:hung|does not read)/.test(says)) return;
    }
    expect.unreachable('It was sent more and more.');
  });

  it('names places outside the workspace as such', async () => {
    await using workspace = tempWorkspace({ 'a.odd': '' });
    const uri = pathToFileURL(join(workspace.outside, 's.txt')).href;
    await using languages = withOdd(workspace, [`defined-in=${uri}`]);
    const answer = await languages.definition(languages.at('a.odd', 0, 0));
    expect(answer).toMatchObject({ status: 'active', value: [{ uri, path: undefined }] });
  });

  it('is cancelled with the call', async () => {
    await using workspace = tempWorkspace({ 'a.odd': 'wrong' });
    await using languages = withOdd(workspace, ['never-answers', 'pulls']);
    const stop = new AbortController();
    expect(await messagesOf(languages)).toEqual(['This is wrong.']);
    const hover = languages.hover({ ...languages.at('a.odd', 0, 0), signal: stop.signal });
    stop.abort();
    await expect(hover).rejects.toMatchObject({ code: 'E_CANCELLED' });
  });

  it('changes nothing in the workspace, and reaches no network', async () => {
    await using workspace = tempWorkspace({ 'a.odd': 'wrong', note: '' });
    await using languages = withOdd(workspace, [`note-start=${join(workspace.root, 'note')}`]);
    // What it tried to write ended it.
    expect(await messagesOf(languages)).toMatch(/because it ended/);
    expect(readFileSync(join(workspace.root, 'note'), 'utf8')).toBe('');
    expect(existsSync(join(workspace.root, '.git'))).toBe(false);
  });
});

describe('diagnostics', () => {
  it.each([
    ['pulled', ['pulls']],
    ['pulled from who changes its mind', ['pulls', 'changes-its-mind']],
    ['published with a version', []],
    ['published without a version', ['unversioned']],
    ['published late, after stale ones', ['late-and-stale']],
  ])('%s are those of the file as it is', async (_title, words) => {
    await using workspace = tempWorkspace({ 'a.odd': 'wrong', 'b.odd': 'wrong' });
    await using languages = withOdd(workspace, words);
    for (let round = 0; round < 20; round++) {
      workspace.write('a.odd', `wrong `.repeat(round % 3).padEnd(20 + (round % 2)));
      // Who asks at the same time gets the same answer.
      const [one, other] = await Promise.all([messagesOf(languages), messagesOf(languages, 'b.odd')]);
      expect([one.length, other.length]).toEqual([round % 3, 1]);
    }
  });

  it('say what was there before the last change', async () => {
    await using workspace = tempWorkspace({ 'a.odd': 'wrong' });
    await using languages = withOdd(workspace, []);
    const report = async () => {
      const answer = await languages.diagnostics(languages.about('a.odd'));
      return answer.status === 'active' && [answer.value.before?.length, answer.value.diagnostics.length];
    };
    expect(await report()).toEqual([undefined, 1]);
    workspace.write('a.odd', 'wrong wrong');
    expect(await report()).toEqual([1, 2]);
    expect(await report()).toEqual([1, 2]);
    workspace.write('a.odd', '');
    expect(await report()).toEqual([2, 0]);
  });
});
