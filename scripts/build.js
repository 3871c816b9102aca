// Builds dist/ from src/, anew: the library module by module with its types, and the command line as a bundle.
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { bundleCommandLine } from './bundle.js';
import { sourceStamp, STAMP } from './source-stamp.js';

rmSync('dist', { recursive: true, force: true });
const { status } = spawnSync('tsc', ['-p', 'tsconfig.build.json'], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);
await bundleCommandLine();
writeFileSync(STAMP, sourceStamp());
