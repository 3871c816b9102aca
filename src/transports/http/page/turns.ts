/// <reference lib="dom" />
/** Turns, what each did to its entries, and the way back: first what it would do, then doing it. */
import type { TurnEntry } from '../../../journal/turn-entries.ts';
import type { TurnSummary } from '../../../journal/turns.ts';
import type { UndoReport } from '../../../journal/undo.ts';
import type { UndoStep } from '../../../journal/undo-plan.ts';
import type { Connection } from './connection.ts';
import { button, element, shell, timeOf, visible } from './elements.ts';
import { keyedList } from './keyed-list.ts';
import { entryList } from './turn-entries.ts';

/** The section; shows what it is given. */
export function turnsSection(connection: Connection): (turns: readonly TurnSummary[]) => void {
  const list = keyedList<TurnSummary>({
    container: shell('turns'),
    empty: shell('no-turns'),
    keyOf: ({ id }) => id,
    build: (turn, before) =>
      turnDetails(turn, connection, before instanceof HTMLDetailsElement && before.open),
  });
  return (turns) => void list.show(turns);
}

function turnDetails(turn: TurnSummary, connection: Connection, isOpen: boolean): HTMLElement {
  const { id, kind, started_at, entries } = turn;
  const state = stateOf(turn);
  const body = element('div', 'turn-body');
  const details = element(
    'details',
    `turn ${state === 'taken back' ? 'over' : ''}`,
    element(
      'summary',
      '',
      timeOf(started_at),
      element('span', 'what', kind === 'undo' ? 'undo' : 'work'),
      element('span', 'muted', counted(entries, 'entry', 'entries')),
      element('span', 'state', state),
    ),
    body,
  );
  details.addEventListener('toggle', () => {
    if (details.open) void showEntries(turn, body, connection);
  });
  details.open = isOpen;
  details.id = id;
  return details;
}

function stateOf({ undone_by, ended, process }: TurnSummary): string {
  if (undone_by !== null) return 'taken back';
  if (process !== undefined) return `under way in process ${process}`;
  return ended === 0 ? 'cut short' : '';
}

async function showEntries(turn: TurnSummary, body: HTMLElement, connection: Connection): Promise<void> {
  const path = `/turns/${encodeURIComponent(turn.id)}`;
  try {
    const entries = await connection.read<TurnEntry[]>(path);
    const canUndo = stateOf(turn) === '' && connection.mayAnswer;
    const plan = element('div', 'plan');
    const show = button('Undo…', '', () => void showPlan(path, { plan, show, connection }));
    body.replaceChildren(
      entryList(path, entries, connection),
      ...(canUndo ? [element('p', 'row', show), plan] : []),
    );
  } catch (error) {
    body.replaceChildren(element('p', 'trouble', (error as Error).message));
  }
}

interface PlanParts {
  readonly plan: HTMLElement;
  /** What led here; it comes back when the person changes their mind. */
  readonly show: HTMLButtonElement;
  readonly connection: Connection;
}

const WOULD: Readonly<Record<UndoStep['action'], string>> = {
  restore: 'restore',
  remove: 'remove',
  keep: 'as it was',
  conflict: 'leave alone',
  lost: 'leave alone',
};

async function showPlan(path: string, { plan, show, connection }: PlanParts): Promise<void> {
  show.hidden = true;
  const close = (): void => {
    plan.replaceChildren();
    show.hidden = false;
    show.focus();
  };
  try {
    const { steps } = await connection.read<UndoReport>(`${path}/undo`);
    const take = button('Take back', 'yes', () => {
      take.disabled = true;
      void takeBack(path, { plan, show, connection });
    });
    plan.replaceChildren(
      element('p', '', prospect(steps)),
      element(
        'ul',
        'entries',
        ...[...steps.filter(isLeftAlone), ...steps.filter((step) => !isLeftAlone(step))].map(stepLine),
      ),
      element('p', 'row', ...(steps.some(isChange) ? [take] : []), button('Back', '', close)),
    );
    plan.querySelector('button')?.focus();
  } catch (error) {
    plan.replaceChildren(element('p', 'trouble', (error as Error).message), button('Back', '', close));
  }
}

/** What would become of a turn, in a sentence. */
function prospect(steps: readonly UndoStep[]): string {
  const left = steps.filter(isLeftAlone).length;
  const changed = steps.filter(isChange).length;
  if (changed === 0)
    return left === 0 ? 'Everything is as it was before already:' : 'Nothing of it can be taken back:';
  const would = `Taking it back would change ${counted(changed, 'entry', 'entries')}`;
  return left === 0 ? `${would}:` : `${would}, and leave ${left} alone:`;
}

function stepLine({ path, action, reason }: UndoStep): HTMLElement {
  return element(
    'li',
    '',
    element('span', `mark ${action}`, WOULD[action]),
    ' ',
    element('code', '', visible(path)),
    ...(reason === undefined ? [] : [' ', element('span', 'muted', visible(reason))]),
  );
}

function isChange({ action }: UndoStep): boolean {
  return action === 'restore' || action === 'remove';
}

function isLeftAlone({ action }: UndoStep): boolean {
  return action === 'conflict' || action === 'lost';
}

/** The turn is shown anew by the list as soon as it is taken back; what became of it is said above. */
async function takeBack(path: string, { plan, connection }: PlanParts): Promise<void> {
  const notice = shell('turn-notice');
  try {
    const { steps } = await connection.send<UndoReport>(`${path}/undo`, {});
    const changed = steps.filter(isChange).length;
    const left = steps.filter(isLeftAlone).length;
    notice.textContent = `Took it back: ${counted(changed, 'entry', 'entries')}${left === 0 ? '' : `, ${left} left alone`}.`;
    notice.hidden = false;
  } catch (error) {
    plan.replaceChildren(element('p', 'trouble', (error as Error).message));
  }
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
