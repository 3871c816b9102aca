/** The way to every view: at the side, or on a phone at the bottom, with what finds no place there behind a button. */
import { type ReactNode, useState } from 'react';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { type View, VIEWS } from '../views/index.ts';

/** As many as fit beside each other on a phone. */
const FIRST = 4;

export function Navigation({
  current,
  counts,
}: {
  readonly current: View;
  readonly counts: Readonly<Record<string, number>>;
}): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const link = (view: View): ReactNode => (
    <ViewLink view={view} isCurrent={view === current} count={counts[view.path] ?? 0} />
  );
  return (
    <nav aria-label="Views" className="navigation">
      <ul>
        {VIEWS.map((view, index) => (
          <li key={view.path} className={index < FIRST ? 'first' : 'later'}>
            {link(view)}
          </li>
        ))}
        {VIEWS.length > FIRST && (
          <li className="more">
            <button type="button" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
              <Icon name="more" />
              <span>More</span>
            </button>
          </li>
        )}
      </ul>
      {isOpen && (
        <Dialog title="Views" onClose={() => setIsOpen(false)}>
          <ul className="more-views" onClick={() => setIsOpen(false)}>
            {VIEWS.slice(FIRST).map((view) => (
              <li key={view.path}>{link(view)}</li>
            ))}
          </ul>
        </Dialog>
      )}
    </nav>
  );
}

function ViewLink({
  view: { path, title, key, icon },
  isCurrent,
  count,
}: {
  readonly view: View;
  readonly isCurrent: boolean;
  readonly count: number;
}): ReactNode {
  return (
    <a href={`#/${path}`} aria-current={isCurrent ? 'page' : undefined}>
      {icon !== undefined && <Icon name={icon} />}
      <span>{title}</span>
      {count > 0 ? (
        <span className="count">
          {count}
          <span className="unseen"> waiting</span>
        </span>
      ) : (
        <kbd aria-hidden="true">g {key}</kbd>
      )}
    </a>
  );
}
