/** How much a browser has to load: all of the console, and what it needs before anything is seen. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

const BUILT = join(import.meta.dirname, '../../dist/console');
const MAX_FIRST = 100 * 1024;
const MAX_ALL = 250 * 1024;

describe('the bundle of the console', () => {
  it('is small, and what comes first is smaller', () => {
    const page = readFileSync(join(BUILT, 'index.html'), 'utf8');
    const names = readdirSync(join(BUILT, 'assets'));
    const sizes = names.map(
      (name) => [name, gzipSync(readFileSync(join(BUILT, 'assets', name))).length] as const,
    );
    const sum = (some: typeof sizes): number => some.reduce((total, [, size]) => total + size, 0);
    const first = sum(sizes.filter(([name]) => page.includes(name)));
    process.stderr.write(
      `The console, compressed: ${kilobytes(first)} first, ${kilobytes(sum(sizes))} in all ${sizes.length} files.\n`,
    );
    expect(first).toBeLessThan(MAX_FIRST);
    expect(sum(sizes)).toBeLessThan(MAX_ALL);
  });
});

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} kB`;
}
