/**
 * The one place where a path that came from outside becomes a workspace path: relative, normalised,
 * `/`-separated, never climbing above the root. Pure: no file is looked at, nothing is expanded or decoded.
 */
import { Failure } from '../failure.ts';

/** How a dialect wants paths written. */
export interface PathRules {
  /** Whether an absolute path that lies below the root is taken. */
  readonly absolute: 'inside-root' | 'refused';
  /** Whether a `..` is refused even where the path stays inside. */
  readonly refuseParent?: boolean;
  /** Whether a path may name another project, `[id]/path`; blanks around it and one leading `@` are then left out. */
  readonly projects?: true;
  /** The longest path in characters; the machine's own limits hold in any case. */
  readonly maxLength?: number;
}

/** The root's real path first, then other spellings of it, such as one through a link. */
export type Roots = readonly [string, ...string[]];

const MAX_PATH_BYTES = 4096;
const MAX_NAME_BYTES = 255;
const MAX_COMPONENTS = 255;

/** Turns a path argument into a workspace path, or fails with the reason it can not be one. */
export function workspacePath(written: string, roots: Roots, rules: PathRules): string {
  refuseUnnameable(written, rules);
  refuseOtherNotations(written);
  const parts = written.startsWith('/') ? belowRoot(written, roots, rules) : written.split('/');
  if (rules.refuseParent === true && parts.includes('..')) throw outside(written, climbed(parts, roots[0]));
  const path = normalise(parts, written, roots[0]);
  refuseLongPath(path, written);
  return path;
}

/** A path that may name a project: which one, and the path there. `./[name]` is a folder of that name. */
export function projectPath(written: string): {
  readonly project: string | undefined;
  readonly path: string;
} {
  const path = written.trim().replace(/^@/, '');
  const [, project, rest] = /^\[([^\]]+)\](?:\/(.*))?$/s.exec(path) ?? [];
  return project === undefined ? { project, path } : { project, path: rest || '.' };
}

/** Whether `path` is `tree` or lies below it; both are workspace paths. */
export function isWithin(path: string, tree: string): boolean {
  return tree === '.' || path === tree || path.startsWith(`${tree}/`);
}

/** The workspace path of what lies at `path` in a folder. */
export function pathIn(folder: string, path: string): string {
  if (path === '.') return folder;
  return folder === '.' ? path : `${folder}/${path}`;
}

/** The workspace path of a normalised absolute path, or undefined where it lies outside the root. */
export function relativeToRoot(absolute: string, roots: Roots): string | undefined {
  if (roots.includes(absolute)) return '.';
  const root = roots.find((root) => absolute.startsWith(`${root}/`));
  return root === undefined ? undefined : absolute.slice(root.length + 1);
}

function refuseUnnameable(written: string, rules: PathRules): void {
  if (written === '')
    throw invalid('The path is empty.', 'Give a path relative to the workspace; `.` is its root.');
  if (written.includes('\0')) throw invalid('The path contains a NUL character.');
  if (!written.isWellFormed())
    throw invalid('The path contains half a Unicode character, which no file name can.');
  const limit = Math.min(rules.maxLength ?? MAX_PATH_BYTES, MAX_PATH_BYTES);
  if (written.length > limit) {
    throw invalid(`The path has ${written.length} characters, more than the ${limit} that are allowed.`);
  }
}

/** Spellings that mean a place elsewhere to some other program; taken literally they only surprise. */
function refuseOtherNotations(written: string): void {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(written)) throw invalid('The path is a URL.', 'Give a plain path.');
  if (/^(\\\\|\\\?\?\\|[a-z]:[\\/])/i.test(written))
    throw invalid('The path is a Windows device, share or drive path.');
  if (/^~(\/|$|[a-z_][a-z0-9_-]*\/)/i.test(written)) {
    throw invalid(
      'The path starts at a home folder (`~`), which is never expanded.',
      'Give a path relative to the workspace.',
    );
  }
  if (/^(\$\{?[A-Z_]+\}?|%[A-Z_]+%)([\\/]|$)/.test(written)) {
    throw invalid('The path starts with an environment variable, which is never expanded.');
  }
  if (/%(2e|2f|5c|00)/i.test(written))
    throw invalid('The path contains a percent-encoded dot, separator or NUL.');
  if (/:+\$[a-z_]+/i.test(written)) throw invalid('The path names an alternate data stream.');
  if (/(^|[\\/])(\.?git|handra|ssh)~\d/i.test(written)) throw invalid('The path uses a Windows short name.');
  if (written.split(/[\\/]/).some((part) => /[. ]$/.test(part) && !/^\.\.?$/.test(part))) {
    throw invalid('The path has a name that ends in a dot or a blank, which not every system can keep.');
  }
}

function belowRoot(written: string, roots: Roots, rules: PathRules): string[] {
  if (rules.absolute === 'refused') {
    throw invalid(
      `The path ${JSON.stringify(written)} is absolute.`,
      'Give a path relative to the workspace.',
    );
  }
  // Climbing is judged on the whole path: `/ws/../ws-evil` must not pass because it starts well.
  const parts: string[] = [];
  for (const part of written.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  const inside = relativeToRoot(`/${parts.join('/')}`, roots);
  if (inside === undefined) throw outside(written, `/${parts.join('/')}`);
  return inside.split('/');
}

function normalise(parts: readonly string[], written: string, root: string): string {
  const kept: string[] = [];
  for (const part of parts) {
    if (part === '' || part === '.') continue;
    if (part !== '..') kept.push(part);
    else if (kept.pop() === undefined) throw outside(written, climbed(parts, root));
  }
  return kept.length === 0 ? '.' : kept.join('/');
}

/** Where a climbing path would have led, for the message. */
function climbed(parts: readonly string[], root: string): string {
  const reached = root.split('/');
  for (const part of parts) {
    if (part === '..') reached.pop();
    else if (part !== '' && part !== '.') reached.push(part);
  }
  return reached.join('/') || '/';
}

function refuseLongPath(path: string, written: string): void {
  const names = path.split('/');
  if (names.length > MAX_COMPONENTS) {
    throw invalid(`The path has ${names.length} parts, more than the ${MAX_COMPONENTS} that are allowed.`);
  }
  const long = names.find((name) => Buffer.byteLength(name) > MAX_NAME_BYTES);
  if (long !== undefined || Buffer.byteLength(written) > MAX_PATH_BYTES) {
    throw invalid('The path, or a name in it, is longer than file systems allow.');
  }
}

function invalid(message: string, hint?: string): Failure {
  return new Failure('E_INVALID_PATH', message, hint === undefined ? {} : { hint });
}

/** The failure for a path that leaves the workspace; it names where the path really leads. */
export function outside(written: string, leadsTo: string): Failure {
  return new Failure(
    'E_OUTSIDE_WORKSPACE',
    `The path ${JSON.stringify(written)} leads outside the workspace, to ${JSON.stringify(leadsTo)}.`,
    { hint: 'Only files inside the workspace can be reached.', details: { resolved: leadsTo } },
  );
}

/** The failure for a tree that holds something the policy denies. */
export function notToBeTouched(path: string, inner: string): Failure {
  return new Failure(
    'E_POLICY_DENIED',
    `${JSON.stringify(path)} holds ${JSON.stringify(inner)}, which must not be touched.`,
    {
      hint: 'Nothing was changed. Go on with the other entries one by one.',
    },
  );
}
