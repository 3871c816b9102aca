// Installs the programs that the tests use, where this may: as root on Debian and its kin. Elsewhere it says what is missing.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const PARTS = [
  { program: 'git', package: 'git' },
  { program: 'patch', package: 'patch' },
  { program: 'setpriv', package: 'util-linux' },
  { program: 'mount', package: 'mount' },
  { program: 'bwrap', package: 'bubblewrap' },
  { program: 'curl', package: 'curl' },
  { program: 'tmux', package: 'tmux' },
  { program: 'chromium', package: 'chromium' },
  { program: 'shellcheck', package: 'shellcheck' },
  { program: 'clangd', package: 'clangd' },
  { program: 'pylsp', package: 'python3-pylsp' },
  { program: 'pyflakes3', package: 'pyflakes3' },
  { module: 'prometheus_client', package: 'python3-prometheus-client' },
];

/** Installs what is missing; a part that stays missing is named, and the tests that need it say so too. */
export function installParts() {
  const missing = PARTS.filter(
    ({ program, module }) => !(program ? isInstalled(program) : isImportable(module)),
  );
  if (missing.length === 0) return;
  const packages = missing.map((part) => part.package);
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    console.error(`Missing for some tests: ${packages.join(', ')}. Install them with your package manager.`);
    return;
  }
  console.error(`Installing for the tests: ${packages.join(', ')}`);
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit' });
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], {
    stdio: 'inherit',
    env,
  });
}

/** Of the system's own Python: packages are for no other one. */
function isImportable(module) {
  return spawnSync('/usr/bin/python3', ['-c', `import ${module}`]).status === 0;
}

function isInstalled(program) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
