/** What a package holds besides its text: pictures, macros, and references to things outside that nobody follows. */
import type { DocumentPicture } from '../../../ports.ts';
import type { Archive } from './archive.ts';
import { refuseUnsafe, relationsOf } from './xml.ts';

const PICTURE = /^(?:xl|word)\/media\/[^/]+\.(?:png|jpe?g|webp|gif|bmp|tiff?)$/i;
const MEBIBYTE = 2 ** 20;
const MAX_RELATIONS_BYTES = 4 * MEBIBYTE;
const MAX_LISTED = 20;

/** The first pictures within the limits, and how many others there are. */
export async function takePictures(
  archive: Archive,
  limits: { readonly count: number; readonly bytes: number },
): Promise<{ pictures: DocumentPicture[]; left: number }> {
  const names = archive.names.filter((name) => PICTURE.test(name)).toSorted(byNumber);
  const pictures: DocumentPicture[] = [];
  let room = limits.bytes;
  for (const name of names.slice(0, limits.count)) {
    if (archive.sizeOf(name) > room) continue;
    const bytes = await archive.read(name, room);
    room -= bytes.length;
    pictures.push({ name, bytes });
  }
  return { pictures, left: names.length - pictures.length };
}

/** What a reader should know: that there are macros, and what the document would have fetched. */
export async function notesOf(archive: Archive): Promise<string[]> {
  const notes: string[] = [];
  if (archive.names.some((name) => /\/vbaProject\.bin$/i.test(name))) notes.push(MACROS);
  const outside = new Set<string>();
  for (const name of archive.names.filter((part) => part.endsWith('.rels'))) {
    const xml = refuseUnsafe(await archive.read(name, MAX_RELATIONS_BYTES)).toString();
    for (const { type, target, isExternal } of relationsOf(xml, name))
      // A link is only followed by a reader.
      if (isExternal && type !== 'hyperlink') outside.add(`${type} ${target.slice(0, 200)}`);
  }
  if (outside.size > 0) {
    const listed = [...outside].slice(0, MAX_LISTED).join(', ');
    notes.push(`The document refers to things outside of it, which were not fetched: ${listed}.`);
  }
  return notes;
}

export const MACROS = 'The document holds macros, which were not run.';

function byNumber(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}
