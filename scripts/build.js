// Builds dist/ from src/: a clean emit, so that a file that is gone from src/ is gone from dist/ too.
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { sourceStamp, STAMP } from './source-stamp.js';

rmSync('dist', { recursive: true, force: true });
const { status } = spawnSync('tsc', ['-p', 'tsconfig.build.json'], { stdio: 'inherit' });
if (status === 0) writeFileSync(STAMP, sourceStamp());
process.exit(status ?? 1);
