/** The question about one call, answered by a key. It is shown whole: nobody can approve what they were not shown. */
import type { ApprovalAnswer, ApprovalRequest } from '../../policy/approvals.ts';
import { describeRequest } from '../../policy/describe-request.ts';
import { answerOf, offersFor } from '../approval-offers.ts';
import { describedLines } from './described-lines.ts';
import type { Dialog } from './dialogs.ts';
import { type Editor, editorRows, newEditor, press, withText } from './editor.ts';
import type { LivePart } from './screen.ts';
import { cut, type Line, safeLine, span, wrap } from './spans.ts';
import { subjectOf } from './tool-lines.ts';

/** Asks about a call; `by` is who answers. */
export function approvalDialog(request: ApprovalRequest, by: string): Dialog<ApprovalAnswer> {
  let writing:
    | { readonly what: 'reason' | 'arguments'; readonly editor: Editor; readonly note?: string }
    | undefined;
  let isPrinted = false;
  const write = (what: 'reason' | 'arguments', text = ''): undefined => {
    writing = { what, editor: withText(newEditor([]), text) };
    return undefined;
  };
  return {
    print(width) {
      if (isPrinted) return [];
      isPrinted = true;
      return [[], ...questionLines(request, width)];
    },
    live(width) {
      // A long change has moved the heading out of sight.
      const about = cut([span(`${safeLine(request.tool)} ${subjectOf(request.args)}`, 'bold')], width);
      if (writing === undefined) return { rows: [about, ...wrap(offerLine(request), width)] };
      const prompt = writing.what === 'reason' ? 'Why not? ' : 'Arguments: ';
      const { rows, row, column } = editorRows(writing.editor, prompt, width);
      const notes = writing.note === undefined ? [] : [[span(writing.note, 'yellow')]];
      return { rows: [...notes, ...rows], cursor: { row: row + notes.length, column } } satisfies LivePart;
    },
    press(key) {
      if (writing === undefined) {
        const offer =
          key.name === 'text' ? offersFor(request).find(({ letter }) => letter === key.text) : undefined;
        if (offer?.means === 'reason') return write('reason');
        if (offer?.means === 'edit')
          return write('arguments', request.hasMaskedArgs ? '' : JSON.stringify(request.args));
        return offer === undefined ? undefined : answerOf(offer.means, by);
      }
      if (key.name !== 'enter') {
        writing = { ...writing, editor: press(writing.editor, key) };
        return undefined;
      }
      const { what, editor } = writing;
      if (what === 'reason') return { answer: 'deny', by, reason: editor.text.trim() || 'The user said no.' };
      const args = parsed(editor.text);
      if (args !== undefined) return { answer: 'edit', by, args };
      writing = { ...writing, note: 'That is not JSON.' };
      return undefined;
    },
  };
}

function questionLines(request: ApprovalRequest, width: number): Line[] {
  const [headline = '', ...rest] = describeRequest(request).split('\n');
  return [
    ...wrap([span(headline, 'bold', 'yellow')], width),
    ...rest.flatMap((line) => describedLines(line, width, 'dim')),
  ];
}

/** `[y]es once, …`, with the keys to press standing out. */
function offerLine(request: ApprovalRequest): Line {
  const says = `${offersFor(request)
    .map((offer) => offer.says)
    .join(', ')}? (Esc cancels the turn)`;
  return says
    .split(/(\[.\])/)
    .map((part) => (/^\[.\]$/.test(part) ? span(part, 'bold', 'cyan') : span(part)));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
