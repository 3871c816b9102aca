/**
 * Pages of lines from a file of any size, in flat memory: the file is scanned once in chunks for line starts, and
 * only the page itself is read and decoded.
 */
import type { LineMark, OpenFile } from '../../host/ports.ts';
import { CHUNK_BYTES, Chunks, GROWTH_BYTES } from './chunks.ts';
import { decodeText } from './text.ts';

/** What is only passed over is read in larger pieces, always into the same memory. */
const SKIPPED_BYTES = 1024 * 1024;
const NEWLINE = 10;
/** So many lines apart, where a line starts is remembered. */
const MARKED_LINES = 4_096;

export interface PageRequest {
  /** The first line, counted from 1; or the last lines of the file. */
  readonly from: { readonly line: number } | { readonly last: true };
  readonly maxLines: number;
  readonly maxBytes: number;
  /** Longer lines are cut in the page, and counted. */
  readonly maxLineCharacters: number;
}

export interface Page {
  /** Lines without their endings. */
  readonly lines: readonly string[];
  /** 0 where the page is empty. */
  readonly startLine: number;
  readonly endLine: number;
  readonly hasEarlier: boolean;
  readonly hasLater: boolean;
  readonly cutLines: number;
}

/** Reads a page. */
export async function readPage(
  file: OpenFile,
  path: string,
  request: PageRequest,
  signal: AbortSignal,
): Promise<Page> {
  const chunks = new Chunks(file);
  const span =
    'last' in request.from
      ? await lastLines(file, chunks, request.maxLines, signal)
      : await linesFrom(file, chunks, request.from.line, request, signal);
  return toPage(file, chunks, path, span, request);
}

/** A run of lines: the byte each one starts at, and where the run ends. */
interface Span {
  readonly startLine: number;
  readonly starts: readonly number[];
  readonly end: number;
  readonly hasLater: boolean;
}

async function linesFrom(
  file: OpenFile,
  chunks: Chunks,
  startLine: number,
  { maxLines, maxBytes }: PageRequest,
  signal: AbortSignal,
): Promise<Span> {
  const starts: number[] = [];
  const from = await findLine(file, startLine, signal);
  let line = from.line - 1;
  let end = Number.POSITIVE_INFINITY;
  // Behind what a page can hold nothing needs to be looked for, however long the line may be.
  const isFull = (position: number): boolean =>
    starts[0] !== undefined && position - starts[0] > maxBytes + CHUNK_BYTES;
  const stop = await scanLines(chunks, from.start, signal, isFull, (start) => {
    line++;
    if (line < startLine) return true;
    if (starts.length < maxLines) return starts.push(start) > 0;
    end = start;
    return false;
  });
  const hasLater =
    end !== Number.POSITIVE_INFINITY || (stop !== undefined && (await isLineBehind(file, stop, signal)));
  return { startLine, starts, end, hasLater };
}

/** Whether another line starts at or behind a position, however long the one there is. */
async function isLineBehind(file: OpenFile, from: number, signal: AbortSignal): Promise<boolean> {
  const buffer = Buffer.allocUnsafe(SKIPPED_BYTES);
  for (let position = from - 1; ; position += SKIPPED_BYTES) {
    signal.throwIfAborted();
    const chunk = await file.read(position, buffer.length, buffer);
    const newline = chunk.indexOf(NEWLINE);
    if (newline !== -1) return (await file.read(position + newline + 1, 1)).length > 0;
    if (chunk.length < buffer.length) return false;
  }
}

async function lastLines(file: OpenFile, chunks: Chunks, count: number, signal: AbortSignal): Promise<Span> {
  const starts: number[] = [];
  const last = await findLine(file, Number.POSITIVE_INFINITY, signal);
  const from = file.marks.before(last.line - count);
  const isNever = (): boolean => false;
  await scanLines(chunks, from.start, signal, isNever, (start) => starts.push(start) > 0);
  const total = from.line + starts.length - 1;
  const kept = starts.slice(-count);
  return { startLine: total - kept.length + 1, starts: kept, end: Number.POSITIVE_INFINITY, hasLater: false };
}

/** Where a line starts, or the last one where there are fewer; what it comes past is remembered for the next time. */
async function findLine(file: OpenFile, target: number, signal: AbortSignal): Promise<LineMark> {
  const { marks } = file;
  let found = marks.before(target);
  let { line, start: position } = found;
  if (line === target) return found;
  const buffer = Buffer.allocUnsafe(Math.min(file.stat.size + GROWTH_BYTES, SKIPPED_BYTES));
  for (;;) {
    signal.throwIfAborted();
    const chunk = await file.read(position, buffer.length, buffer);
    if (chunk.length === 0) return found;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) {
      line++;
      if (line !== target && line % MARKED_LINES !== 0) continue;
      found = { line, start: position + at + 1 };
      if (line === target) return found;
      marks.note(found);
    }
    position += chunk.length;
  }
}

/**
 * Visits the byte offset of every line from one on until `visit` says no; a newline at the very end starts no further
 * line. Where it was enough before that, returns how far it came.
 */
async function scanLines(
  chunks: Chunks,
  from: number,
  signal: AbortSignal,
  isEnough: (position: number) => boolean,
  visit: (start: number) => boolean,
): Promise<number | undefined> {
  let position = from;
  let lineStart: number | undefined = from;
  for (;;) {
    signal.throwIfAborted();
    const chunk = await chunks.at(position);
    if (chunk.length === 0) return undefined;
    if (lineStart !== undefined && !visit(lineStart)) return undefined;
    lineStart = undefined;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) {
      const start = position + at + 1;
      if (at + 1 === chunk.length) lineStart = start;
      else if (!visit(start)) return undefined;
    }
    position += chunk.length;
    if (isEnough(position)) return position;
  }
}

async function toPage(
  file: OpenFile,
  chunks: Chunks,
  path: string,
  span: Span,
  request: PageRequest,
): Promise<Page> {
  const isTail = 'last' in request.from;
  const window = await chunks.at(span.starts[0] ?? 0);
  const { lines, cutLines } =
    shortLines(window, path, span, request) ?? (await anyLines(file, path, window, span, request));
  const startLine = isTail ? span.startLine + span.starts.length - lines.length : span.startLine;
  const isEmpty = lines.length === 0;
  return {
    lines,
    startLine: isEmpty ? 0 : startLine,
    endLine: isEmpty ? 0 : startLine + lines.length - 1,
    hasEarlier: !isEmpty && startLine > 1,
    hasLater: span.hasLater || (!isTail && lines.length < span.starts.length),
    cutLines,
  };
}

type PageLines = Pick<Page, 'lines' | 'cutLines'>;

/** Nearly every page: the window holds all of it, and no line, nor the page, is too long. It is decoded in one piece. */
function shortLines(
  window: Uint8Array,
  path: string,
  { starts }: Span,
  { maxBytes, maxLineCharacters }: PageRequest,
): PageLines | undefined {
  const [first = 0] = starts;
  const last = starts.at(-1);
  if (last === undefined) return { lines: [], cutLines: 0 };
  const end = window.indexOf(NEWLINE, last - first);
  const isLong = (start: number, index: number): boolean =>
    (starts[index + 1] ?? first + end + 1) - start > maxLineCharacters;
  if (end === -1 || end >= maxBytes || starts.some(isLong)) return undefined;
  const text = decodeText(window.subarray(0, end), path);
  const lines = text.split('\n');
  return { lines: text.includes('\r') ? lines.map(withoutReturn) : lines, cutLines: 0 };
}

interface PageLine {
  readonly line: string;
  readonly isCut: boolean;
}

async function anyLines(
  file: OpenFile,
  path: string,
  window: Uint8Array,
  { starts, end: spanEnd }: Span,
  request: PageRequest,
): Promise<PageLines> {
  const isTail = 'last' in request.from;
  const [first = 0] = starts;
  const read: PageLine[] = [];
  let bytes = 0;
  for (const [index, start] of starts.entries()) {
    const end = starts[index + 1] ?? spanEnd;
    // A character has at most four bytes, so this is enough to know whether a line is too long.
    const wanted = Math.min(end - start, request.maxLineCharacters * 4 + 4);
    // Most pages lie in one chunk, and lines are cut out of it; only what it does not hold whole is read again.
    const held = window.subarray(start - first, start - first + wanted);
    const isWhole = held.length === wanted || held.includes(NEWLINE);
    const next = toLine(
      isWhole ? held : await file.read(start, wanted),
      path,
      wanted,
      request.maxLineCharacters,
    );
    bytes += Buffer.byteLength(next.line) + 1;
    if (!isTail && read.length > 0 && bytes > request.maxBytes) break;
    read.push(next);
  }
  if (isTail) dropFromFront(read, bytes - request.maxBytes);
  return { lines: read.map(({ line }) => line), cutLines: read.filter(({ isCut }) => isCut).length };
}

/** A page of the end keeps the end: what is too much goes from its front. */
function dropFromFront(lines: { readonly line: string }[], excess: number): void {
  for (let left = excess; left > 0 && lines.length > 1;) left -= Buffer.byteLength(lines.shift()!.line) + 1;
}

function toLine(
  bytes: Uint8Array,
  path: string,
  wanted: number,
  maxCharacters: number,
): { line: string; isCut: boolean } {
  const newline = bytes.indexOf(NEWLINE);
  const whole = newline === -1 ? bytes : bytes.subarray(0, newline);
  const isPart = newline === -1 && whole.length === wanted;
  const text = withoutReturn(decodeText(isPart ? withoutHalfCharacter(whole) : whole, path));
  if (text.length <= maxCharacters) return { line: text, isCut: false };
  return { line: `${wholeCharacters(text, maxCharacters)} [line cut here]`, isCut: true };
}

/** A line without the first half of a Windows line ending. */
function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

/** The first characters, none of them half. */
function wholeCharacters(text: string, count: number): string {
  const part = text.slice(0, count);
  return part.isWellFormed() ? part : part.slice(0, -1);
}

/** Drops a multi-byte character that the end of the buffer cut in two. */
function withoutHalfCharacter(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && (bytes[end - 1]! & 0xc0) === 0x80) end--;
  const lead = end > 0 && bytes[end - 1]! >= 0xc0;
  return lead ? bytes.subarray(0, end - 1) : bytes;
}
