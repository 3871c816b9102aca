/** The version in the package's manifest. */
import { readFileSync } from 'node:fs';

export function ownVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return manifest.version;
}
