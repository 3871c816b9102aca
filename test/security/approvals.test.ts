/** A yes is to what was shown, whole and as it is meant: nothing is hidden beside it, and nothing passes for it. */
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { describeRequest } from '../../src/policy/describe-request.ts';
import type { ApprovalAnswer } from '../../src/index.ts';
import { approver } from '../support/approver.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';
import { type Attack, testAttacks, testWaiting } from './attack-case.ts';
import { runUndefended } from './commanding.ts';
import { closedRecords, snapshotOutside } from './evidence.ts';
import { expanding, harmDone, unchecked } from './undefended.ts';

const WRITE = { path: 'a.txt', content: 'harmless\n' };

/** What somebody allowed for good. */
const FAMILIAR = 'git tag v1';

/** The same words with something else about them. */
const STRETCHED = [
  'git tag v1; touch canary',
  'git tag v1 && touch canary',
  'git tag v1 | tee canary',
  'git tag v1 > canary',
  'git tag v1 $(touch canary)',
  'git tag v1\ntouch canary',
  'git tag v1 v2',
  'git tag v12',
  'PAGER=x git tag v1',
  'cd .. && git tag v1',
  'env git -c core.pager=x tag v1; git tag v1',
];

/** Knows a command by whether it holds one that was allowed. */
function isFamiliar(command: string): boolean {
  return command.includes(FAMILIAR);
}

const ATTACKS: readonly Attack[] = [
  {
    id: 'AP-07',
    title: 'a command with more to it than its line (CVE-2026-25805, CVE-2025-64106)',
    attack: async () => {
      await using workspace = tempWorkspace({ 'sub/x': '' });
      const runtime = await workspace.runtime();
      const whole = {
        command: 'sh',
        cwd: 'sub',
        stdin: 'touch a\ntouch DANGER\n',
        timeout: 7,
        network: ['evil.example'],
        outside_sandbox: true,
      };
      const { request } = await runtime.approvalRequest('bash', whole);
      const shown = describeRequest(request!);
      for (const part of ['$ sh\n', 'in sub', 'touch DANGER', '7 s', 'evil.example', 'OUTSIDE the sandbox'])
        expect(shown).toContain(part);
      // What a question does not show can't be given at all.
      for (const more of [{ env: { PATH: '.' } }, { shell: 'x' }, { login: true }, { user: 'root' }])
        await expect(runtime.approvalRequest('bash', { ...whole, ...more })).rejects.toMatchObject({
          code: 'E_INVALID_ARGS',
        });
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      const env = { BASH_ENV: join(workspace.root, 'env') };
      workspace.write('env', 'touch canary\n');
      runUndefended(workspace, 'true', { shell: 'bash', env });
      expect(existsSync(join(workspace.root, 'canary'))).toBe(true);
    },
  },
  {
    id: 'AP-08',
    title: 'a link whose name is shown and whose target is written (CVE-2026-12958)',
    attack: async () => {
      await using workspace = tempWorkspace({ 'deploy/keys': 'old\n' });
      symlinkSync('deploy/keys', join(workspace.root, 'notes.md'));
      symlinkSync(workspace.outside, join(workspace.root, 'docs'));
      const before = snapshotOutside(workspace);
      const approve = approver('once');
      const runtime = await workspace.runtime({ approve });
      const { request } = await runtime.approvalRequest('write', { ...WRITE, path: 'notes.md' });
      expect(describeRequest(request!)).toContain('\n  fs.write  notes.md -> deploy/keys\n');
      const { result } = await runtime.call('write', { ...WRITE, path: 'docs/s.txt' });
      expect(result.error?.code).toBe('E_OUTSIDE_WORKSPACE');
      expect(approve.asked).toEqual([]);
      expect(snapshotOutside(workspace)).toEqual(before);
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      symlinkSync(join(workspace.outside, 's.txt'), join(workspace.root, 'notes.md'));
      const before = snapshotOutside(workspace);
      unchecked(workspace).write('notes.md');
      expect(snapshotOutside(workspace)).not.toEqual(before);
    },
  },
  {
    id: 'AP-09',
    title: 'a name that means something else once it is expanded (CVE-2026-40153)',
    attack: async () => {
      await using workspace = tempWorkspace({ 'b.txt': 'kept\n', 'c.txt': 'kept\n' });
      const approve = approver('once');
      const runtime = await workspace.runtime({ approve });
      for (const path of ['~/s.txt', '$HOME/s.txt', '${HOME}/s.txt', '%USERPROFILE%/s.txt'])
        expect((await runtime.call('write', { ...WRITE, path })).outcome).toBe('failed');
      expect(approve.asked).toEqual([]);
      for (const path of ['*.txt', '?.txt', '[bc].txt', '{b,c}.txt']) {
        const { result } = await runtime.call('write', { ...WRITE, path });
        expect(result.artifacts?.files_changed).toEqual([path]);
        expect(approve.asked.at(-1)?.accesses.at(-1)?.resolved).toBe(path);
      }
      expect(['b.txt', 'c.txt'].map((path) => readFileSync(join(workspace.root, path), 'utf8'))).toEqual([
        'kept\n',
        'kept\n',
      ]);
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      expect(harmDone(workspace, expanding(workspace), '~/s.txt')).not.toEqual([]);
    },
  },
  {
    id: 'AP-09',
    title: 'more behind, before or inside a command that is always allowed',
    attack: async () => {
      await using workspace = tempWorkspace();
      runUndefended(workspace, 'git init -q .');
      const approve = approver('always');
      const runtime = await workspace.runtime({ approve, readConfig: true });
      await runtime.call('bash', { command: FAMILIAR });
      const [first] = approve.asked;
      expect(first?.alwaysRule).toMatchObject({ command: [FAMILIAR], exact: true });
      expect((await runtime.approvalRequest('bash', { command: FAMILIAR })).decision.action).toBe('allow');
      for (const command of STRETCHED)
        expect({
          command,
          action: (await runtime.approvalRequest('bash', { command })).decision.action,
        }).toEqual({ command, action: 'ask' });
    },
    bites: async () => {
      for (const command of STRETCHED) expect(isFamiliar(command)).toBe(true);
    },
  },
  {
    id: 'AP-10',
    title: 'an answer that nobody stands for',
    attack: async () => {
      await using workspace = tempWorkspace();
      const answers: ApprovalAnswer[] = [
        { answer: 'once', by: 'alice' },
        { answer: 'edit', args: WRITE, by: 'bob' },
        { answer: 'once' },
      ];
      const runtime = await workspace.runtime({ approve: async () => answers.shift()! });
      for (let index = 0; index < 3; index++) await runtime.call('write', WRITE);
      await runtime.flush();
      const approvers = closedRecords(workspace.locations.state).map(({ approver }) => approver);
      expect(approvers).toEqual(['alice', 'bob', 'callback']);
    },
    bites: { noProof: 'the undefended keeps no record of answers' },
  },
];

describe('an approval', () => {
  testAttacks(ATTACKS);

  testWaiting([
    { id: 'AP-07', attack: 'calls of MCP servers', until: 'mcp', why: 'nothing calls MCP servers' },
  ]);
});
