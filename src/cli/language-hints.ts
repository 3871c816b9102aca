/** What is said at a start about language servers that are expected and not installed: once, and after everything else. */
import type { LanguageState } from '../host/ports.ts';
import type { Runtime } from '../runtime-types.ts';
import { note } from './print.ts';
import type { Surroundings } from './surroundings.ts';

/** By then the first call has been answered. */
const AFTER_MS = 300;

/** Says it a moment later, where the tools of the start speak with language servers at all. */
export function noteMissingServers(
  runtime: Runtime,
  { environment }: Pick<Surroundings, 'environment'>,
): void {
  const say = (): void => {
    const usesServers = runtime.definitions().some(({ operation }) => operation.startsWith('lsp.'));
    if (usesServers) for (const line of languageHints(runtime.languages(), environment)) note(line);
  };
  // A start that is over before is not held up.
  setTimeout(say, AFTER_MS).unref();
}

/** A line for each server that should be there and is not, in the user's language. */
export function languageHints(
  states: readonly LanguageState[],
  environment: Surroundings['environment'],
): string[] {
  return states
    .filter(({ isExpected, program }) => isExpected && program === undefined)
    .map(({ language, server, install }) =>
      isChinese(environment)
        ? `[LSP] ${language}: ${server} 未安装，运行: ${install}`
        : `[LSP] ${language}: ${server} not installed, run: ${install}`,
    );
}

function isChinese({ LC_ALL, LC_MESSAGES, LANG }: Surroundings['environment']): boolean {
  return /^zh/i.test([LC_ALL, LC_MESSAGES, LANG].find((value) => value !== undefined && value !== '') ?? '');
}
