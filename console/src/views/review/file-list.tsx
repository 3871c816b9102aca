/** The files of a patch, and how much of each is taken. */
import { type ReactNode, useMemo } from 'react';
import { ShownText } from '../../text/shown-text.tsx';
import type { Review } from './review.ts';
import { TakeBox } from './take-box.tsx';

export interface FileListProps {
  readonly review: Review;
  readonly onLook: (at: number) => void;
  readonly onToggle: (numbers: readonly number[]) => void;
}

export function FileList({ review, onLook, onToggle }: FileListProps): ReactNode {
  const { chunks, at, taken } = review;
  const files = useMemo(
    () =>
      [...Map.groupBy(chunks, ({ path }) => path)].map(([path, own]) => ({
        path,
        numbers: own.map(({ number }) => number),
      })),
    [chunks],
  );
  return (
    <ul className="review-files" aria-label="Files">
      {files.map(({ path, numbers }) => (
        <li key={path} className={chunks[at]?.path === path ? 'current' : ''}>
          <TakeBox
            label={`All of ${path}`}
            numbers={numbers}
            taken={taken}
            onToggle={() => onToggle(numbers)}
          />
          <button type="button" onClick={() => onLook(chunks.findIndex((chunk) => chunk.path === path))}>
            <ShownText text={path} />
          </button>
          <span className="faint">
            {numbers.filter((number) => taken.has(number)).length}/{numbers.length}
          </span>
        </li>
      ))}
    </ul>
  );
}
