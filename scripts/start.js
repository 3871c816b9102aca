// `npm start`: builds where dist/ is missing or old, then serves.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { sourceStamp, STAMP } from './source-stamp.js';

const isBuilt = existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sourceStamp();
if (!isBuilt) {
  console.error('Building Handrail …');
  const built = spawnSync(process.execPath, ['scripts/build.js'], { stdio: 'inherit' });
  if (built.status !== 0) process.exit(built.status ?? 1);
}
process.argv.splice(2, 0, 'serve');
await import('../bin/handrail.js');
