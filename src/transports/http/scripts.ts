/** The modules of the page, as a browser takes them: the built one as it is, sources without their types. */
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { extname, join } from 'node:path';

const FOLDER = join(import.meta.dirname, 'page');
/** Modules name each other by it: as sources, where this is one. */
const EXTENSION = extname(import.meta.filename) === '.ts' ? '.ts' : '.js';

/** Where the page starts. */
export const START = `/page/start${EXTENSION}`;

/** Every module by its name; nothing else of the folder is there to be asked for. */
export function readScripts(): ReadonlyMap<string, string> {
  const names = readdirSync(FOLDER).filter((name) => extname(name) === EXTENSION);
  return new Map(
    names.map((name) => {
      const text = readFileSync(join(FOLDER, name), 'utf8');
      return [name, EXTENSION === '.ts' ? stripTypeScriptTypes(text) : text];
    }),
  );
}
