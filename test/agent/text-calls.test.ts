import { describe, expect, it } from 'vitest';
import { textCalls } from '../../src/agent/text-calls.ts';

const NAMES = new Set(['read', 'bash']);
const READ = { tool: 'read', input: '{"path":"a {x}.txt"}' };
const WRITTEN = '{"tool": "read", "args": {"path": "a {x}.txt"}}';

describe('textCalls', () => {
  it.each([
    ['bare', WRITTEN],
    ['fenced', `I will look.\n\`\`\`json\n${WRITTEN}\n\`\`\`\n`],
    ['amid words', `I call ${WRITTEN} now, and then {more}.`],
  ])('finds a call that is %s', (_form, text) => {
    expect(textCalls(text, NAMES)).toMatchObject([READ]);
  });

  it.each([
    ['an answer in JSON', '{"result": 7}'],
    ['a tool that is not there', '{"tool": "launch", "args": {}}'],
    ['braces that never close', 'a { b "c'],
    ['no braces', 'Done.'],
  ])('finds none in %s', (_what, text) => {
    expect(textCalls(text, NAMES)).toEqual([]);
  });
});
