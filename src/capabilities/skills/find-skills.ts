/** The skills in some folders. Of two with one name the one in the earlier folder counts, and the other is told of. */
import { Failure } from '../../failure.ts';
import type { FoundSkills, Skill } from '../../runtime/operation.ts';
import { readSkillFile } from './skill-file.ts';

/** A folder with skills in it, at any depth that is sane. */
export interface SkillFolder {
  readonly origin: Skill['origin'];
  /** As people know it. */
  readonly place: string;
  /** Where it is in the workspace, if it is there. */
  readonly directory?: string | undefined;
  /** Every file in it, from the folder. */
  readonly files: readonly string[];
  /** A file up to a size; a failure where it is larger. */
  readonly read: (path: string, maxBytes: number) => Promise<Uint8Array>;
}

const MAX_BYTES = 128 * 1024;
const MAX_DEPTH = 5;
const MAX_SKILLS = 500;

/** Folders come in the order in which they count. */
export async function findSkills(folders: readonly SkillFolder[]): Promise<FoundSkills> {
  const skills = new Map<string, Skill>();
  const warnings: string[] = [];
  for (const folder of folders) {
    const found = skillFiles(folder.files);
    if (found.length > MAX_SKILLS) warnings.push(`${folder.place}: only ${MAX_SKILLS} skills are looked at.`);
    for (const file of found.slice(0, MAX_SKILLS)) {
      const skill = await readSkill(folder, file, warnings);
      if (skill === undefined) continue;
      const other = skills.get(skill.name);
      if (other === undefined) skills.set(skill.name, skill);
      else if (skill.origin !== 'built-in')
        warnings.push(`${skill.place} does not count: there is a skill ${skill.name} in ${other.place}.`);
    }
  }
  return { skills: [...skills.values()].sort((one, other) => (one.name < other.name ? -1 : 1)), warnings };
}

/** A `SKILL.md` below another one belongs to that one. */
function skillFiles(files: readonly string[]): string[] {
  const candidates = files
    .filter((path) => /(?:^|\/)skill\.md$/i.test(path) && path.split('/').length <= MAX_DEPTH + 1)
    .sort((one, other) => one.split('/').length - other.split('/').length || (one < other ? -1 : 1));
  const taken: string[] = [];
  return candidates.filter((path) => {
    const folder = folderOf(path);
    if (taken.some((known) => known === '' || folder === known || folder.startsWith(`${known}/`)))
      return false;
    taken.push(folder);
    return true;
  });
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

async function readSkill(folder: SkillFolder, file: string, warnings: string[]): Promise<Skill | undefined> {
  const inner = folderOf(file);
  const place = inner === '' ? folder.place : `${folder.place}/${inner}`;
  const unusable = (why: string): undefined => void warnings.push(`${place} does not count: ${why}.`);
  let content: string;
  try {
    content = await readText(folder, file);
  } catch (error) {
    if (error instanceof Failure) return unusable(error.message.replace(/\.$/, ''));
    throw error;
  }
  const read = readSkillFile(content, place.split('/').at(-1)!);
  if (typeof read === 'string') return unusable(read);
  for (const warning of read.warnings) warnings.push(`${place}: ${warning}.`);
  const prefix = inner === '' ? '' : `${inner}/`;
  const files = folder.files
    .filter((path) => path.startsWith(prefix) && path !== file)
    .map((path) => path.slice(prefix.length));
  const { origin, directory } = folder;
  return {
    name: read.name,
    description: read.description,
    origin,
    place,
    ...(directory === undefined ? {} : { directory: inner === '' ? directory : `${directory}/${inner}` }),
    content,
    files,
    async readFile(path) {
      if (!files.includes(path)) throw noSuchFile(read.name, path, files);
      return readText(folder, prefix + path);
    },
  };
}

async function readText(folder: SkillFolder, path: string): Promise<string> {
  const bytes = await folder.read(path, MAX_BYTES);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Said below.
  }
  throw new Failure('E_ENCODING', `${JSON.stringify(path)} is not UTF-8 text.`);
}

function noSuchFile(name: string, path: string, files: readonly string[]): Failure {
  const named = files.slice(0, 20).join(', ');
  return new Failure('E_NOT_FOUND', `The skill ${name} has no file ${JSON.stringify(path.slice(0, 200))}.`, {
    hint: named === '' ? 'It has no files beside its SKILL.md.' : `It has ${named}.`,
  });
}
