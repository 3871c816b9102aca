/** One row of a diff. */
import { memo, type ReactNode } from 'react';
import { ShownText } from '../text/shown-text.tsx';
import type { DiffRow, PlacedLine } from './diff-rows.ts';
import { LineText } from '../code/line-text.tsx';
import type { DiffFile, DiffHunk } from './parse-diff.ts';
import type { Colours } from './use-colours.ts';
import './diff.css';

export const DiffRowShown = memo(function DiffRowShown({
  row,
  colours,
}: {
  readonly row: DiffRow;
  readonly colours: Colours;
}): ReactNode {
  if (row.kind === 'file') return <FileHead file={row.file} />;
  if (row.kind === 'hunk')
    return (
      <div className="diff-hunk">
        <ShownText text={row.hunk.header} />
      </div>
    );
  if (row.kind === 'pair')
    return (
      <div className="diff-pair">
        <Half hunk={row.hunk} line={row.left} side="old" colours={colours} />
        <Half hunk={row.hunk} line={row.right} side="now" colours={colours} />
      </div>
    );
  const { hunk, line } = row;
  return (
    <div className={`diff-line ${line.kind}`}>
      <span className="diff-number">{line.old}</span>
      <span className="diff-number">{line.now}</span>
      <Code hunk={hunk} line={line} colours={colours} />
    </div>
  );
});

function FileHead({ file: { path, only, head, added, removed } }: { readonly file: DiffFile }): ReactNode {
  return (
    <div className="diff-file">
      {path !== undefined && (
        <span className="diff-path">
          <ShownText text={path} />
        </span>
      )}
      <Counts added={added} removed={removed} />
      {only !== undefined && <span className="faint">{only === 'before' ? 'deleted' : 'new'}</span>}
      {head.map((line, index) => (
        <span key={index} className="diff-head">
          <ShownText text={line} />
        </span>
      ))}
    </div>
  );
}

/** How many lines come and go. */
export function Counts({ added, removed }: { readonly added: number; readonly removed: number }): ReactNode {
  return (
    <span className="diff-counts">
      <span className="plus">+{added.toLocaleString()}</span>{' '}
      <span className="minus">−{removed.toLocaleString()}</span>
    </span>
  );
}

interface HalfProps {
  readonly hunk: DiffHunk;
  readonly line: PlacedLine | undefined;
  readonly side: 'old' | 'now';
  readonly colours: Colours;
}

function Half({ hunk, line, side, colours }: HalfProps): ReactNode {
  if (line === undefined) return <div className="diff-half nothing" />;
  return (
    <div className={`diff-half ${line.kind}`}>
      <span className="diff-number">{line[side]}</span>
      <Code hunk={hunk} line={line} colours={colours} />
    </div>
  );
}

const MARKS = { added: '+', removed: '−', context: ' ' } as const;

function Code({
  hunk,
  line,
  colours,
}: {
  readonly hunk: DiffHunk;
  readonly line: PlacedLine;
  readonly colours: Colours;
}): ReactNode {
  return (
    <>
      <span className="diff-mark">{MARKS[line.kind]}</span>
      <code>
        <LineText text={line.text} counterpart={line.counterpart} colours={colours(hunk, line)} />
        {line.note !== undefined && (
          <span className="diff-note">
            <ShownText text={line.note} />
          </span>
        )}
      </code>
    </>
  );
}
