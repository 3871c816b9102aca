/** What a view puts beside its title: filters, a search, buttons. */
import { type ReactNode, useLayoutEffect, useState } from 'react';
import { createPortal } from 'react-dom';

const PLACE = 'view-tools';

/** Where they stand, in the frame. */
export function ViewToolsPlace(): ReactNode {
  return <div id={PLACE} className="view-tools" />;
}

/** Used in a view. */
export function ViewTools({ children }: { readonly children: ReactNode }): ReactNode {
  const [place, setPlace] = useState<HTMLElement | null>(null);
  useLayoutEffect(() => setPlace(document.getElementById(PLACE)), []);
  return place === null ? null : createPortal(children, place);
}
