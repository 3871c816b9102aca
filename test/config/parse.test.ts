/** Settings files as people write them, and what is said about those that can't be used. */
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/parse.ts';
import { Failure } from '../../src/index.ts';

const FILE = '/home/me/config.jsonc';

const WHOLE = `// Mine.
{
  "$schema": "https://example.org/schema.json",
  "mode": "reversible", // how much
  "dialect": "coder",
  /* several
     lines, with "mode": "auto" in them */
  "rules": [
    { "action": "deny", "permission": "*", "path": "secrets/", "match": ["secrets/key"], },
    { "action": "ask", "permission": ["fs.write", "fs.delete"], "path": ["a", "b // c"], "floor": true },
  ],
  "approvals": { "timeoutSeconds": 5, },
  "undo": { "keepDays": 1, "quotaMegabytes": 2 },
}
`;

describe('parseConfig', () => {
  it.each([
    ['comments and trailing commas', WHOLE],
    ['a byte order mark', `\ufeff${WHOLE}`],
    ['line ends of Windows', WHOLE.replaceAll('\n', '\r\n')],
  ])('takes %s', (_, text) => {
    expect(parseConfig(text, FILE)).toEqual({
      $schema: 'https://example.org/schema.json',
      mode: 'reversible',
      dialect: 'coder',
      rules: [
        { action: 'deny', permission: '*', path: 'secrets/', match: ['secrets/key'] },
        { action: 'ask', permission: ['fs.write', 'fs.delete'], path: ['a', 'b // c'], floor: true },
      ],
      approvals: { timeoutSeconds: 5 },
      undo: { keepDays: 1, quotaMegabytes: 2 },
    });
  });

  it.each(['{}', '{ }\n', '// nothing yet\n{}', '{ /* nothing yet */ }'])(
    'takes %j for no settings',
    (text) => {
      expect(parseConfig(text, FILE)).toEqual({});
    },
  );

  it.each(['', ' \n\t', '\ufeff', '// only a comment\n', '/* only a comment */'])(
    'refuses %j, which has lost its settings',
    (text) => {
      expect(problemOf(text)).toMatch(/^line \d+: /);
    },
  );

  it.each([
    ['a key without a value', '{\n  "mode":\n}', 'line 3: value expected.'],
    ['no comma', '{\n  "mode": "ask"\n  "dialect": "coder"\n}', 'line 3: comma expected.'],
    ['no end', '{\n  "mode": "ask"', 'line 2: close brace expected.'],
    ['more after the end', '{}\n{}', 'line 2: end of file expected.'],
    [
      'single quotes',
      "{ 'mode': 'ask' }",
      'line 1: invalid symbol (names and texts stand in double quotes).',
    ],
    [
      'a bare key',
      '{\n\n  mode: "ask"\n}',
      'line 3: invalid symbol (names and texts stand in double quotes).',
    ],
  ])('names the line of %s', (_, text, problem) => {
    expect(problemOf(text)).toBe(problem);
  });

  it.each([
    ['a setting', '{ "moed": "ask" }', 'there is no setting "moed"; did you mean "mode"?'],
    ['a setting in another case', '{ "Rules": [] }', 'there is no setting "Rules"; did you mean "rules"?'],
    [
      'a nested setting',
      '{ "approvals": { "timeoutSecond": 5 } }',
      'there is no setting "timeoutSecond" in approvals; did you mean "timeoutSeconds"?',
    ],
    [
      'a part of a rule',
      '{ "rules": [{ "action": "deny", "permission": "*" }, { "action": "deny", "permission": "*", "pth": "x" }] }',
      'there is no setting "pth" in rules.1; did you mean "path"?',
    ],
    [
      'examples of a rule',
      '{ "rules": [{ "action": "deny", "permission": "*", "notMach": [] }] }',
      'there is no setting "notMach" in rules.0; did you mean "notMatch"?',
    ],
    ['nothing near', '{ "sandbox": true }', 'there is no setting "sandbox".'],
    [
      'two settings',
      '{ "moed": "ask", "rulse": [] }',
      'there is no setting "moed"; did you mean "mode"?; there is no setting "rulse"; did you mean "rules"?',
    ],
  ])('does not know %s, and gives the nearest name', (_, text, problem) => {
    expect(problemOf(text)).toBe(problem);
  });

  it.each([
    ['{ "mode": "yolo" }', 'mode'],
    ['{ "mode": null }', 'mode'],
    ['{ "dialect": "" }', 'dialect'],
    ['{ "dialect": 7 }', 'dialect'],
    ['{ "rules": {} }', 'rules'],
    ['{ "rules": [null] }', 'rules.0'],
    ['{ "rules": [{}] }', 'rules.0.action'],
    ['{ "rules": [{ "action": "permit", "permission": "*" }] }', 'rules.0.action'],
    ['{ "rules": [{ "action": "deny", "permission": "fs.raed" }] }', 'rules.0.permission'],
    ['{ "rules": [{ "action": "deny", "permission": "*", "tool": "write" }] }', 'rules.0.tool'],
    ['{ "rules": [{ "action": "deny", "permission": "*", "workspace": "here" }] }', 'rules.0.workspace'],
    ['{ "approvals": { "timeoutSeconds": 0 } }', 'approvals.timeoutSeconds'],
    ['{ "approvals": { "timeoutSeconds": 1.5 } }', 'approvals.timeoutSeconds'],
    ['{ "approvals": { "timeoutSeconds": "5" } }', 'approvals.timeoutSeconds'],
    ['{ "undo": { "keepDays": -1 } }', 'undo.keepDays'],
    ['{ "undo": [] }', 'undo'],
    ['[]', 'the whole'],
    ['null', 'the whole'],
    ['"ask"', 'the whole'],
  ])('refuses %s and names the place', (text, place) => {
    expect(problemOf(text)).toMatch(new RegExp(`^${place.replaceAll('.', '\\.')}: `));
  });
});

/** What is said about a file, behind its name; everything else about the failure is the same for all. */
function problemOf(text: string): string {
  let thrown: unknown;
  try {
    parseConfig(text, FILE);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(Failure);
  expect(thrown).toMatchObject({
    code: 'E_INVALID_ARGS',
    hint: expect.stringContaining('handrail config schema'),
  });
  const [start, problem] = (thrown as Failure).message.split(' can not be used: ');
  expect(start).toBe(FILE);
  return problem!;
}
