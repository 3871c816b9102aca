/** Calls that a model without native ones writes into its text: `{"tool": …, "args": …}`, bare, fenced or amid words. */
import type { AskedCall } from './ask-model.ts';

/** The calls in a text; only of tools that there are, for an answer may hold JSON of another kind. */
export function textCalls(text: string, names: ReadonlySet<string>): AskedCall[] {
  const candidates = [text, ...fenced(text), ...firstObject(text)];
  for (const candidate of candidates) {
    const call = asCall(candidate, names);
    if (call !== undefined) return [call];
  }
  return [];
}

function fenced(text: string): string[] {
  return [...text.matchAll(/```[a-z_]*\n([^]*?)```/g)].map(([, inner = '']) => inner);
}

/** The first `{…}` whose braces close. */
function firstObject(text: string): string[] {
  const start = text.indexOf('{');
  if (start === -1) return [];
  let depth = 0;
  let isQuoted = false;
  for (let index = start; index < text.length; index++) {
    const character = text[index];
    if (isQuoted) {
      if (character === '\\') index++;
      else if (character === '"') isQuoted = false;
    } else if (character === '"') isQuoted = true;
    else if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return [text.slice(start, index + 1)];
  }
  return [];
}

function asCall(text: string, names: ReadonlySet<string>): AskedCall | undefined {
  const value = parsed(text);
  if (typeof value !== 'object' || value === null) return undefined;
  const { tool, args = {} } = value as { readonly tool?: unknown; readonly args?: unknown };
  if (typeof tool !== 'string' || !names.has(tool)) return undefined;
  return { id: '', tool, input: JSON.stringify(args), metadata: undefined };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
