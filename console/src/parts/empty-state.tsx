/** In place of a list that has nothing in it: says so, and what to do. */
import type { ReactNode } from 'react';
import './empty-state.css';

export function EmptyState({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <div className="empty-state">
      <p className="empty-title">{title}</p>
      {children !== undefined && <p>{children}</p>}
    </div>
  );
}

/** What went wrong, and what to do next. */
export function Trouble({ failure }: { readonly failure: Error & { readonly hint?: string } }): ReactNode {
  return (
    <p className="trouble" role="alert">
      {failure.message}
      {failure.hint !== undefined && ` ${failure.hint}`}
    </p>
  );
}
