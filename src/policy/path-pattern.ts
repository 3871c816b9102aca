/**
 * Path patterns of rules: globs, read the way .gitignore reads them. A pattern without a slash fits a name at
 * any depth, one with a slash is anchored at the workspace root, and both cover everything below what they fit.
 */
import picomatch from 'picomatch';
import { Failure } from '../failure.ts';
import { foldPath } from './fold.ts';

/** Tells whether a workspace path fits. */
export type PathMatcher = (path: string) => boolean;

const MAX_PATTERN = 1_000;

export interface PatternOptions {
  /** Compares the way the most forgiving file system would: right for ask and deny. */
  readonly folded: boolean;
}

/** Compiles patterns; a path has to fit one of them. */
export function compilePathPatterns(patterns: readonly string[], options: PatternOptions): PathMatcher {
  const globs = patterns.flatMap((pattern) => expand(pattern, options));
  const asWritten = new Set(globs);
  // Most rules of a start are never asked, and to compile them takes longer than all the rest of it.
  let compiled: RegExp | undefined;
  return (path) => {
    const spelling = oneLine(options.folded ? foldPath(path) : path);
    compiled ??= anyOf(globs);
    return asWritten.has(spelling) || compiled.test(spelling);
  };
}

function anyOf(globs: readonly string[]): RegExp {
  const sources = globs.map((glob) => picomatch.makeRe(glob, { dot: true, nonegate: true }).source);
  // Of none, an expression that fits nothing.
  return new RegExp(sources.join('|') || '(?!)');
}

/** Compiles a path that stands for itself alone: no character in it means anything else, and nothing below it fits. */
export function compileExactPath(path: string, { folded }: PatternOptions): PathMatcher {
  const wanted = partsOf(path).join('/') || '.';
  const foldedWanted = foldPath(wanted);
  return folded ? (other) => foldPath(other) === foldedWanted : (other) => other === wanted;
}

function partsOf(pattern: string): string[] {
  const parts = pattern.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) throw unusable(pattern, 'it climbs out of the workspace');
  return parts;
}

function expand(pattern: string, { folded }: PatternOptions): string[] {
  if (pattern.length > MAX_PATTERN) throw unusable(pattern, 'it is too long');
  const parts = partsOf(pattern);
  if (parts.length === 0) return ['**', '.'];
  const written = oneLine(folded ? foldPath(parts.join('/')) : parts.join('/'));
  // Quotes mean something to the matcher, and nothing here.
  const glob = written.replaceAll(/(?<!\\)"/g, '\\"');
  const isAnchored = parts.length > 1 || pattern.startsWith('/') || pattern.startsWith('./');
  const base = isAnchored ? glob : `**/${glob}`;
  if (glob === '**') return ['**', '.'];
  return glob.endsWith('/**') ? [base, base.slice(0, -3)] : [base, `${base}/**`];
}

/** Line breaks in names as a character of their own: the matcher's `*` stops at them, and a rule must not. */
function oneLine(text: string): string {
  return text.replaceAll(/[\n\r\u2028\u2029]/g, '\u{f0000}');
}

function unusable(pattern: string, why: string): Failure {
  return new Failure(
    'E_INVALID_ARGS',
    `The path pattern ${JSON.stringify(pattern)} can not be used: ${why}.`,
  );
}
