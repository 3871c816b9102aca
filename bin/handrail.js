#!/usr/bin/env node
// The launcher: says clearly when Node is too old, answers --version without loading anything, then starts the CLI.
// It must parse on old versions of Node, so it keeps to plain, old syntax.
// Nothing is imported at its head: each built-in module that is costs a start some milliseconds.
const NEEDED = 24;
const at = (relative) => decodeURIComponent(new URL(relative, import.meta.url).pathname);

if (Number.parseInt(process.versions.node, 10) < NEEDED) await startWithNewerNode();
else await start();

async function start() {
  const load = process.getBuiltinModule('node:module').createRequire(import.meta.url);
  if (process.argv.length === 3 && (process.argv[2] === '--version' || process.argv[2] === '-V')) {
    process.stdout.write(load('../package.json').version + '\n');
    return;
  }
  if (!load('node:fs').existsSync(at('../dist/cli/main.cjs'))) {
    process.stderr.write('handrail: not built yet. Run `npm run build` in ' + at('..') + '\n');
    process.exit(2);
  }
  process.exitCode = await load('../dist/cli/main.cjs').main(process.argv.slice(2));
}

// In a checkout the project's own Node is at hand, whatever the machine has.
async function startWithNewerNode() {
  const { existsSync } = await import('node:fs');
  const own = at('../node_modules/node/bin/node');
  if (!existsSync(own)) {
    process.stderr.write(
      'handrail: needs Node ' +
        NEEDED +
        ' or newer; this is Node ' +
        process.versions.node +
        '.\n' +
        'Install a newer Node (https://nodejs.org), or run it with `npx -p node@' +
        NEEDED +
        ' -p handrail handrail`.\n',
    );
    process.exit(2);
  }
  const { spawnSync } = await import('node:child_process');
  const { status, signal } = spawnSync(own, [at('handrail.js'), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? (signal === 'SIGINT' ? 130 : 1);
}
