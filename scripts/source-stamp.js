// Tells whether dist/ was built from the sources as they are.
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';

const BUILD = [
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'scripts/build.js',
  'scripts/bundle.js',
];

export const STAMP = 'dist/.built-from';

/** A hash over everything the build reads. */
export function sourceStamp() {
  const hash = createHash('sha256');
  const files = [...BUILD, ...globSync('{src,console}/**/*.{ts,tsx,css,html,svg}')];
  for (const file of files.toSorted((one, other) => (one < other ? -1 : 1))) {
    hash.update(file).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}
