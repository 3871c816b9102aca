/** The `handrail` command. It is small, and the rest is loaded behind it: what is loaded before the cache is on is compiled each time. */
import { keepCompiledCode } from './compiled-code.ts';
import { readLocations, readSurroundings } from './surroundings.ts';

/** Runs the command line and returns its exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  keepCompiledCode(readLocations().state);
  if (argv[0] === 'mcp') {
    // A client waits for this one; where its arguments are plain, the description of all commands is not needed.
    const { mcp, plainArguments } = await import('./mcp.ts');
    const plain = plainArguments(argv.slice(1));
    const { explain } = await import('./explain.ts');
    if (plain !== undefined) {
      try {
        await mcp(plain, readSurroundings());
        return 0;
      } catch (error) {
        return explain(error);
      }
    }
  }
  const { run } = await import('./run.ts');
  return run(argv);
}
