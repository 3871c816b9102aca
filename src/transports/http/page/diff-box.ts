/// <reference lib="dom" />
/** A unified diff as people read it. */
import { diffLines } from './diff-lines.ts';
import { element, visible } from './elements.ts';

/** Every line, however many there are: nobody can approve what they were not shown. */
export function diffBox(text: string): HTMLElement {
  const lines = diffLines(text);
  const count = (wanted: string): number => lines.filter(({ kind }) => kind === wanted).length;
  const box = element(
    'pre',
    'box diff',
    ...lines.map(({ kind, text: line }) => element('span', `line ${kind}`, visible(line), '\n')),
  );
  box.tabIndex = 0;
  box.setAttribute('aria-label', `The change: ${count('added')} lines added, ${count('removed')} removed`);
  const counts = element(
    'p',
    'counts',
    element('span', 'plus', `+${count('added')}`),
    ' ',
    element('span', 'minus', `−${count('removed')}`),
    element('span', 'muted', ` ${lines.length} lines in all`),
  );
  return element('div', 'change', counts, box);
}
