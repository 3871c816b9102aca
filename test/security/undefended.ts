/**
 * Executors that make the well-known mistakes, one each. They prove that an attack is one: what leaves Handrail
 * unharmed has to harm them. Never to be used for anything else.
 */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OUTSIDE_SECRET, type TempWorkspace } from '../support/temp-workspace.ts';
import { snapshotOutside } from './evidence.ts';
import { PLANTED } from './file-tools.ts';

/** File tools with nothing but a way to find the file. */
export type Undefended = Record<'read' | 'list' | 'write' | 'delete', (path: string) => string>;

function executor({ root }: TempWorkspace, locate: (path: string) => string): Undefended {
  const ground = dirname(root);
  /** Harm is done to the temporary folder only, whatever a table says. */
  const locateToChange = (path: string): string => {
    const full = locate(path);
    if (!full.replace(/^\/proc\/self\/root/, '').startsWith(`${ground}/`))
      throw new Error(`${full} is nothing a test may change`);
    return full;
  };
  return {
    read: (path) => readFileSync(locate(path), 'utf8'),
    list: (path) => readdirSync(locate(path)).join('\n'),
    write(path) {
      const full = locateToChange(path);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, PLANTED);
      return 'written';
    },
    delete(path) {
      rmSync(locateToChange(path), { recursive: true });
      return 'deleted';
    },
  };
}

/** Takes every path as it comes. */
export function unchecked(workspace: TempWorkspace): Undefended {
  return executor(workspace, (path) => resolve(workspace.root, path));
}

/** Believes that what starts like the root lies below it. */
export function prefixChecked(workspace: TempWorkspace): Undefended {
  const { root } = workspace;
  return executor(workspace, (path) => {
    const full = resolve(root, path);
    if (!full.startsWith(root)) throw new Error('outside');
    return full;
  });
}

/** Is helpful with notations: homes, variables, URLs, escapes. */
export function expanding(workspace: TempWorkspace): Undefended {
  const { root, locations } = workspace;
  return executor(workspace, (path) => {
    if (path.startsWith('file://')) return fileURLToPath(path);
    const expanded = path.replace(/^(~|\$HOME|\$\{HOME\}|%USERPROFILE%)/, locations.home);
    return resolve(root, decodeURIComponent(expanded).replaceAll('\\', '/'));
  });
}

/** Checks the real path, then opens by name again; where there is no real path yet, it trusts what was written. */
export function realpathChecked(workspace: TempWorkspace): Undefended {
  const { root } = workspace;
  return executor(workspace, (path) => {
    const full = resolve(root, path);
    let real = full;
    try {
      real = realpathSync(full);
    } catch {
      // The mistake: what can not be resolved is taken to be new, and new to be harmless.
    }
    if (!real.startsWith(`${root}/`)) throw new Error('outside');
    return full;
  });
}

/** Checks the real path of the folder and gives up where there is none, but still opens by name afterwards. */
export function realpathThenOpen(workspace: TempWorkspace): Undefended {
  const { root } = workspace;
  return executor(workspace, (path) => {
    const full = resolve(root, path);
    if (!`${realpathSync(dirname(full))}/`.startsWith(`${root}/`)) throw new Error('outside');
    return full;
  });
}

/** Guards some names, compared as they are written. */
export function nameChecked(workspace: TempWorkspace, guarded: readonly string[]): Undefended {
  const { root } = workspace;
  return executor(workspace, (path) => {
    if (guarded.some((name) => path === name || path.startsWith(`${name}/`))) throw new Error('denied');
    return resolve(root, path);
  });
}

/** What a path does to the outside in such an executor; an empty list where it is harmless. */
export function harmDone(
  workspace: TempWorkspace,
  { read, list, write, delete: remove }: Undefended,
  path: string,
): string[] {
  const seen = (): string => JSON.stringify(snapshotOutside(workspace));
  const harm: string[] = [];
  if (attempt(() => read(path)).includes(OUTSIDE_SECRET)) harm.push('read the secret');
  if (/(^|\n)s\.txt(\n|$)/.test(attempt(() => list(path)))) harm.push('listed the outside');
  for (const change of [write, remove]) {
    const before = seen();
    attempt(() => change(path));
    if (seen() !== before) harm.push('changed the outside');
  }
  return harm;
}

function attempt(work: () => string): string {
  try {
    return work();
  } catch {
    return '';
  }
}

/** Lets the caller choose the root. */
export function readWithCallersRoot({ root }: TempWorkspace, args: Readonly<Record<string, string>>): string {
  const { path = '', cwd, workspace, root: given } = args;
  return readFileSync(resolve(root, cwd ?? workspace ?? given ?? '.', path), 'utf8');
}

/** Puts a file name into a command line. */
export function readWithShell({ root }: TempWorkspace, name: string): void {
  execFileSync('/bin/sh', ['-c', `cat ${name} || true`], { cwd: root, stdio: 'ignore' });
}

/** Gives a file name to a program as it is. */
export function removeWithProgram({ root }: TempWorkspace, name: string): void {
  execFileSync('rm', [name], { cwd: root, stdio: 'ignore' });
}

/** Walks a tree and follows links; returns the files it met. */
export function walkFollowing(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    // The kernel stops it after forty links, or it would never end.
    if (attempt(() => String(statSync(path).isDirectory())) === 'true') return walkFollowing(path);
    return existsSync(path) ? [path] : [];
  });
}

/** Deletes the files of a tree, and of what its links lead to. */
export function deleteFollowing(folder: string): void {
  for (const path of walkFollowing(folder)) rmSync(path, { force: true });
}

/** A log of lines of text: no escaping, no masking, no chain. */
export function plainLog(file: string): { write(tool: string, path: string): void; entries(): string[] } {
  return {
    write: (tool, path) => appendFileSync(file, `tool=${tool} path=${path} ok\n`),
    entries: () => readFileSync(file, 'utf8').split('\n').slice(0, -1),
  };
}

/** A log of JSON lines that keeps everything, and checks no more than that each line is JSON. */
export function rawJsonLog(file: string): { write(record: unknown): void; isIntact(): boolean } {
  return {
    write: (record) => appendFileSync(file, `${JSON.stringify(record)}\n`),
    isIntact() {
      try {
        for (const line of readFileSync(file, 'utf8').split('\n').slice(0, -1)) JSON.parse(line);
        return true;
      } catch {
        return false;
      }
    },
  };
}

interface SimpleRule {
  readonly action: 'allow' | 'ask' | 'deny';
  readonly path?: string;
}

/** The first rule that fits wins; nothing fits, nothing is forbidden; paths by their beginning. */
export function firstMatch(rules: readonly SimpleRule[], path: string): SimpleRule['action'] {
  return rules.find((rule) => rule.path === undefined || path.startsWith(rule.path))?.action ?? 'allow';
}

/** Loads a policy in good faith: what can't be read is no policy, and the project's word goes over the user's. */
export function loadInGoodFaith(...texts: readonly string[]): Record<string, unknown> {
  let policy: Record<string, unknown> = {};
  for (const text of texts) {
    try {
      policy = { ...policy, ...(JSON.parse(text) as Record<string, unknown>) };
    } catch {
      // The mistake: a broken policy counts as an empty one.
    }
  }
  return policy;
}

/** An allow list that means "everything" when it is empty. */
export function isListed(list: readonly string[] | undefined, name: string): boolean {
  return list === undefined || list.length === 0 || list.includes(name);
}

/** Finds tools in a plain object, where every object has some already. */
export function dispatch(tools: Readonly<Record<string, unknown>>, name: string): boolean {
  return typeof tools[name] === 'function';
}
