/** An entry of a turn: what became of it. */
import type { ReactNode } from 'react';
import { ShownText } from '../../text/shown-text.tsx';
import type { Entry } from './entries.tsx';

export interface EntryLineProps {
  readonly entry: Entry;
  /** Undefined where there is nothing to open. */
  readonly isOpen: boolean | undefined;
  readonly onToggle: () => void;
}

export function EntryLine({ entry, isOpen, onToggle }: EntryLineProps): ReactNode {
  const { path, before, after, movedFrom, modes } = entry;
  const change = movedFrom === undefined ? changeOf(before, after) : 'moved';
  const kind = after === 'missing' ? before : after;
  const words = (
    <>
      <span className={`change-word ${change}`}>{change}</span>
      <span className="entry-path">
        {movedFrom !== undefined && (
          <>
            <ShownText text={movedFrom} /> <span className="faint">→</span>{' '}
          </>
        )}
        <ShownText text={kind === 'directory' ? `${path}/` : path} />
        {kind === 'link' && <span className="faint"> link</span>}
        {modes !== undefined && (
          <span className="faint">{` mode ${octal(modes.before)} → ${octal(modes.after)}`}</span>
        )}
      </span>
    </>
  );
  if (isOpen === undefined) return <div className="entry-line">{words}</div>;
  return (
    <button type="button" className="entry-line" aria-expanded={isOpen} onClick={onToggle}>
      {words}
    </button>
  );
}

function changeOf(before: Entry['before'], after: Entry['after']): string {
  if (before === 'missing') return 'created';
  return after === 'missing' ? 'deleted' : 'changed';
}

function octal(mode: number): string {
  return mode.toString(8).padStart(3, '0');
}
