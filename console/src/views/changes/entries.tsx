/** What a turn did to its entries; what it did to the content of one is fetched when somebody opens it. */
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { OutputOf } from '../../../../src/client/index.ts';
import { DiffRowShown } from '../../diff/diff-row.tsx';
import { type DiffRow, fileRows } from '../../diff/diff-rows.ts';
import { languageOf } from '../../code/language.ts';
import { LayoutSwitch } from '../../diff/layout-switch.tsx';
import { parseDiff } from '../../diff/parse-diff.ts';
import { useColours } from '../../diff/use-colours.ts';
import { useLayout } from '../../diff/use-layout.ts';
import { VirtualRows } from '../../diff/virtual-rows.tsx';
import { useKeys } from '../../keys/keys.ts';
import { Button } from '../../parts/button.tsx';
import { useServer } from '../../server/server.tsx';
import { EntryLine } from './entry-line.tsx';
import { counted } from './turn.ts';

export type Entry = OutputOf<'showTurn'>['entries'][number];
type Content = OutputOf<'showDiff'> | Error | undefined;

type Row =
  | { readonly kind: 'entry'; readonly entry: Entry }
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'diff'; readonly row: DiffRow };

/** A turn with no more entries than this shows them all at once. */
const SHOWN_AT_ONCE = 5;

export function Entries({
  turn,
  entries,
}: {
  readonly turn: string;
  readonly entries: readonly Entry[];
}): ReactNode {
  const { mayAnswer } = useServer();
  const withContent = useMemo(
    () => (mayAnswer ? entries.filter(hasContent).map(({ path }) => path) : []),
    [entries, mayAnswer],
  );
  const [opened, setOpened] = useState<ReadonlySet<string>>(
    () => new Set(withContent.length <= SHOWN_AT_ONCE ? withContent : []),
  );
  const contents = useContents(turn, opened);
  const { layout } = useLayout();
  const colours = useColours();
  const isAll = opened.size === withContent.length;
  const toggleAll = (): void => setOpened(new Set(isAll ? [] : withContent));
  useKeys('Turn', [{ key: 'x', does: 'Open all contents, or close them', run: toggleAll }]);
  const rows = useMemo(
    () =>
      entries.flatMap((entry): Row[] => [
        { kind: 'entry', entry },
        ...(opened.has(entry.path) ? contentRows(contents.get(entry.path), layout) : []),
      ]),
    [entries, opened, contents, layout],
  );
  const toggle = (path: string): void =>
    setOpened(new Set(opened.has(path) ? [...opened].filter((one) => one !== path) : [...opened, path]));
  return (
    <div className="diff entries">
      <div className="diff-bar">
        <span className="faint">{counted(entries.length, 'entry', 'entries')}</span>
        {withContent.length > 0 && (
          <Button kind="quiet" shortcut="x" onClick={toggleAll}>
            {isAll ? 'Close all' : 'Open all'}
          </Button>
        )}
        <LayoutSwitch />
      </div>
      <VirtualRows
        count={rows.length}
        keyOf={(index) => index}
        render={(index) => {
          const row = rows[index]!;
          if (row.kind === 'diff') return <DiffRowShown row={row.row} colours={colours} />;
          if (row.kind === 'word') return <p className="entry-word">{row.text}</p>;
          const { path } = row.entry;
          return (
            <EntryLine
              entry={row.entry}
              isOpen={withContent.includes(path) ? opened.has(path) : undefined}
              onToggle={() => toggle(path)}
            />
          );
        }}
      />
    </div>
  );
}

/** Whether there may be lines to compare: not in directories, and not where all that changed is the place. */
function hasContent({ before, after, movedFrom }: Entry): boolean {
  const isCompared = (kind: Entry['before']): boolean => kind === 'file' || kind === 'link';
  return movedFrom === undefined && (isCompared(before) || isCompared(after));
}

/** The contents that were opened, as far as they came. */
function useContents(turn: string, opened: ReadonlySet<string>): ReadonlyMap<string, Content> {
  const { client } = useServer();
  const [contents, setContents] = useState<ReadonlyMap<string, Content>>(new Map());
  const missing = [...opened].filter((path) => !contents.has(path));
  useEffect(() => {
    const keep = (path: string, content: Content): void =>
      setContents((before) => new Map([...before, [path, content]]));
    for (const path of missing) {
      keep(path, undefined);
      client.showDiff({ id: turn, path }).then(
        (content) => keep(path, content),
        (error: Error) => keep(path, error),
      );
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- what is missing is another list with each render
  }, [client, turn, missing.join('\0')]);
  return contents;
}

function contentRows(content: Content, layout: 'unified' | 'split'): Row[] {
  if (content === undefined) return [{ kind: 'word', text: 'Loading …' }];
  if (content instanceof Error) return [{ kind: 'word', text: content.message }];
  const { diff, note } = content;
  const [file, ...others] = diff === '' ? [] : parseDiff(diff, languageOf);
  // The entry's own line names the file already.
  const rows =
    file === undefined ? [] : fileRows([file, ...others], layout).slice(file.head.length === 0 ? 1 : 0);
  const words = note ?? (diff === '' ? 'Its content stayed the same.' : undefined);
  return [
    ...(words === undefined ? [] : [{ kind: 'word' as const, text: words }]),
    ...rows.map((row) => ({ kind: 'diff' as const, row })),
  ];
}
