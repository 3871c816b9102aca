/** The little that is read of XML here: attributes of tags, and relations between the parts of a package. */
import { posix } from 'node:path';
import { Failure } from '../../../../failure.ts';

/** A relation of one part to another part, or to something outside. */
export interface Relation {
  readonly id: string;
  /** The last word of its type, such as `worksheet`. */
  readonly type: string;
  /** A part's name, or an address where it is external. */
  readonly target: string;
  readonly isExternal: boolean;
}

/** Documents have no document type: it would only serve to grow, or to fetch something. */
export function refuseUnsafe(xml: Buffer): Buffer {
  if (xml.includes('<!DOCTYPE') || xml.includes('<!ENTITY')) {
    throw new Failure('E_UNSUPPORTED', 'The document declares a document type (DTD), which is refused.', {
      hint: 'No office program writes one. Nothing of it was resolved.',
      details: { reason: 'unsafe' },
    });
  }
  if (xml.subarray(0, 256).includes(0)) {
    throw new Failure('E_UNSUPPORTED', 'A part of the document is not written in UTF-8.', {
      details: { reason: 'damaged' },
    });
  }
  return xml;
}

/** No document is nested like this; parsers take for ever over one that is, or run out of stack. */
const MAX_DEPTH = 1_000;
const [LESS, GREATER, SLASH, BANG, QUESTION] = ['<', '>', '/', '!', '?'].map((sign) => sign.charCodeAt(0));

/** Looks at how deeply elements are nested, before anybody builds a tree of them. */
export function refuseDeep(xml: Buffer): Buffer {
  let depth = 0;
  for (let at = xml.indexOf(LESS!); at !== -1; at = xml.indexOf(LESS!, at + 1)) {
    const next = xml[at + 1];
    if (next === SLASH) depth--;
    else if (next !== BANG && next !== QUESTION && !isClosedAtOnce(xml, at)) depth++;
    if (depth > MAX_DEPTH)
      throw new Failure('E_TOO_LARGE', 'The document is nested too deeply.', {
        details: { reason: 'limit' },
      });
  }
  return xml;
}

/** What looks like the end of a tag may stand in an attribute. */
function isClosedAtOnce(xml: Buffer, start: number): boolean {
  const end = xml.indexOf(GREATER!, start);
  if (end === -1 || xml[end - 1] !== SLASH) return false;
  const tag = xml.toString('latin1', start, end);
  return /^[^"']*(?:"[^"]*"[^"']*|'[^']*'[^"']*)*$/.test(tag);
}

/** All tags of a name, whatever prefix it has, with their attributes. */
export function tagsOf(xml: string, name: string): Readonly<Record<string, string>>[] {
  const pattern = new RegExp(`<(?:\\w+:)?${name}(\\s[^>]*)?>`, 'g');
  return Array.from(xml.matchAll(pattern), ([, attributes = '']) => attributesOf(attributes));
}

/** The attributes in a tag, by their names without prefix. */
export function attributesOf(tag: string): Record<string, string> {
  const found = tag.matchAll(/(?:[\w.-]+:)?([\w.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g);
  return Object.fromEntries(
    Array.from(found, ([, name, double, single]) => [name!, decodeEntities(double ?? single ?? '')]),
  );
}

/** What a part relates to; names are made whole. */
export function relationsOf(xml: string, part: string): Relation[] {
  return tagsOf(xml, 'Relationship').map((tag) => {
    const { Id = '', Type = '', Target = '', TargetMode } = tag;
    const isExternal = TargetMode === 'External';
    const target = isExternal ? Target : posix.resolve('/', posix.dirname(part), Target).slice(1);
    return { id: Id, type: Type.slice(Type.lastIndexOf('/') + 1), target, isExternal };
  });
}

/** Where a part's relations stand. */
export function relationsPart(part: string): string {
  return posix.join(posix.dirname(part), '_rels', `${posix.basename(part)}.rels`);
}

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w{2,4}));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return NAMED[name as string] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex as string, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
