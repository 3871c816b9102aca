/** The command line as a program that another process can run: from the sources, the library, or the bundle it is in itself. */

/** A program and its arguments, for these arguments of the command line. */
export function ownProgram(args: readonly string[]): readonly string[] {
  const main = JSON.stringify(new URL(mainModule(), import.meta.url).href);
  const run = `(module.main ?? module.default.main)(${JSON.stringify(args)})`;
  const code = `import(${main}).then(async (module) => { process.exitCode = await ${run}; })`;
  return [process.execPath, '--input-type=module', '--eval', code];
}

/** The library comes with a bundle of the command line; the sources are run as they are. */
function mainModule(): string {
  if (import.meta.url.endsWith('.cjs')) return './main.cjs';
  return import.meta.url.endsWith('.ts') ? './cli/main.ts' : './cli/main.cjs';
}
