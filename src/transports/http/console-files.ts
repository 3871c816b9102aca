/** The files of the console as it was built; nothing else of the folder is there to be asked for. */
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface ConsoleFile {
  readonly type: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Every file by its path; none where the console was not built. */
export function readConsole(): ReadonlyMap<string, ConsoleFile> {
  const folder = fileURLToPath(new URL(builtFolder(), import.meta.url));
  const files = new Map<string, ConsoleFile>();
  for (const entry of entriesOf(folder)) {
    const type = TYPES[extname(entry)];
    if (type !== undefined)
      files.set(`/${entry}`, { type, content: Uint8Array.from(readFileSync(join(folder, entry))) });
  }
  return files;
}

/** Beside the bundle of the command line, in the library, or built from the sources. */
function builtFolder(): string {
  if (import.meta.url.endsWith('.cjs')) return '../console';
  return import.meta.url.endsWith('.ts') ? '../../../dist/console' : '../../console';
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch {
    return [];
  }
}
