/** A session that was recorded: a small project with a mistake, what was asked, and what the model said, reply by reply. */

/** The project, file by file. */
export const PROJECT: Readonly<Record<string, string>> = {
  'greet.sh':
    '#!/bin/sh\n# Greets whoever is named; the world where nobody is.\nname=${1:-Wrold}\necho "Hello, $name!"\n',
  'test.sh': `#!/bin/sh
# Says what is wrong, and ends with 1, where a greeting is not as it should be.
check() {
  [ "$2" = "$3" ] && echo "ok      $1" && return
  echo "not ok  $1: expected '$3', got '$2'"
  failed=1
}
check 'greets the world' "$(sh greet.sh)" 'Hello, World!'
check 'greets by name' "$(sh greet.sh Ada)" 'Hello, Ada!'
exit \${failed:-0}
`,
  'README.md': '# greet\n\nSays hello. `sh test.sh` tells whether it does.\n',
};

/** What the person says. */
export const REQUEST = 'The test fails. Find out why, and mend it.';

export interface RecordedReply {
  readonly thought?: string;
  readonly text: string;
  readonly calls?: readonly { readonly tool: string; readonly args: object }[];
}

export const REPLIES: readonly RecordedReply[] = [
  {
    thought: 'First the test itself, and what it runs.',
    text: 'I look at the test and run it.',
    calls: [
      { tool: 'read', args: { path: 'test.sh' } },
      { tool: 'bash', args: { command: 'sh test.sh' } },
    ],
  },
  {
    text: '`greets the world` fails: the greeting says **Wrold**. I look for it.',
    calls: [{ tool: 'grep', args: { pattern: 'Wrold' } }],
  },
  {
    text: 'It is the default name in `greet.sh`. This mends it:',
    calls: [
      {
        tool: 'edit',
        args: { path: 'greet.sh', old_string: 'name=${1:-Wrold}', new_string: 'name=${1:-World}' },
      },
    ],
  },
  { text: 'Now the test again.', calls: [{ tool: 'bash', args: { command: 'sh test.sh' } }] },
  {
    text: [
      '## Mended',
      '',
      'The default name in `greet.sh` was misspelt, so that greeting nobody in particular failed.',
      '',
      '| test | before | now |',
      '|---|---|---|',
      '| greets the world | not ok | ok |',
      '| greets by name | ok | ok |',
      '',
    ].join('\n'),
  },
];

/** What the model says where the person does not want the change. */
export const REPLY_TO_NO: RecordedReply = {
  text: 'Then I leave `greet.sh` as it is. The mistake is in its third line: the default name is misspelt.',
};
