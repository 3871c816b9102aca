/** A field to search in; what is written counts once the person pauses. `/` leads to it. */
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useKeys } from '../keys/keys.ts';

const PAUSE_MS = 200;

export function SearchField({
  label,
  onSearch,
}: {
  readonly label: string;
  readonly onSearch: (text: string) => void;
}): ReactNode {
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const timer = setTimeout(() => onSearch(text.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, onSearch]);
  useKeys('Search', [{ key: '/', does: label, run: () => field.current?.focus() }]);
  return (
    <input
      ref={field}
      type="search"
      className="search-field"
      placeholder={`${label}  /`}
      aria-label={label}
      value={text}
      onChange={({ target }) => setText(target.value)}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Escape') currentTarget.blur();
      }}
    />
  );
}
