/** Markdown as elements of the page. What is in it is shown and never obeyed: a link says where it leads and does not lead there. */
import type { Token, Tokens } from 'marked';
import { memo, type ReactNode, useMemo } from 'react';
import { CodeBlock } from '../code/code-block.tsx';
import { ShownText } from '../text/shown-text.tsx';
import { parseMarkdown } from './parse-markdown.ts';
import './markdown.css';

export function Markdown({ text }: { readonly text: string }): ReactNode {
  const tokens = useMemo(() => parseMarkdown(text), [text]);
  return (
    <div className="markdown">
      <Blocks tokens={tokens} />
    </div>
  );
}

function Blocks({ tokens }: { readonly tokens: readonly Token[] }): ReactNode {
  return tokens.map((token, index) => token.type !== 'space' && <Block key={index} token={token} />);
}

/** While a text is written, only its last block changes. */
const Block = memo(
  function Block({ token }: { readonly token: Token }): ReactNode {
    const known = token as Tokens.Generic;
    switch (token.type) {
      case 'heading':
        // All of one level: where they stand in the page, it is not theirs to say.
        return <h2 className={`depth-${known['depth']}`}>{inline(known.tokens)}</h2>;
      case 'paragraph':
        return <p>{inline(known.tokens)}</p>;
      case 'text':
        return <p>{known.tokens === undefined ? lines(known.text) : inline(known.tokens)}</p>;
      case 'code':
        return <CodeBlock text={known.text} name={/^\S*/.exec(known['lang'] ?? '')![0]} />;
      case 'list':
        return <List list={token as Tokens.List} />;
      case 'blockquote':
        return (
          <blockquote>
            <Blocks tokens={known.tokens ?? []} />
          </blockquote>
        );
      case 'table':
        return <Table table={token as Tokens.Table} />;
      case 'hr':
        return <hr />;
      default:
        return <p>{lines(token.raw.replace(/\n+$/, ''))}</p>;
    }
  },
  (before, now) => before.token.type === now.token.type && before.token.raw === now.token.raw,
);

function List({ list: { ordered, start, items } }: { readonly list: Tokens.List }): ReactNode {
  const entries = items.map((item, index) => (
    <li key={index}>
      {item.task && (
        <span role="img" aria-label={item.checked === true ? 'done' : 'to do'}>
          {item.checked === true ? '☑' : '☐'}{' '}
        </span>
      )}
      {item.tokens.map((token, at) =>
        token.type === 'text' ? (
          <span key={at}>{inline((token as Tokens.Text).tokens)}</span>
        ) : (
          token.type !== 'space' && token.type !== 'checkbox' && <Block key={at} token={token} />
        ),
      )}
    </li>
  ));
  return ordered ? <ol start={start === '' ? 1 : start}>{entries}</ol> : <ul>{entries}</ul>;
}

function Table({ table: { header, rows } }: { readonly table: Tokens.Table }): ReactNode {
  return (
    <table>
      <thead>
        <tr>
          {header.map(({ tokens }, index) => (
            <th key={index}>{inline(tokens)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            {row.map(({ tokens }, column) => (
              <td key={column}>{inline(tokens)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Text within a block. */
function inline(tokens: readonly Token[] = []): ReactNode {
  return tokens.map((token, index) => <span key={index}>{inlineOne(token as Tokens.Generic)}</span>);
}

function inlineOne(token: Tokens.Generic): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{inline(token.tokens)}</strong>;
    case 'em':
      return <em>{inline(token.tokens)}</em>;
    case 'del':
      return <del>{inline(token.tokens)}</del>;
    case 'codespan':
      return (
        <code>
          <ShownText text={token.text.replaceAll('\n', ' ')} />
        </code>
      );
    case 'link':
      return <Link link={token as Tokens.Link} />;
    case 'br':
      return <br />;
    case 'text':
    case 'escape':
      return token.tokens === undefined ? lines(token.text) : inline(token.tokens);
    default:
      return lines(token.raw);
  }
}

/** The words, and where they lead unless they say so themselves. */
function Link({ link: { href, text, tokens } }: { readonly link: Tokens.Link }): ReactNode {
  return (
    <>
      <span className="link">{inline(tokens)}</span>
      {text !== href && `mailto:${text}` !== href && (
        <span className="faint">
          {' ('}
          <ShownText text={href} />)
        </span>
      )}
    </>
  );
}

/** Who writes to an agent, or is one, means the end of a line. */
function lines(text: string): ReactNode {
  return text.split('\n').map((line, index) => (
    <span key={index}>
      {index > 0 && <br />}
      <ShownText text={line} />
    </span>
  ));
}
