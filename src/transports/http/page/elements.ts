/// <reference lib="dom" />
/** Builds what the page shows. Text becomes text nodes and nothing else: there is no way here to write markup. */
import { escapes } from './escapes.ts';

type Child = Node | string;

/** An element with classes, separated by blanks, and children. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  classes = '',
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  if (classes !== '') made.className = classes;
  made.append(...children);
  return made;
}

/** A button and what it does. */
export function button(label: string, classes: string, onClick: () => void): HTMLButtonElement {
  const made = element('button', classes, label);
  made.type = 'button';
  made.addEventListener('click', onClick);
  return made;
}

/** Text from outside: what would not be seen, or would steer what is seen, is shown as an escape. */
export function visible(text: string): DocumentFragment {
  const shown = document.createDocumentFragment();
  for (const { kind, text: part } of escapes(text))
    shown.append(kind === 'plain' ? part : element('span', kind, part));
  return shown;
}

/** Lines of text from outside, in a box that scrolls. */
export function textBox(text: string): HTMLElement {
  const lines = text.replace(/\n$/, '').split('\n');
  const box = element('pre', 'box', ...lines.map((line) => element('span', 'line', visible(line), '\n')));
  box.tabIndex = 0;
  return box;
}

/** The element of the shell with this id. */
export function shell(id: string): HTMLElement {
  return document.getElementById(id)!;
}

/** The time of day here; whole in the title. */
export function timeOf(at: number): HTMLTimeElement {
  const date = new Date(at);
  const made = element('time', '', date.toLocaleTimeString([], { hour12: false }));
  made.dateTime = date.toISOString();
  made.title = date.toLocaleString();
  return made;
}

/** In place of answers, for who may not give any. */
export function readOnly(): HTMLElement {
  return element(
    'p',
    'muted',
    'To answer here, open the whole address that ',
    element('code', '', 'handrail serve'),
    ' printed.',
  );
}
