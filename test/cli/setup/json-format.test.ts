import { describe, expect, it } from 'vitest';
import type { Change } from '../../../src/cli/setup/change.ts';
import { jsonFormat } from '../../../src/cli/setup/json-format.ts';

const SERVER: Change = { at: ['servers', 'handrail'], value: { command: 'node' } };
const DENY: Change = { at: ['permissions', 'deny'], items: ['Bash', 'Read'] };
const BASH: Change = { at: ['permission', 'bash'], value: 'deny' };

describe('jsonFormat.apply', () => {
  it.each([
    ['no file', undefined],
    ['an empty file', ''],
    ['a file of blanks', ' \n'],
    ['an empty object', '{}\n'],
  ])('makes of %s what it takes', (_, text) => {
    expect(jsonFormat.apply(text, [SERVER])).toBe(
      '{\n  "servers": {\n    "handrail": {\n      "command": "node"\n    }\n  }\n}\n',
    );
  });

  it.each<[name: string, before: string, change: Change, after: string]>([
    [
      'keeps comments where they are',
      '{ // a\n  "x": 1 // b\n  /* c */\n} // d\n',
      BASH,
      '{ // a\n  "x": 1, // b\n  /* c */\n  "permission": {\n    "bash": "deny"\n  }\n} // d\n',
    ],
    [
      'replaces a value only',
      '{"permission":{"bash":"ask"/*!*/}}',
      BASH,
      '{"permission":{"bash":"deny"/*!*/}}',
    ],
    [
      'takes the last of two names',
      '{"permission":1,"permission":{"bash":0}}',
      BASH,
      '{"permission":1,"permission":{"bash":"deny"}}',
    ],
    [
      'adds what a list lacks',
      '{\n  "permissions": {\n    "deny": [\n      "Read", // mine\n    ]\n  }\n}',
      DENY,
      '{\n  "permissions": {\n    "deny": [\n      "Read", // mine\n      "Bash",\n    ]\n  }\n}',
    ],
    [
      'keeps line ends of Windows, and tabs',
      '{\r\n\t"servers": {\r\n\t\t"a": {}\r\n\t}\r\n}\r\n',
      SERVER,
      '{\r\n\t"servers": {\r\n\t\t"a": {},\r\n\t\t"handrail": {\r\n\t\t\t"command": "node"\r\n\t\t}\r\n\t}\r\n}\r\n',
    ],
    [
      'leaves alone what is there',
      '{"permissions":{"deny":["Read","Bash","Edit"]}}',
      DENY,
      '{"permissions":{"deny":["Read","Bash","Edit"]}}',
    ],
  ])('%s', (_, before, change, after) => {
    expect(jsonFormat.apply(before, [change])).toBe(after);
    expect(jsonFormat.apply(after, [change])).toBe(after);
  });

  it.each<[text: string, change: Change, why: string]>([
    ['{', SERVER, 'line 1'],
    ['{\n\n"a" 1}', SERVER, 'line 3'],
    ['[]', SERVER, 'it is not an object'],
    ['// nothing', SERVER, 'line 1'],
    ['{"permission":"allow"}', BASH, '"permission" is not an object'],
    ['{"permissions":{"deny":"Bash"}}', DENY, '"permissions.deny" is not a list'],
    ['<<<<<<< ours\n{}', SERVER, 'line 1'],
  ])('refuses %j', (text, change, why) => {
    expect(() => jsonFormat.apply(text, [change])).toThrow(why);
  });
});

describe('jsonFormat.withdraw', () => {
  const changes = [SERVER, DENY, BASH];

  it.each<[name: string, before: string | undefined]>([
    ['no file', undefined],
    ['an empty object', '{}\n'],
    ['other servers', '{\n  "servers": {\n    "a": {}\n  }\n}\n'],
    ['empty servers', '{\n  "servers": {},\n  "x": [] // y\n}\n'],
    ['rules of its own', '{\n  "permissions": {\n    "deny": [\n      "Bash"\n    ]\n  }\n}\n'],
    [
      'another value',
      '{\n  "permission": {\n    // mine\n    "bash": { "*": "ask", /* z */ "ls": "allow" }\n  }\n}\n',
    ],
    ['a server of that name', '{\n  "servers": {\n    "handrail": { "command": "mine" } // mine\n  }\n}\n'],
  ])('gives back %s, from what it was', (_, before) => {
    expect(jsonFormat.withdraw(jsonFormat.apply(before, changes), changes, before)).toBe(before);
  });

  it('keeps what somebody wrote since, between and behind', () => {
    const text = `{
  "servers": {
    // about handrail
    "handrail": {
      "command": "node",
      "env": {}
    }, // behind
    "later": {} // later
  },
  "permissions": {
    "deny": [
      "Bash",
      "Edit", // edit
      "Read"
    ]
  },
  "permission": {
    "bash": "ask"
  }
}
`;
    expect(jsonFormat.withdraw(text, changes, '{}')).toBe(`{
  "servers": {
    // about handrail // behind
    "later": {} // later
  },
  "permissions": {
    "deny": [
      "Edit" // edit
    ]
  },
  "permission": {
    "bash": "ask"
  }
}
`);
  });

  it.each(['{ }', '', ' \n'])('keeps a file that has nothing to take out: %j', (text) => {
    expect(jsonFormat.withdraw(text, changes, undefined)).toBe(text);
  });

  it('keeps a file that was made for it and has a comment by now', () => {
    const since = `// mine\n${jsonFormat.apply(undefined, changes)}`;
    expect(jsonFormat.withdraw(since, changes, undefined)).toBe('// mine\n{}\n');
  });
});
