/** What a call answered, whatever its shape: texts as their lines, the rest as names and values. */
import type { ReactNode } from 'react';
import { DiffView } from '../diff/diff-view.tsx';
import { Facts } from '../parts/facts.tsx';
import { visibleJson } from '../text/escapes.ts';
import { TextBox } from '../text/shown-text.tsx';
import './call-part.css';

const LABEL = 'What it answered';

export function Answer({ value }: { readonly value: unknown }): ReactNode {
  const answer = readAnswer(value);
  if (!isRecord(answer)) return <TextBox text={textOf(answer)} label={LABEL} />;
  const fields = Object.entries(answer);
  return (
    <div className="call-answer">
      <Facts
        facts={fields.flatMap(([name, field]) => (isShort(field) ? [[name, [String(field)]] as const] : []))}
      />
      {fields.map(
        ([name, field]) =>
          !isShort(field) && (
            <section key={name}>
              <h4>{name}</h4>
              {isDiff(field) ? (
                <DiffView diff={field} label={name} />
              ) : (
                <TextBox text={textOf(field)} label={`${LABEL}: ${name}`} />
              )}
            </section>
          ),
      )}
    </div>
  );
}

type Fields = Readonly<Record<string, unknown>>;

/** Models are answered in JSON. */
function readAnswer(value: unknown): unknown {
  if (typeof value !== 'string' || !value.startsWith('{')) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** More does not fit beside its name. */
const SHORT = 200;

function isShort(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= SHORT && !value.includes('\n');
  return typeof value !== 'object' || value === null;
}

function isDiff(value: unknown): value is string {
  return typeof value === 'string' && /^(?:diff --git |--- )[^\n]*\n(?:.*\n)*?@@ /.test(value);
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) && value.length > 0 ? value.map(lineOf).join('\n') : visibleJson(value);
}

/** One of many, such as a match or a file. */
function lineOf(item: unknown): string {
  if (typeof item === 'string' && isShort(item)) return item;
  const isFlat = isRecord(item) && Object.values(item).every(isShort);
  return isFlat ? Object.values(item).join('  ') : JSON.stringify(item);
}
