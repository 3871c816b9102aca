/** The `handrail` command. It is small, and the rest is loaded behind it: what is loaded before the cache is on is compiled each time. */
import { keepCompiledCode } from './compiled-code.ts';
import { readSurroundings } from './surroundings.ts';

/** Runs the command line and returns its exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  keepCompiledCode(readSurroundings().locations.state);
  const { run } = await import('./run.ts');
  return run(argv);
}
