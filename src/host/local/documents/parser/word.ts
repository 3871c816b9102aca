/** A text document (.docx). The library gets a package of the parts it needs, and its tree is written as Markdown here. */
import { posix } from 'node:path';
import mammoth from 'mammoth';
import { Failure } from '../../../../failure.ts';
import type { Archive } from './archive.ts';
import { toMarkdown } from './markdown.ts';
import { storedZip } from './stored-zip.ts';
import { damaged } from './trouble.ts';
import type { Block, Inline, WordTree } from './word-tree.ts';
import { refuseDeep, refuseUnsafe } from './xml.ts';

const MEBIBYTE = 2 ** 20;
/** Its tree takes many times as much memory. */
const MAX_TEXT_BYTES = 48 * MEBIBYTE;

/** The whole document as Markdown; pictures are named by their parts. */
export async function readWord(archive: Archive, main: string): Promise<string> {
  let tree: WordTree | undefined;
  await mammoth.convertToHtml(
    { buffer: storedZip(await neededParts(archive, main)) },
    {
      externalFileAccess: false,
      includeEmbeddedStyleMap: false,
      includeDefaultStyleMap: false,
      // The tree is all that is wanted; of nothing, HTML is made fast.
      transformDocument: (document: WordTree) => {
        tree = document;
        return { ...document, children: [] };
      },
    },
  );
  if (tree === undefined) throw damaged('it has no text');
  await namePictures(tree.children);
  return toMarkdown(tree);
}

/** The parts that hold text; a picture's part holds its name, by which it can be told later. */
async function neededParts(archive: Archive, main: string): Promise<Map<string, Buffer>> {
  const folder = posix.dirname(main);
  const isText = (name: string): boolean =>
    name === '[Content_Types].xml' ||
    name === '_rels/.rels' ||
    (name.endsWith('.xml') && posix.dirname(name) === folder) ||
    (name.endsWith('.xml.rels') && posix.dirname(name) === `${folder}/_rels`);
  const parts = new Map<string, Buffer>();
  let room = MAX_TEXT_BYTES;
  for (const name of archive.names) {
    if (isText(name)) {
      const xml = refuseDeep(refuseUnsafe(await archive.read(name, room)));
      room -= xml.length;
      parts.set(name, xml);
    } else if (name.includes('/media/')) parts.set(name, Buffer.from(name));
  }
  if (!parts.has(main)) throw new Failure('E_UNSUPPORTED', 'The document has no text part.');
  return parts;
}

async function namePictures(nodes: readonly (Block | Inline)[]): Promise<void> {
  const pending: unknown[] = [...nodes];
  while (pending.length > 0) {
    const node = pending.pop() as Block | Inline;
    // A picture that is not in the package stays without a name.
    if (node.type === 'image') node.name = (await node.readAsBuffer().catch(() => '')).toString();
    if ('children' in node) for (const child of node.children) pending.push(child);
  }
}
