/** Adds to the state of git's index what it means. */
import type { EntryState } from '../../entry-state.ts';
import { gitIndexMeaning, isGitIndex, MAX_INDEX_BYTES } from '../../git-index-meaning.ts';
import type { OpenFile } from '../../ports.ts';

/** The state as it is, for everything but an index. */
export async function withMeaning(path: string, state: EntryState, file: OpenFile): Promise<EntryState> {
  if (state.kind !== 'file' || !isGitIndex(path) || file.stat.size > MAX_INDEX_BYTES) return state;
  const content = Buffer.alloc(file.stat.size);
  let filled = 0;
  for (let chunk: Buffer; filled < content.length; filled += chunk.length) {
    chunk = await file.read(filled, content.length - filled, content.subarray(filled));
    if (chunk.length === 0) break;
  }
  const meaning = gitIndexMeaning(content.subarray(0, filled));
  return meaning === undefined ? state : { ...state, meaning };
}
