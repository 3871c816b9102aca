#!/usr/bin/env node
// The launcher: says clearly when Node is too old, answers --version without loading anything, then starts the CLI.
// It must parse on old versions of Node, so it keeps to plain, old syntax.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const NEEDED = 24;
const at = (relative) => fileURLToPath(new URL(relative, import.meta.url));

if (Number.parseInt(process.versions.node, 10) < NEEDED) startWithNewerNode();
else if (process.argv.length === 3 && (process.argv[2] === '--version' || process.argv[2] === '-V'))
  printVersion();
else await start();

function printVersion() {
  process.stdout.write(JSON.parse(readFileSync(at('../package.json'), 'utf8')).version + '\n');
}

async function start() {
  if (!existsSync(at('../dist/cli/main.cjs'))) {
    process.stderr.write('handrail: not built yet. Run `npm run build` in ' + at('..') + '\n');
    process.exit(2);
  }
  const { main } = module.createRequire(import.meta.url)('../dist/cli/main.cjs');
  process.exitCode = await main(process.argv.slice(2));
}

// In a checkout the project's own Node is at hand, whatever the machine has.
function startWithNewerNode() {
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
  const { status, signal } = spawnSync(own, [at('handrail.js'), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? (signal === 'SIGINT' ? 130 : 1);
}
