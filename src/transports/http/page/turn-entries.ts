/// <reference lib="dom" />
/** What a turn did to its entries; what it did to the content of one is fetched when somebody opens it. */
import type { EntryDiff } from '../../../journal/entry-diff.ts';
import type { TurnEntry } from '../../../journal/turn-entries.ts';
import type { Connection } from './connection.ts';
import { diffBox } from './diff-box.ts';
import { element, visible } from './elements.ts';

/** A turn with no more entries than this shows them all at once. */
const SHOWN_AT_ONCE = 3;

/** The entries of the turn at this path of the server. */
export function entryList(
  turnPath: string,
  entries: readonly TurnEntry[],
  connection: Connection,
): HTMLElement {
  const withContent = entries.filter(hasContent).length;
  const toItem = (entry: TurnEntry): HTMLElement => {
    const line = entryLine(entry);
    if (!hasContent(entry) || !connection.mayAnswer) return element('li', '', ...line);
    const body = element('div', 'entry-body');
    const details = element('details', 'entry', element('summary', '', ...line), body);
    details.addEventListener(
      'toggle',
      () => void showDiff(`${turnPath}/diff?path=${encodeURIComponent(entry.path)}`, body, connection),
      { once: true },
    );
    details.open = withContent <= SHOWN_AT_ONCE;
    return element('li', '', details);
  };
  return element('ul', 'entries changes', ...entries.map(toItem));
}

/** Whether there may be lines to compare: not in directories, and not where all that changed is the place. */
function hasContent({ before, after, movedFrom }: TurnEntry): boolean {
  const isCompared = (kind: TurnEntry['before']): boolean => kind === 'file' || kind === 'link';
  return movedFrom === undefined && (isCompared(before) || isCompared(after));
}

function entryLine({ path, before, after, movedFrom, modes }: TurnEntry): (Node | string)[] {
  const change = movedFrom === undefined ? changeOf(before, after) : 'moved';
  const kind = after === 'missing' ? before : after;
  return [
    element('span', `mark ${change}`, change),
    ' ',
    ...(movedFrom === undefined ? [] : [element('code', '', visible(movedFrom)), ' → ']),
    element('code', '', visible(kind === 'directory' ? `${path}/` : path)),
    ...(kind === 'link' ? [' ', element('span', 'muted', 'link')] : []),
    ...(modes === undefined
      ? []
      : [' ', element('span', 'muted', `mode ${octal(modes.before)} → ${octal(modes.after)}`)]),
  ];
}

function changeOf(before: TurnEntry['before'], after: TurnEntry['after']): string {
  if (before === 'missing') return 'created';
  return after === 'missing' ? 'deleted' : 'changed';
}

function octal(mode: number): string {
  return mode.toString(8).padStart(3, '0');
}

async function showDiff(path: string, body: HTMLElement, connection: Connection): Promise<void> {
  try {
    const { diff, note } = await connection.read<EntryDiff>(path);
    body.replaceChildren(
      ...(note === undefined ? [] : [element('p', 'muted', note)]),
      ...(diff === '' ? [] : [diffBox(diff)]),
      ...(diff === '' && note === undefined ? [element('p', 'muted', 'Its content stayed the same.')] : []),
    );
  } catch (error) {
    body.replaceChildren(element('p', 'trouble', (error as Error).message));
  }
}
