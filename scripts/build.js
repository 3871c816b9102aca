// Builds dist/ anew: the library from src/ module by module with its types, the command line as a bundle, the console.
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { build } from 'vite';
import { bundleCommandLine, writeNotices } from './bundle.js';
import { sourceStamp, STAMP } from './source-stamp.js';

rmSync('dist', { recursive: true, force: true });
const { status } = spawnSync('tsc', ['-p', 'tsconfig.build.json'], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);
const modules = await bundleCommandLine();
const { output } = await build({ configFile: 'console/vite.config.ts', logLevel: 'warn' });
writeNotices([...modules, ...output.flatMap(({ moduleIds = [] }) => moduleIds)]);
writeFileSync(STAMP, sourceStamp());
