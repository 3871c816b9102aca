// Installs the programs of others that the tests run against Handrail, in a folder of their own that git ignores.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const PINNED = join(import.meta.dirname, '../test/peers');
const INSTALLED = join(import.meta.dirname, '../.tmp/peers');
const LOCK = 'package-lock.json';

/** Installs them where they are missing, or pinned anew; where that fails, the tests that need them say so. */
export function installPeers() {
  if (isInstalled()) return;
  console.log('Installing the programs that Handrail is tested against (about 200 MB, once)');
  rmSync(INSTALLED, { recursive: true, force: true });
  const building = `${INSTALLED}-unfinished`;
  mkdirSync(building, { recursive: true });
  for (const file of ['package.json', LOCK]) copyFileSync(join(PINNED, file), join(building, file));
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefix', building];
  const { status } = spawnSync('npm', ['ci', ...options], { stdio: 'inherit' });
  if (status !== 0)
    return console.error('They could not be installed; the tests that need them are skipped.');
  renameSync(building, INSTALLED);
}

function isInstalled() {
  const lock = join(INSTALLED, LOCK);
  return existsSync(lock) && readFileSync(lock, 'utf8') === readFileSync(join(PINNED, LOCK), 'utf8');
}
