/** A rule written into a file that people care for. */
import { describe, expect, it } from 'vitest';
import { addRule } from '../../src/config/add-rule.ts';
import { parseConfig } from '../../src/config/parse.ts';
import { CONFIG_TEMPLATE } from '../../src/config/template.ts';
import type { Rule } from '../../src/index.ts';

const RULE: Rule = { action: 'allow', permission: ['fs.write'], path: ['/a.txt'], workspace: '/ws' };
const DENY: Rule = { action: 'deny', permission: '*', path: 'secrets/' };
const DENY_TEXT = '{ "action": "deny", "permission": "*", "path": "secrets/" }';

describe('addRule', () => {
  it.each<[string, string, object]>([
    ['the template', CONFIG_TEMPLATE, { rules: [RULE] }],
    ['no settings', '{}', { rules: [RULE] }],
    ['only a comment in it', '{ // mine\n}', { rules: [RULE] }],
    ['no rules', '{ "mode": "ask" }', { mode: 'ask', rules: [RULE] }],
    ['no rules, and a trailing comma', '{ "mode": "ask", /* mine */ }', { mode: 'ask', rules: [RULE] }],
    ['an empty list', '{ "rules": [] }', { rules: [RULE] }],
    ['a list with only a comment', '{ "rules": [\n  // none\n] }', { rules: [RULE] }],
    ['a rule', `{ "rules": [${DENY_TEXT}] }`, { rules: [DENY, RULE] }],
    ['a trailing comma', `{ "rules": [${DENY_TEXT},] }`, { rules: [DENY, RULE] }],
    ['a comment behind', `{ "rules": [\n  ${DENY_TEXT} // why, oh why\n] }`, { rules: [DENY, RULE] }],
    ['a comment behind a comma', `{ "rules": [\n  ${DENY_TEXT}, // why\n] }`, { rules: [DENY, RULE] }],
    ['a byte order mark', `\ufeff{ "rules": [${DENY_TEXT}] }`, { rules: [DENY, RULE] }],
    ['line ends of Windows', `{\r\n  // mine\r\n  "rules": [\r\n  ]\r\n}\r\n`, { rules: [RULE] }],
    ['settings behind', `{ "rules": [${DENY_TEXT}], "mode": "ask" }`, { mode: 'ask', rules: [DENY, RULE] }],
  ])('is the last rule of a file with %s, and every comment stays', (_, text, settings) => {
    const added = addRule(text, RULE);
    expect(parseConfig(added, 'it')).toEqual(settings);
    expect(commentsIn(added)).toEqual(commentsIn(text));
  });

  it.each([
    [
      'a comment behind the last rule',
      '{ "rules": [\n    {"action":"deny","permission":"*"} // why\n    // more\n  ] }',
      '{ "rules": [\n    {"action":"deny","permission":"*"}, // why\n    // more\n    RULE\n  ] }',
    ],
    [
      'a comma with a comment behind',
      '{\n\t"rules": [\n\t\t{"action":"deny","permission":"*"}, // a, b\n\t],\n}',
      '{\n\t"rules": [\n\t\t{"action":"deny","permission":"*"}, // a, b\n\t\tRULE,\n\t],\n}',
    ],
    [
      'a comment behind the last setting',
      '{\n  "mode": "ask" // mine\n}\n',
      '{\n  "mode": "ask", // mine\n  "rules": [\n    RULE\n  ]\n}\n',
    ],
    [
      'two lists, of which the last counts',
      '{ "rules": [], "rules": [] }',
      '{ "rules": [], "rules": [\n  RULE\n] }',
    ],
  ])('leaves everything where it is in a file with %s', (_, text, after) => {
    expect(addRule(text, RULE)).toBe(after.replace('RULE', JSON.stringify(RULE)));
  });

  it('can be added again and again', () => {
    let text = CONFIG_TEMPLATE;
    const rules = Array.from({ length: 5 }, (_, index): Rule => ({ ...RULE, path: [`/${index}`] }));
    for (const rule of rules) text = addRule(text, rule);
    expect(parseConfig(text, 'it')).toEqual({ rules });
    expect(commentsIn(text)).toEqual(commentsIn(CONFIG_TEMPLATE));
  });

  it('writes names that mean something in JSON as what they are', () => {
    const rule: Rule = { ...RULE, path: ['/"],} // \\ \n\u2028'] };
    expect(parseConfig(addRule('{}', rule), 'it')).toEqual({ rules: [rule] });
  });
});

function commentsIn(text: string): string[] {
  return (text.match(/\/\/.*$|\/\*.*\*\//gm) ?? []).map((comment) => comment.trimEnd());
}
