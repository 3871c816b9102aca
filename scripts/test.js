// `npm test`: installs what the tests need, builds, type-checks, lints, runs every suite, and counts.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { installParts } from './install-parts.js';
import { installPeers } from './install-peers.js';

const REPORT = '.tmp/vitest.json';

installParts();
installPeers();
step('build', ['npm', 'run', '--silent', 'build']);
step('check', ['npm', 'run', '--silent', 'check']);
mkdirSync('.tmp', { recursive: true });
const status = run([
  'vitest',
  'run',
  '--reporter=default',
  '--reporter=json',
  '--reporter=./scripts/second-tries.js',
  `--outputFile=${REPORT}`,
  ...process.argv.slice(2),
]);
const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(REPORT, 'utf8'));
console.log(`${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`);
process.exit(status);

function step(name, command) {
  console.log(`— ${name}`);
  const status = run(command);
  if (status === 0) return;
  console.error(`The step "${name}" failed; no test was run.`);
  process.exit(status);
}

function run([program, ...args]) {
  return spawnSync(program, args, { stdio: 'inherit' }).status ?? 1;
}
