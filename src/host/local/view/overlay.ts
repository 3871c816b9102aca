/**
 * A copy-on-write view of the workspace: an overlay mounted over it in a mount name space of its own, which a small
 * shell holds until it is told to end, or this process does. The workspace is what that shell was started in, so
 * whatever its name means by then, the pinned folder is the one below.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statfsSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Failure } from '../../../failure.ts';
import { DirectoryHandle } from '../directory-handle.ts';
import { coveredDescriptors } from '../inherited-descriptors.ts';
import type { Root } from '../root.ts';

/** The programs of util-linux that it takes. */
export interface OverlayPrograms {
  readonly unshare: string;
  readonly nsenter: string;
  readonly mount: string;
}

/** What a sandbox has to know to show the view in place of the workspace. */
export interface Shown {
  /** What comes before a program so that it runs where the view is mounted. */
  readonly enter: readonly string[];
  /** Whom the command must be again inside; undefined where it never was anybody else. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  /** The device and inode of the view's root. */
  readonly device: bigint;
  readonly inode: bigint;
}

export interface Overlay extends Shown, Disposable {
  /** The view as the command sees it. */
  readonly merged: DirectoryHandle;
}

const CONTROL = 3;
const OVERLAY_MAGIC = 0x794c7630;
const HOLD = `"$1" -c -t overlay -o "$2" overlay . && echo >&${CONTROL} && read -r _ <&${CONTROL}`;

/** Mounts a view over the workspace; `folder` has the folders `upper` and `work`, and nothing that options are split at. */
export async function mountOverlay(
  { unshare, nsenter, mount }: OverlayPrograms,
  root: Root,
  folder: string,
  within: readonly string[],
): Promise<Overlay> {
  const isRoot = process.getuid?.() === 0;
  using workspace = root.open();
  const layers = `lowerdir=.,upperdir=${folder}/upper,workdir=${folder}/work`;
  // Unsynced, since nothing of it counts before it was taken over. Inodes stay those of the workspace on any file system.
  const options = `${layers},volatile,xino=on${isRoot ? '' : ',userxattr'}`;
  // Root's view needs nothing of where the command will be; anybody else's belongs to the users known there.
  const entered = isRoot || within.length === 0 ? [] : [nsenter, ...within];
  const [program, ...args] = [
    ...entered,
    unshare,
    isRoot ? '-m' : '-Urm',
    '--propagation=private',
    '/bin/sh',
    '-c',
    HOLD,
    'handrail',
    mount,
    options,
  ] as const;
  const holder = spawn(program, args, {
    cwd: workspace.entry('.').toString(),
    env: { NODE_V8_COVERAGE: undefined },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', ...coveredDescriptors(CONTROL + 1)],
    detached: true,
  });
  const control = holder.stdio[CONTROL] as Duplex;
  try {
    await mounted(holder, control);
    const merged = openMerged(holder.pid!, root, workspace);
    const { dev, ino } = merged.identity();
    const target = ['-t', String(holder.pid), '-m'];
    return {
      enter: [nsenter, ...target, ...(isRoot ? [] : ['-U', '--preserve-credentials']), '--'],
      user: isRoot ? undefined : { uid: process.getuid!(), gid: process.getgid!() },
      device: dev,
      inode: ino,
      merged,
      [Symbol.dispose]() {
        merged[Symbol.dispose]();
        release(control);
      },
    };
  } catch (error) {
    release(control);
    throw error;
  }
}

async function mounted(holder: ChildProcess, control: Duplex): Promise<void> {
  control.on('error', () => {});
  const said = text(holder.stderr!);
  const ended = Promise.race([once(holder, 'exit'), once(holder, 'error')]).then(async ([error]) => {
    const reason = error instanceof Error ? error.message : (await said).trim().split('\n', 1)[0];
    throw new Failure('E_UNSUPPORTED', `No view of the workspace could be made: ${reason}`, {
      hint: 'Nothing was run. `handrail doctor` says what views need.',
    });
  });
  await Promise.race([once(control, 'data'), ended]);
  ended.catch(() => {});
}

/** By name, as the sandbox will mount it; it must be the overlay, and not what somebody put in its place. */
function openMerged(pid: number, root: Root, workspace: DirectoryHandle): DirectoryHandle {
  const merged = DirectoryHandle.openAbsolute(`/proc/${pid}/root${root.roots[0]}`);
  const isOverlay = statfsSync(merged.entry('.')).type === OVERLAY_MAGIC;
  if (isOverlay && merged.identity().dev !== workspace.identity().dev) return merged;
  merged[Symbol.dispose]();
  throw new Failure('E_CONFLICT', 'The workspace was moved while a view of it was being made.', {
    hint: 'Nothing was run. Send the call again.',
  });
}

/** The shell ends; the kernel unmounts the view once nobody uses it any more. */
function release(control: Duplex): void {
  control.end('\n', () => control.destroy());
}
