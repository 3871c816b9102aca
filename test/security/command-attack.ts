/**
 * Tables of commands. Each is tried three times: on the policy alone, which says what it would decide; on the sandbox
 * alone, where it runs as root and as nobody with nothing said against it; and on a shell without defence, which it has
 * to harm. So neither hides a hole in the other.
 */
import { describe, expect, it } from 'vitest';
import type { Rule, Runtime } from '../../src/index.ts';
import { runCommands, type User, whyNotAs } from '../host/local/sandbox/fixtures/commands-in-a-child.ts';
import { OUTSIDE_SECRET, type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { ALIVE } from './attack-case.ts';
import { harmsOutside } from './commanding.ts';
import { snapshotOutside } from './evidence.ts';

export interface CommandAttack {
  /** Its class and number. */
  readonly id: string;
  readonly title: string;
  /** What somebody allowed or denied before. */
  readonly rules?: readonly Rule[];
  /** The commands, which touch files in the given folder. */
  readonly commands: (folder: string, workspace: TempWorkspace) => readonly string[];
  /** What the policy may say; never that it is allowed. */
  readonly verdicts?: readonly ('ask' | 'deny')[];
  /** What runs it where nothing defends: the shell that knows its syntax, or why nothing is run. */
  readonly runs?: 'sh' | 'bash' | { readonly noProof: string };
}

/** Commands have `/tmp` to themselves. */
const BESIDE_TEMPORARY = '/var/tmp';

type Verdict = 'allow' | 'ask' | 'deny';

/** Tests a table of commands over one kind of workspace. */
export function testCommandAttacks(
  attacks: readonly CommandAttack[],
  given: (workspace: TempWorkspace) => void = () => undefined,
): void {
  const layOut = (): TempWorkspace => {
    const workspace = tempWorkspace({ ...ALIVE, 'sub/x': '', 'here/x': '' }, BESIDE_TEMPORARY);
    given(workspace);
    return workspace;
  };

  describe('the policy alone', () => {
    it.each(attacks)(
      'does not allow $id $title',
      async ({ rules = [], commands, verdicts = ['ask', 'deny'] }) => {
        await using workspace = layOut();
        const runtime = await workspace.runtime({ rules });
        for (const command of commands('here', workspace)) {
          expect({ command, said: await verdictOn(runtime, command) }).toEqual({
            command,
            said: expect.toBeOneOf([...verdicts]) as Verdict,
          });
        }
      },
    );
  });

  const running = attacks.filter(({ runs }) => typeof runs !== 'object');

  describe('the sandbox alone', () => {
    it.for<User>(['root', 'nobody'])('keeps commands of %s from the outside', async (user, { skip }) => {
      const whyNot = whyNotAs(user);
      skip(whyNot !== undefined, whyNot);
      await using workspace = layOut();
      const before = Object.keys(snapshotOutside(workspace));
      const lines = running.flatMap(({ commands, runs }) =>
        commands(workspace.outside, workspace).map((line) => inShell(line, runs)),
      );
      const answers = await runCommands(
        workspace,
        user,
        lines.map((line) => [line, { timeoutMs: 5_000 }]),
      );
      const unconfined = lines.filter((_, index) => {
        const { tier, stdout, stderr } = answers[index]!;
        return tier !== 'A' || `${stdout}${stderr}`.includes(OUTSIDE_SECRET.trim());
      });
      expect({ unconfined, outside: Object.keys(snapshotOutside(workspace)) }).toEqual({
        unconfined: [],
        outside: before,
      });
    });
  });

  describe('a shell without defence', () => {
    it.each(running)('is harmed by $id $title', async ({ commands, runs = 'sh' }) => {
      await using workspace = layOut();
      for (const command of commands(workspace.outside, workspace)) {
        const isHarmed = harmsOutside(workspace, command, { shell: runs as 'sh' | 'bash' });
        expect({ command, isHarmed }).toEqual({ command, isHarmed: true });
      }
    });
  });
}

/** What would be decided about a command; nothing runs. */
export async function verdictOn(runtime: Runtime, command: string): Promise<Verdict> {
  try {
    return (await runtime.approvalRequest('bash', { command })).decision.action;
  } catch {
    // Refused before anybody decides.
    return 'deny';
  }
}

function inShell(line: string, runs: CommandAttack['runs']): string {
  return runs === 'bash' ? `bash -c '${line.replaceAll("'", String.raw`'\''`)}'` : line;
}
