/** The text of one line of code: with its colours, the part that changed, and every hidden character. */
import { memo, type ReactNode } from 'react';
import { ShownText } from '../text/shown-text.tsx';
import { changedPart } from './changed-part.ts';
import type { Colour } from './highlight.ts';
import { segments } from './segments.ts';
import './code.css';

export interface LineTextProps {
  readonly text: string;
  /** The line on the other side, where this one changed. */
  readonly counterpart?: string | undefined;
  readonly colours?: readonly Colour[] | undefined;
}

export const LineText = memo(function LineText({ text, counterpart, colours }: LineTextProps): ReactNode {
  const changed = counterpart === undefined ? undefined : changedPart(text, counterpart);
  return segments(text, colours ?? [], changed).map(({ from, to, name, isChanged }) => {
    const shown = <ShownText text={text.slice(from, to)} />;
    const classes = [...(name === '' ? [] : [`code-${name}`]), ...(isChanged ? ['changed'] : [])];
    return (
      <span key={from} className={classes.length === 0 ? undefined : classes.join(' ')}>
        {shown}
      </span>
    );
  });
});
