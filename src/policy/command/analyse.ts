/**
 * What a command line does, read from the grammar of the shell that will run it. Pure: nothing is looked at, nothing runs.
 * Everything that may run is a part; what can't be told is said to be unclear, never left out.
 */
import { parse } from 'unbash';
import type { CommandAnalysis, CommandPlace } from './command-analysis.ts';
import { startOf } from './directories.ts';
import { Findings } from './findings.ts';
import { ScriptWalk } from './script-walk.ts';
import { differenceInText } from './shell-differences.ts';

const MAX_LENGTH = 10_000;
/** Beyond this not even what is forbidden is looked for. */
const MAX_READ = 50_000;
/** How often a text may have `$[`: the time to parse it grows with the square of that. */
const MAX_BRACKETS = 100;

/** Analyses a command line that would run in a directory of a workspace. */
export function analyseCommand(command: string, place: CommandPlace): CommandAnalysis {
  const findings = new Findings(place);
  if (command.length > MAX_LENGTH)
    findings.note(`It has ${command.length} characters, more than the ${MAX_LENGTH} that are looked at.`);
  const difference = differenceInText(command);
  if (difference !== undefined) findings.note(difference);
  if (isReadable(command)) {
    const walk = new ScriptWalk(findings, place);
    walk.runScript(parse(command), [startOf(place)]);
    walk.finish();
  } else findings.note('It is too large to be looked at.');
  return findings.toAnalysis();
}

function isReadable(command: string): boolean {
  return command.length <= MAX_READ && command.split('$[').length <= MAX_BRACKETS;
}
