/** What is approved was shown: all of it, as it is, in a question that keeps its shape whatever it holds. */
import { describe, expect } from 'vitest';
import { describeRequest } from '../../src/policy/describe-request.ts';
import type { ApprovalRequest } from '../../src/index.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { type Attack, testAttacks } from './attack-case.ts';

/** A question as it comes, cut to what fits a dialog. */
function dialog(tool: string, body: string): string {
  return `${tool}\n${body.slice(0, 500)}\n[y/n]`;
}

/** The question about a write, as the terminal shows it. */
async function shownFor(workspace: TempWorkspace, content: string): Promise<string> {
  const runtime = await workspace.runtime();
  const { request } = await runtime.approvalRequest('write', { path: 'a.txt', content });
  return describeRequest(request!);
}

const HIDING = [
  '\u200b',
  '\u2060',
  '\u202e',
  '\u2066',
  '\u2067',
  '\u2068',
  '\u2069',
  '\u200f',
  '\u00ad',
  '\ufeff',
];

/** Clears, moves, links, copies to the clipboard, overwrites; also without an end. */
const STEERING = [
  '\u001b[2J',
  '\u001b[1A',
  '\u001b]8;;http://x\u001b\\',
  '\u001b]52;c;eA==\u0007',
  '\u009b31m',
  '\u001b[',
  '\r',
  '\b\b',
  '\u0000',
  '\u2028',
];

const REQUEST: ApprovalRequest = {
  id: 'apr_1',
  hash: '',
  callId: 'call_1',
  session: 'ses_1',
  dialect: 'handrail',
  tool: 'write',
  version: '1.0.0',
  operation: 'fs.write',
  args: {},
  accesses: [{ permission: 'fs.write', resource: 'a.txt', resolved: 'b.txt' }],
  reason: 'why',
  rule: 'user#1',
  scope: 'workspace',
  alwaysRule: { action: 'allow', permission: 'fs.write' },
  preview: { kind: 'diff', text: '+one\n+two\n' },
};

/** How many parts show it as escapes: tool, reason, rule, the two paths of an access, the diff; the rule to write is JSON. */
const PARTS = 6;

/** The same request with a trick in every part that comes from outside. */
function tricked(trick: string): ApprovalRequest {
  const put = (text: string): string => `${text}${trick}`;
  return {
    ...REQUEST,
    tool: put('write'),
    reason: put('why'),
    rule: put('user#1'),
    accesses: [{ permission: 'fs.write', resource: put('a.txt'), resolved: put('b.txt') }],
    alwaysRule: { action: 'allow', permission: 'fs.write', path: put('/a.txt') },
    preview: { kind: 'diff', text: `+one${trick}\n+two\n` },
  };
}

/** Every part shows the trick as escapes, and the question keeps its lines. */
async function expectEscaped(tricks: readonly string[]): Promise<void> {
  const lines = describeRequest(REQUEST).split('\n').length;
  for (const trick of tricks) {
    const shown = describeRequest(tricked(trick));
    expect({ trick, isSent: shown.includes(trick), lines: shown.split('\n').length }).toEqual({
      trick,
      isSent: false,
      lines,
    });
    expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    expect(shown.match(/\\u[0-9a-f]{4}/g)?.length).toBeGreaterThanOrEqual(PARTS);
  }
}

async function expectSentAsTheyAre(tricks: readonly string[]): Promise<void> {
  for (const trick of tricks) expect(dialog('write', `+one${trick}`)).toContain(trick);
}

const ATTACKS: readonly Attack[] = [
  {
    id: 'AP-03',
    title: 'a dangerous tail behind ten thousand characters, or three thousand lines',
    attack: async () => {
      await using workspace = tempWorkspace();
      for (const filler of ['x'.repeat(10_000), 'x\n'.repeat(3_000)]) {
        const shown = await shownFor(workspace, `${filler}DANGER\n`);
        expect(shown).toContain('DANGER');
        expect(shown.split('x').length - 1).toBeGreaterThanOrEqual(filler.split('x').length - 1);
      }
    },
    bites: async () => {
      expect(dialog('write', `${'x'.repeat(10_000)}DANGER`)).not.toContain('DANGER');
    },
  },
  {
    id: 'AP-03',
    title: 'a command whose dangerous end stands behind ten thousand characters (CVE-2026-53829)',
    attack: async () => {
      await using workspace = tempWorkspace();
      const runtime = await workspace.runtime();
      for (const filler of ['x'.repeat(10_000), 'x; '.repeat(10_000), '\nx'.repeat(3_000)]) {
        const command = `echo ${filler}; touch DANGER`;
        const { request } = await runtime.approvalRequest('bash', { command });
        const shown = describeRequest(request!);
        expect(shown).toContain('touch DANGER');
        expect(shown.split('x').length).toBeGreaterThanOrEqual(command.split('x').length);
      }
    },
    bites: async () => {
      expect(dialog('bash', `echo ${'x'.repeat(10_000)}; touch DANGER`)).not.toContain('DANGER');
    },
  },
  {
    id: 'AP-03',
    title: 'a patch of 300 files, the last of them dangerous',
    attack: async () => {
      await using workspace = tempWorkspace();
      const runtime = await workspace.runtime({ dialect: 'coder' });
      const names = Array.from({ length: 300 }, (_, index) => `file-${index}.txt`);
      const patch = names
        .map((name) => `--- /dev/null\n+++ b/${name}\n@@ -0,0 +1 @@\n+in ${name}\n`)
        .join('');
      const { request } = await runtime.approvalRequest('patch', { patch });
      const shown = describeRequest(request!);
      expect(names.filter((name) => !shown.includes(`in ${name}`))).toEqual([]);
    },
    bites: async () => {
      expect(dialog('patch', `${'file\n'.repeat(299)}DANGER`)).not.toContain('DANGER');
    },
  },
  {
    id: 'AP-04',
    title: 'characters that hide or reverse others',
    attack: () => expectEscaped(HIDING),
    bites: () => expectSentAsTheyAre(HIDING),
  },
  {
    id: 'AP-05',
    title: 'characters that steer the terminal (CVE-2024-27936)',
    attack: () => expectEscaped(STEERING),
    bites: () => expectSentAsTheyAre(STEERING),
  },
  {
    id: 'AP-06',
    title: 'empty space before or behind the dangerous part',
    attack: async () => {
      await using workspace = tempWorkspace();
      for (const space of ['\n', '\t', ' ', '\r\n', '\u3000'].map((character) => character.repeat(200))) {
        for (const content of [`${space}DANGER\n`, `DANGER${space}\n`]) {
          const lines = (await shownFor(workspace, content)).split('\n');
          expect(lines.filter((line) => line.includes('DANGER'))).toHaveLength(1);
          // The first line is the empty one above the question; no other can be taken for the end of it.
          expect(lines.slice(1).filter((line) => line.trim() === '')).toEqual([]);
        }
      }
    },
    bites: async () => {
      const shown = dialog('write', `a${'\n'.repeat(600)}DANGER`);
      expect(shown.includes('DANGER')).toBe(false);
    },
  },
];

describe('the question', () => {
  testAttacks(ATTACKS);
});
