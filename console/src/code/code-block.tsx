/** Code that stands by itself, in its colours. */
import { type ReactNode, useMemo } from 'react';
import { CopyButton } from '../parts/copy-button.tsx';
import { ShownText } from '../text/shown-text.tsx';
import { languageCalled } from './language.ts';
import { LineText } from './line-text.tsx';
import { useHighlighter } from './use-highlighter.ts';

/** More is shown without colours: they would take longer than anybody waits. */
const MAX_CHARACTERS = 60_000;

export function CodeBlock({ text, name }: { readonly text: string; readonly name: string }): ReactNode {
  const highlight = useHighlighter();
  const lines = useMemo(() => text.split('\n'), [text]);
  const colours = useMemo(() => {
    const language = languageCalled(name);
    if (highlight === undefined || language === '' || text.length > MAX_CHARACTERS) return [];
    return highlight(language, lines);
  }, [highlight, name, text, lines]);
  return (
    <figure className="code-block">
      <figcaption>
        <ShownText text={name === '' ? 'code' : name} />
        <CopyButton text={text} />
      </figcaption>
      <pre>
        {lines.map((line, index) => (
          <span key={index} className="line">
            <LineText text={line} colours={colours[index]} />
            {'\n'}
          </span>
        ))}
      </pre>
    </figure>
  );
}
