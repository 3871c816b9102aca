/**
 * Where skills are looked for, in the order in which they count: the user's folders, those of a workspace that a person
 * trusted, and what is built in. What is read of a workspace is the very content that is trusted.
 */
import { CREATE_SKILL } from './capabilities/skills/create-skill.ts';
import { findSkills, type SkillFolder } from './capabilities/skills/find-skills.ts';
import {
  isTrusted,
  SETTINGS_FOLDER,
  SHARED_SKILLS,
  type TrustContent,
  trustContent,
  type TrustedFolder,
} from './config/trust.ts';
import { Failure } from './failure.ts';
import { localUserFolder } from './host/local/user-folder.ts';
import type { Files } from './host/ports.ts';
import type { Locations } from './policy/places.ts';
import type { SkillShelf } from './runtime/skills.ts';
import type { Database } from './store/store.ts';

export interface SkillSources {
  readonly files: Files;
  readonly database: Database;
  readonly workspace: string;
  readonly locations: Locations;
  /** More folders of the user's, as the settings name them. */
  readonly paths: readonly string[];
}

/** The shelf of a runtime; without sources, what is built in is all there is. */
export function openSkills(sources: SkillSources | undefined): SkillShelf {
  return {
    async find() {
      const warnings: string[] = [];
      const outside =
        sources === undefined
          ? []
          : [...(await userFolders(sources, warnings)), ...(await workspaceFolders(sources, warnings))];
      const found = await findSkills([...outside, BUILT_IN]);
      return { ...found, warnings: [...warnings, ...found.warnings] };
    },
  };
}

const BUILT_IN: SkillFolder = {
  origin: 'built-in',
  place: 'handrail',
  files: ['create-skill/SKILL.md'],
  read: async () => Buffer.from(CREATE_SKILL),
};

async function userFolders(
  { locations: { home, config }, paths }: SkillSources,
  warnings: string[],
): Promise<SkillFolder[]> {
  const named = paths.map((path) => path.replace(/^~(?=\/)/, home));
  const places = new Set([`${config}/skills`, `${home}/.agents/skills`, ...named]);
  const folders: SkillFolder[] = [];
  for (const place of places) {
    const folder = localUserFolder(place, home);
    const found = await orFailure(folder.list());
    if (found instanceof Failure) {
      // Nobody needs to have the usual ones.
      if (found.code !== 'E_NOT_FOUND' || named.includes(place))
        warnings.push(`${place} does not count: ${found.message}`);
      continue;
    }
    for (const link of found.skipped)
      warnings.push(
        `${place}/${link} does not count: it is a link. Name what it leads to in "skills.paths".`,
      );
    folders.push({ origin: 'user', place, files: found.files, read: folder.read });
  }
  return folders;
}

async function workspaceFolders(sources: SkillSources, warnings: string[]): Promise<SkillFolder[]> {
  const folders: SkillFolder[] = [];
  for (const [trusted, directory] of WORKSPACE_FOLDERS) {
    const content = await orFailure(trustContent(sources.files, trusted));
    if (content instanceof Failure) {
      warnings.push(`${directory} does not count: ${content.message}`);
      continue;
    }
    const files = filesBelow(content, directory);
    if (content === undefined || files.size === 0) continue;
    if (await isTrusted(sources.database, sources.workspace, content))
      folders.push({
        origin: 'workspace',
        place: directory,
        directory,
        files: [...files.keys()],
        read: async (path, maxBytes) => upTo(maxBytes, path, files.get(path)!),
      });
    else
      warnings.push(`${directory} does not count: nobody trusted it as it is; \`handrail trust\` shows it.`);
  }
  return folders;
}

const WORKSPACE_FOLDERS: readonly (readonly [trusted: TrustedFolder, directory: string])[] = [
  [SETTINGS_FOLDER, `${SETTINGS_FOLDER}/skills`],
  [SHARED_SKILLS, SHARED_SKILLS],
];

function filesBelow(content: TrustContent | undefined, folder: string): Map<string, Buffer> {
  const below = content?.files.filter(({ path }) => path.startsWith(`${folder}/`)) ?? [];
  return new Map(below.map(({ path, bytes }) => [path.slice(folder.length + 1), bytes]));
}

function upTo(maxBytes: number, path: string, bytes: Buffer): Buffer {
  if (bytes.length <= maxBytes) return bytes;
  throw new Failure('E_TOO_LARGE', `${JSON.stringify(path)} is larger than ${maxBytes} bytes.`);
}

async function orFailure<Result>(work: Promise<Result>): Promise<Result | Failure> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}
