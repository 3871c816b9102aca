/** Who commits, for commands that do not see the home: name and address of the user's git settings, and nothing else of them. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { cleanPath, type Environment } from './environment.ts';

export interface IdentityParts {
  readonly home: string;
  readonly environment: Environment;
  /** Folders whose programs must not be found by name. */
  readonly untrusted: readonly string[];
}

const TIMEOUT_MS = 5_000;

/** The text of a settings file with the user's identity; undefined where there is none, or no git. */
export async function gitIdentity({
  home,
  environment,
  untrusted,
}: IdentityParts): Promise<string | undefined> {
  try {
    const args = [
      'config',
      '--global',
      '--includes',
      '--null',
      '--get-regexp',
      String.raw`^user\.(name|email)$`,
    ];
    const { stdout } = await promisify(execFile)('git', args, {
      // Away from the workspace: its settings are its own.
      cwd: '/',
      env: {
        HOME: home,
        PATH: cleanPath(environment['PATH'], untrusted),
        XDG_CONFIG_HOME: environment['XDG_CONFIG_HOME'],
      },
      timeout: TIMEOUT_MS,
    });
    const lines = stdout.split('\0').flatMap(toLine);
    return lines.length === 0 ? undefined : `[user]\n${lines.join('\n')}\n`;
  } catch {
    return undefined;
  }
}

/** A value may hold anything but a line break; of several, git takes the last. */
function toLine(entry: string): string[] {
  const [, name, value] = /^user\.(name|email)\n([^\n]*)$/.exec(entry) ?? [];
  if (name === undefined || value === undefined) return [];
  return [`\t${name} = "${value.replaceAll(/[\\"]/g, String.raw`\$&`)}"`];
}
