/** What a workspace has that a person could trust, all of it together; and their yes, which counts for exactly what they saw. */
import { hash } from 'node:crypto';
import { Failure } from '../failure.ts';
import type { Clock, Files } from '../host/ports.ts';
import type { Database } from '../store/store.ts';
import {
  INSTRUCTIONS,
  isTrusted,
  KINDS,
  projectConfig,
  SETTINGS_FOLDER,
  SHARED_SKILLS,
  trust,
  type TrustContent,
  trustContent,
} from './trust.ts';

export interface TrustSources {
  readonly files: Files;
  readonly database: Database;
  readonly workspace: string;
}

export interface TrustOffer {
  readonly contents: readonly (TrustContent & { readonly isTrusted: boolean })[];
  /** Over all of it. */
  readonly hash: string;
  /** What nobody could trust as it is, and why. */
  readonly problems: readonly string[];
}

/** Reads it. Skills or instructions that can't be trusted keep nobody from trusting the settings. */
export async function readTrustOffer({ files, database, workspace }: TrustSources): Promise<TrustOffer> {
  const problems: string[] = [];
  const others = ([SHARED_SKILLS, INSTRUCTIONS] as const).map((folder) =>
    trustContent(files, folder).catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error;
      problems.push(error.message);
      return undefined;
    }),
  );
  const found = await Promise.all([trustContent(files), ...others]);
  const contents = found.filter((content) => content !== undefined);
  return {
    contents: await Promise.all(
      contents.map(async (content) => ({
        ...content,
        isTrusted: await isTrusted(database, workspace, content),
      })),
    ),
    hash: hash('sha256', JSON.stringify(contents.map((content) => [content.folder, content.hash]))),
    problems,
  };
}

/** Trusts what was shown, where that is what is there; gives it as it was. */
export async function acceptTrustOffer(
  sources: TrustSources,
  clock: Clock,
  shown: string,
): Promise<TrustOffer> {
  const offer = await readTrustOffer(sources);
  if (offer.hash !== shown)
    throw new Failure('E_CONFLICT', `The ${kindsIn(offer)} changed while they were shown.`, {
      hint: 'Look at them again.',
    });
  refuseUnusable(offer);
  const { database, workspace } = sources;
  for (const content of offer.contents) await trust(database, clock, workspace, content);
  return offer;
}

/** Settings that can't be used are not trusted either. */
export function refuseUnusable({ contents }: TrustOffer): void {
  for (const content of contents) if (content.folder === SETTINGS_FOLDER) projectConfig(content);
}

/** What people call what is in it. */
export function kindsIn({ contents }: TrustOffer): string {
  return contents.length === 0 ? 'settings' : contents.map(({ folder }) => KINDS[folder]).join(' and ');
}
