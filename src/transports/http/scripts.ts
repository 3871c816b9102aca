/** The modules of the page, as a browser takes them: built ones as they are, sources without their types. */
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { extname, join } from 'node:path';

const FOLDER = join(import.meta.dirname, 'page');
/** That of this very file: modules name each other by it. */
const EXTENSION = extname(import.meta.filename);

/** Where the page starts. */
export const START = `/page/start${EXTENSION}`;

/** Every module by its name; nothing else of the folder is there to be asked for. */
export function readScripts(): ReadonlyMap<string, string> {
  const names = readdirSync(FOLDER).filter((name) => extname(name) === EXTENSION && !name.endsWith('.d.ts'));
  return new Map(
    names.map((name) => {
      const text = readFileSync(join(FOLDER, name), 'utf8');
      return [name, EXTENSION === '.ts' ? stripTypeScriptTypes(text) : text];
    }),
  );
}
