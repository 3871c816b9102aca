/** A unified diff as people read it: every line, however many there are, since nobody can approve what they were not shown. */
import { type ReactNode, useMemo } from 'react';
import { Counts, DiffRowShown } from './diff-row.tsx';
import { fileRows } from './diff-rows.ts';
import { languageOf } from '../code/language.ts';
import { LayoutSwitch } from './layout-switch.tsx';
import { parseDiff } from './parse-diff.ts';
import { useColours } from './use-colours.ts';
import { useLayout } from './use-layout.ts';
import { VirtualRows } from './virtual-rows.tsx';

export function DiffView({ diff, label }: { readonly diff: string; readonly label: string }): ReactNode {
  const { layout } = useLayout();
  const colours = useColours();
  const files = useMemo(() => parseDiff(diff, languageOf), [diff]);
  const rows = useMemo(() => fileRows(files, layout), [files, layout]);
  const added = files.reduce((sum, file) => sum + file.added, 0);
  const removed = files.reduce((sum, file) => sum + file.removed, 0);
  const lines = files.reduce(
    (sum, { hunks }) => hunks.reduce((all, hunk) => all + hunk.lines.length, sum),
    0,
  );
  return (
    <section className="diff" aria-label={`${label}: ${added} lines added, ${removed} removed`}>
      <div className="diff-bar">
        {files.length > 1 && <Counts added={added} removed={removed} />}
        <span className="faint">
          {files.length > 1 && `${files.length.toLocaleString()} files, `}
          {lines.toLocaleString()} {lines === 1 ? 'line' : 'lines'} in all
        </span>
        <LayoutSwitch />
      </div>
      <VirtualRows
        count={rows.length}
        keyOf={(index) => index}
        render={(index) => <DiffRowShown row={rows[index]!} colours={colours} />}
      />
    </section>
  );
}
