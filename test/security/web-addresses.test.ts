/** Class NT of the attack corpus, by how an address is written: whatever the spelling, the own network is out of reach. */
import { describe, expect, it } from 'vitest';
import type { Rehearsal, Rule } from '../../src/index.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';
import { type Attack, testAttacks } from './attack-case.ts';
import { expectNaiveReach, expectOutOfReach, fetchBy, webGround } from './web-ground.ts';

interface HostAttack {
  readonly id: string;
  readonly title: string;
  readonly hosts: readonly string[];
  readonly codes?: readonly string[];
  /** Hosts of these that lead to the secret where nobody looks. */
  readonly reach?: readonly string[];
}

const HOSTS: readonly HostAttack[] = [
  {
    id: 'NT-01',
    title: 'the machine itself, by name and by address',
    hosts: ['localhost', 'LOCALHOST.', 'a.localhost', '127.0.0.1', '127.8.8.8', '0.0.0.0', '[::1]', '[::]'],
    reach: ['localhost', '127.0.0.1', '0.0.0.0'],
  },
  {
    id: 'NT-01',
    title: 'its network, and where clouds keep keys',
    hosts: [
      '10.0.0.1',
      '172.16.0.1',
      '192.168.1.1',
      '100.64.0.1',
      '169.254.169.254',
      'metadata.google.internal',
      'printer.local',
      'intranet',
      '[fd00:ec2::254]',
      '[fe80::1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
    ],
  },
  {
    id: 'NT-02',
    title: 'the machine in other numbers and digits',
    hosts: [
      '2130706433',
      '0x7f000001',
      '0x7f.1',
      '0177.0.0.1',
      '017700000001',
      '127.1',
      '127.0.0.1.',
      '0',
      '１２７.０.０.１',
      '①②⑦.⓪.⓪.①',
      '127。0。0。1',
      '%31%32%37.0.0.1',
    ],
    reach: [
      '2130706433',
      '0x7f.1',
      '0177.0.0.1',
      '127.1',
      '0',
      '①②⑦.⓪.⓪.①',
      '127。0。0。1',
      '%31%32%37.0.0.1',
    ],
  },
  {
    id: 'NT-03',
    title: 'an old address in the clothes of a new one',
    hosts: [
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[0:0:0:0:0:ffff:7f00:1]',
      '[::ffff:169.254.169.254]',
      '[::ffff:a9fe:a9fe]',
      '[::127.0.0.1]',
    ],
    reach: ['[::ffff:127.0.0.1]', '[::ffff:7f00:1]'],
  },
  {
    id: 'NT-03',
    title: 'an address with a zone',
    hosts: ['[fe80::1%25lo]', '[::1%25lo]', '[::1%lo]'],
    codes: ['E_INVALID_ARGS'],
  },
];

testAttacks(
  HOSTS.map(({ id, title, hosts, codes, reach = [] }): Attack => ({
    id,
    title,
    async attack() {
      await using ground = await webGround();
      for (const host of hosts) await expectOutOfReach(ground, `http://${host}:${ground.port}/`, codes);
    },
    bites:
      reach.length === 0
        ? { noProof: 'Nothing listens there.' }
        : async () => {
            await using ground = await webGround();
            for (const host of reach) await expectNaiveReach(`http://${host}:${ground.port}/`);
          },
  })),
);

describe('NT-07 other ways than the web', () => {
  it.each([
    'file:///etc/hostname',
    'data:text/plain,secret',
    'blob:nodedata:0',
    'ftp://127.0.0.1/',
    'gopher://127.0.0.1/',
    'view-source:http://127.0.0.1/',
    'ws://127.0.0.1/',
    'unix:/var/run/docker.sock',
    'http+unix://%2Fvar%2Frun%2Fdocker.sock/',
    'javascript:1',
    '/etc/hostname',
    '//127.0.0.1/',
    '',
  ])('are refused: %s', async (url) => {
    for (const tool of ['web-fetch', 'web_fetch'] as const)
      expect((await fetchBy(tool, url)).result.error?.code).toBe('E_INVALID_ARGS');
  });

  it('are taken by who takes what comes', async () => {
    expect(await (await fetch('data:text/plain,secret')).text()).toBe('secret');
  });
});

const ALLOWED = 'docs.example.com';

/** What would be decided about an address where one host is allowed, and nothing else. */
async function decided(url: string, host: string = ALLOWED): Promise<string> {
  await using workspace = tempWorkspace();
  const rule: Rule = { action: 'allow', permission: 'net.connect', host };
  const runtime = await workspace.runtime({ rules: [rule] });
  const rehearsal: Rehearsal | undefined = await runtime
    .approvalRequest('web_fetch', { url })
    .catch(() => undefined);
  return rehearsal?.decision.action ?? 'refused';
}

describe('NT-06 hosts that look like an allowed one', () => {
  const ALIKE = [
    'https://docs.example.com.evil.test/',
    'https://docs.example.com@evil.test/',
    'https://docs.example.com:443@evil.test/',
    'https://docs.example.com%2eevil.test/',
    'https://docs.example.comevil.test/',
  ];
  const OTHERS = [
    'https://evil-docs.example.com/',
    'https://evil.test/docs.example.com',
    'https://evil.test#docs.example.com',
    'https://evil.test\\@docs.example.com/',
    'https://docs.example.com\\@evil.test/',
    'https://docs.exam\tple.com/',
    'https://docs.example.com\n.evil.test/',
    'https://dоcs.example.com/',
    'https://user@docs.example.com/',
  ];

  it.each([...ALIKE, ...OTHERS])('are not allowed: %j', async (url) => {
    expect(await decided(url)).not.toBe('allow');
  });

  it.each(['https://docs.example.com/a', 'https://DOCS.example.com./', 'http://docs.example.com:8080/?q'])(
    'are it where only the spelling differs: %s',
    async (url) => expect(await decided(url)).toBe('allow'),
  );

  it.each(ALIKE)('are allowed by who compares how an address starts: %s', (url) => {
    expect(url.startsWith('https://docs.example.com')).toBe(true);
    expect(new URL(url).hostname).not.toBe(ALLOWED);
  });
});

describe('NT-09 what an address can carry away', () => {
  const DATA = 'c2VjcmV0'.repeat(600);

  it.each([
    ['a long query', `https://docs.example.com/?q=${DATA}`, ALLOWED],
    ['a long path', `https://docs.example.com/${DATA}`, ALLOWED],
    ['a host made of data', `https://${'c2VjcmV0.'.repeat(12)}example.com/`, '*.example.com'],
  ])('is asked about in an allowed host: %s', async (_, url, host) => {
    expect(await decided(url, host)).toBe('ask');
  });

  it.each([
    ['https://docs.example.com/guide', 'allow'],
    ['https://docs.example.com/guide/a?b', 'allow'],
    ['https://docs.example.com/guides', 'ask'],
    ['https://docs.example.com/other', 'ask'],
    ['https://docs.example.com/guide/../other', 'ask'],
    ['https://docs.example.com/guide/%2e%2e/other', 'ask'],
    ['https://docs.example.com/guide/..%2fother', 'ask'],
    ['https://docs.example.com/guide//other', 'ask'],
  ])('stays in the folder that a rule names: %s is %s', async (url, action) => {
    expect(await decided(url, 'docs.example.com/guide')).toBe(action);
  });
});
