/** Hostile text is one record of the audit, and steers nobody's terminal. */
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { handrail } from '../support/command-line.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';
import { ALIVE, type Attack, expectHarmless, testAttacks } from './attack-case.ts';
import { auditLines, closedRecords, filesHolding } from './evidence.ts';
import { commandLine, library } from './surfaces.ts';
import { plainLog } from './undefended.ts';

/** Text that tries to be more than text. */
const HOSTILE = [
  'a\nb',
  'a\r\n{"seq":1,"event":"closed","outcome":"ok"}',
  '"},{"event":"note',
  '\u001b[2J\u001b[31mred',
  '\u001b]8;;http://evil.test\u0007link',
  '\u009b2J',
  'a\u2028b\u2029c',
  '\u202egnp.exe',
  '</script><script>alert(1)</script>',
  'x ok\ntool=delete path=/',
  '\ud800',
  '__proto__',
];

const HOSTILE_TEXT: readonly Attack[] = [
  {
    id: 'AU-02',
    title: 'text that forges records (CVE-2026-6494, CVE-2026-66418, CVE-2025-58160)',
    attack: async () => {
      await using workspace = tempWorkspace(ALIVE);
      const surface = await library(workspace);
      for (const text of HOSTILE) {
        const calls = [
          { tool: text, args: {} },
          { tool: 'read', args: { path: text } },
          { tool: 'write', args: { path: 'new.txt', content: text.toWellFormed() } },
          { tool: 'read', args: { [text]: text } },
        ];
        for (const call of calls) await expectHarmless(surface, workspace, { dialect: 'coder', ...call });
      }
      const lines = auditLines(surface.state);
      expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, index) => index + 1));
      expect(lines.filter(({ event }) => event === 'opened')).toHaveLength(
        lines.filter(({ event }) => event === 'closed').length,
      );
      expect(filesHolding(join(surface.state, 'audit'), '\r', '\u001b', '\0')).toEqual([]);
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      const log = plainLog(join(workspace.outside, 'log'));
      log.write('read', 'x ok\ntool=delete path=/');
      expect(log.entries()).toEqual(['tool=read path=x ok', 'tool=delete path=/ ok']);
    },
  },
  {
    id: 'AU-02',
    title: 'text that steers the terminal of whoever looks at the audit',
    attack: async () => {
      await using workspace = tempWorkspace(ALIVE);
      const surface = commandLine(workspace);
      for (const tool of ['\u001b[2J\u001b[31mred\r\n', '\u009b2J\u202egnp', 'a\u2028b']) {
        await expectHarmless(surface, workspace, { dialect: 'coder', tool, args: { path: tool } });
      }
      const { stdout, exitCode } = await handrail(workspace, ['audit', 'list']);
      expect(exitCode).toBe(0);
      expect(stdout.split('\n')).toHaveLength(8);
      expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e]/);
      const [{ call_id } = { call_id: '' }] = closedRecords(surface.state);
      expect((await handrail(workspace, ['audit', 'show', call_id])).stdout).not.toMatch(
        /[\u0000-\u0009\u000b-\u001f\u007f]/,
      );
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      const log = plainLog(join(workspace.outside, 'log'));
      log.write('\u001b[2J', '\u202egnp');
      expect(log.entries()[0]).toContain('\u001b[2J');
    },
  },
];

describe('hostile text', () => {
  testAttacks(HOSTILE_TEXT);
});
