/** Which branches of which repositories a command moved, made or took away, from the files that it changed. */

/** What is known of changed files; contents of small ones only. */
export interface ChangedContents {
  readonly paths: readonly string[];
  readonly before: (path: string) => Promise<string | undefined>;
  readonly after: (path: string) => Promise<string | undefined>;
}

const BRANCH = /^((?:.*\/)?\.git)\/refs\/heads\/(.+?)(?:\.lock)?$/s;
const PACKED = /^((?:.*\/)?\.git)\/packed-refs$/;

/** A branch that leads elsewhere than before, by the folder of its repository. */
export interface MovedBranch {
  readonly repository: string;
  readonly name: string;
}

/** The branches that lead elsewhere; where refs are only packed, none does. */
export async function movedBranches(contents: ChangedContents): Promise<MovedBranch[]> {
  const moved: MovedBranch[] = [];
  for (const [repository, names] of await candidates(contents)) {
    const before = await refsOf(repository, names, contents, 'before');
    const after = await refsOf(repository, names, contents, 'after');
    for (const name of names) if (before.get(name) !== after.get(name)) moved.push({ repository, name });
  }
  return moved;
}

async function candidates(contents: ChangedContents): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>();
  const add = (repository: string, name: string): void =>
    void found.set(repository, (found.get(repository) ?? new Set()).add(name));
  for (const path of contents.paths) {
    const [, repository, name] = BRANCH.exec(path) ?? [];
    if (repository !== undefined) add(repository, name!);
    const packed = PACKED.exec(path)?.[1];
    if (packed === undefined) continue;
    for (const text of [await contents.before(path), await contents.after(path)])
      for (const [ref] of packedRefs(text)) add(packed, ref);
  }
  return found;
}

/** Where each branch leads, as far as files that changed tell: a file of its own counts before the packed ones. */
async function refsOf(
  repository: string,
  names: ReadonlySet<string>,
  contents: ChangedContents,
  side: 'before' | 'after',
): Promise<Map<string, string>> {
  const changed = new Set(contents.paths);
  const packedPath = `${repository}/packed-refs`;
  const refs = new Map(changed.has(packedPath) ? packedRefs(await contents[side](packedPath)) : []);
  for (const name of names) {
    const path = `${repository}/refs/heads/${name}`;
    const loose = changed.has(path) ? await contents[side](path) : undefined;
    if (loose !== undefined) refs.set(name, loose.trim());
  }
  return refs;
}

function packedRefs(text: string | undefined): [name: string, id: string][] {
  return (text ?? '').split('\n').flatMap((line): [string, string][] => {
    const [, id, name] = /^([0-9a-f]{40,64}) refs\/heads\/(.+)$/.exec(line) ?? [];
    return id === undefined ? [] : [[name!, id]];
  });
}
