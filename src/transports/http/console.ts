/** The console as it was built: its page at `/`, and what that loads; nothing else of the folder is there to be asked for. */
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Hono } from 'hono';

interface ConsoleFile {
  readonly type: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const PAGE = '/index.html';
/** Their names change with what is in them. */
const ASSETS = '/assets/';
const FOR_GOOD = 'private, max-age=31536000, immutable';

/** Puts the files where a browser asks for them. */
export function serveConsole(app: Hono, files: ReadonlyMap<string, ConsoleFile> = readConsole()): void {
  for (const [path, { type, content }] of files)
    app.get(path === PAGE ? '/' : path, (context) => {
      if (path.startsWith(ASSETS)) context.header('cache-control', FOR_GOOD);
      return context.body(content, 200, { 'content-type': type });
    });
  if (!files.has(PAGE))
    app.get('/', (context) =>
      context.text('The console was not built: run `npm run build`, and start the server again.\n', 503),
    );
}

/** Every file by its path; none where the console was not built. */
function readConsole(): ReadonlyMap<string, ConsoleFile> {
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
