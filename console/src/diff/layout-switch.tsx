/** Chooses between one column and two; by key too. */
import type { ReactNode } from 'react';
import { useKeys } from '../keys/keys.ts';
import { useLayout } from './use-layout.ts';

export function LayoutSwitch(): ReactNode {
  const { layout, isWide, toggle } = useLayout();
  useKeys('Diff', isWide ? [{ key: 'v', does: 'One column, or side by side', run: toggle }] : []);
  if (!isWide) return null;
  return (
    <button type="button" className="diff-layout" aria-pressed={layout === 'split'} onClick={toggle}>
      Side by side <kbd>v</kbd>
    </button>
  );
}
