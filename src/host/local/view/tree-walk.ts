/** Goes from folder to folder of one tree by handles, and keeps those on the way to the last one open for the next. */
import { Failure } from '../../../failure.ts';
import type { DirectoryHandle } from '../directory-handle.ts';

export class TreeWalk implements Disposable {
  readonly #handles: DirectoryHandle[];
  #names: string[] = [];

  /** Takes the root over. */
  constructor(root: DirectoryHandle) {
    this.#handles = [root];
  }

  /** The folder that a path is in, and its name there; fails on links. */
  parentOf(path: string): { readonly folder: DirectoryHandle; readonly name: string } {
    const names = path.split('/');
    const name = names.pop()!;
    let same = 0;
    while (same < names.length && names[same] === this.#names[same]) same++;
    this.#leaveTo(same);
    for (const next of names.slice(same)) {
      refuseUnnormalised(next);
      this.#handles.push(this.#handles.at(-1)!.openDirectory(next));
      this.#names.push(next);
    }
    refuseUnnormalised(name);
    return { folder: this.#handles.at(-1)!, name };
  }

  [Symbol.dispose](): void {
    for (const handle of this.#handles.splice(0)) handle[Symbol.dispose]();
  }

  #leaveTo(depth: number): void {
    for (const handle of this.#handles.splice(depth + 1)) handle[Symbol.dispose]();
    this.#names = this.#names.slice(0, depth);
  }
}

/** What is on record is written by Handrail; whoever made this one up must not get anywhere by it. */
function refuseUnnormalised(name: string): void {
  if (name === '..' || name === '.' || name === '')
    throw new Failure('E_INVALID_PATH', 'The path is not normalised.');
}
