/** Settings of a repository that git obeys without running anything or looking anywhere else. */

const HARMLESS: readonly RegExp[] = [
  /^core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol)$/,
  /^(extensions|branch\.[^\n]*)\.(objectformat|refstorage|remote|merge|rebase)$/,
  /^(user|author|committer)\.(name|email)$/,
  /^(init\.defaultbranch|remote\.[^\n]*\.fetch|submodule\.active|pull\.rebase|push\.default)$/,
];

/** An address that git asks itself, and no program for it. */
const ADDRESS = /^(https?:\/\/|ssh:\/\/|git:\/\/|file:\/\/|[\w.~/][\w.@:~/ -]*$)/;

const SECTION = /^\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]$/;
const SETTING = /^([\w-]+)\s*(?:=\s*(.*))?$/;

/** Whether nothing else is in a config file. What can't be read is not harmless. */
export function isHarmlessConfig(text: string): boolean {
  let section = '';
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue;
    // It goes on in the next line.
    if (line.endsWith('\\')) return false;
    const [, name, inner] = SECTION.exec(line) ?? [];
    if (name !== undefined)
      section = inner === undefined ? name.toLowerCase() : `${name.toLowerCase()}.${inner}`;
    else if (!isHarmless(section, line)) return false;
  }
  return true;
}

function isHarmless(section: string, line: string): boolean {
  const [, written, value = ''] = SETTING.exec(line) ?? [];
  if (written === undefined) return false;
  const key = `${section}.${written.toLowerCase()}`;
  if (/^remote\..*\.(push)?url$/s.test(key)) return ADDRESS.test(value) && !value.includes('::');
  // The work tree of a submodule lies beside its repository.
  if (key === 'core.worktree') return /^(\.\.\/)+[\w./ -]+$/.test(value);
  return HARMLESS.some((pattern) => pattern.test(key));
}
