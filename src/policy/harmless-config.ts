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

/** Whether nothing else is in a config file, but what was there before. What can't be read is not harmless. */
export function isHarmlessConfig(text: string, before = ''): boolean {
  const known = new Set(linesOf(before).map(({ section, line }) => `${section}\n${line}`));
  return linesOf(text).every(
    ({ section, line }) => known.has(`${section}\n${line}`) || isHarmless(section, line),
  );
}

/** The settings of a config file, each in its section. */
function linesOf(text: string): { readonly section: string; readonly line: string }[] {
  let section = '';
  const lines: { section: string; line: string }[] = [];
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue;
    const [, name, inner] = SECTION.exec(line) ?? [];
    if (name === undefined) lines.push({ section, line });
    else section = inner === undefined ? name.toLowerCase() : `${name.toLowerCase()}.${inner}`;
  }
  return lines;
}

function isHarmless(section: string, line: string): boolean {
  const [, written, value = ''] = SETTING.exec(line) ?? [];
  // It goes on in the next line, or is nothing that is known.
  if (written === undefined || line.endsWith('\\')) return false;
  const key = `${section}.${written.toLowerCase()}`;
  if (/^remote\..*\.(push)?url$/s.test(key)) return ADDRESS.test(value) && !value.includes('::');
  // The work tree of a submodule lies beside its repository.
  if (key === 'core.worktree') return /^(\.\.\/)+[\w./ -]+$/.test(value);
  return HARMLESS.some((pattern) => pattern.test(key));
}
