/** Which kind of media bytes are, told by how they start: a name proves nothing. */

interface Signature {
  readonly type: string;
  /** Characters by their codes; a dot stands for any byte. */
  readonly start: string;
}

const SIGNATURES: readonly Signature[] = [
  { type: 'image/png', start: '\x89PNG\r\n\x1a\n' },
  { type: 'image/jpeg', start: '\xff\xd8\xff' },
  { type: 'image/gif', start: 'GIF8' },
  { type: 'image/webp', start: 'RIFF....WEBP' },
  { type: 'image/bmp', start: 'BM....\0\0\0\0' },
  { type: 'image/tiff', start: 'II*\0' },
  { type: 'image/tiff', start: 'MM\0*' },
  { type: 'image/avif', start: '....ftypavif' },
  { type: 'application/pdf', start: '%PDF-' },
  { type: 'audio/wav', start: 'RIFF....WAVE' },
  { type: 'audio/mpeg', start: 'ID3' },
  { type: 'audio/mpeg', start: '\xff\xfb' },
  { type: 'audio/ogg', start: 'OggS' },
  { type: 'audio/flac', start: 'fLaC' },
  { type: 'video/mp4', start: '....ftyp' },
  { type: 'video/webm', start: '\x1a\x45\xdf\xa3' },
];

/** The media type of a content; undefined where it is none of those that models take. */
export function mediaType(content: Uint8Array): string | undefined {
  return SIGNATURES.find(({ start }) => startsLike(content, start))?.type;
}

function startsLike(content: Uint8Array, start: string): boolean {
  return (
    content.length >= start.length &&
    Array.from(start).every((character, at) => character === '.' || content[at] === character.charCodeAt(0))
  );
}
