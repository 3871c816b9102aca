/** Class NT of the attack corpus, by where an allowed host leads: redirections, and names that change their address. */
import { lookup } from 'node:dns';
import { Agent, fetch as fetchOver } from 'undici';
import { describe, expect, it } from 'vitest';
import { localWeb } from '../../src/host/local/web/web.ts';
import { webUrl } from '../../src/host/web-url.ts';
import type { ResolvedAccess } from '../../src/policy/access.ts';
import type { PolicyCall } from '../../src/policy/decide.ts';
import { Policies } from '../../src/policy/policies.ts';
import { scopeWeb } from '../../src/runtime/scoped-web.ts';
import { type Attack, testAttacks } from './attack-case.ts';
import {
  expectNaiveReach,
  expectOutOfReach,
  OPEN_ADDRESS,
  OPEN_RULE,
  redirect,
  SECRET,
  webGround,
  type WebGround,
} from './web-ground.ts';

/** A ground whose open server leads to wherever its address says, in so many steps. */
async function leadingGround(): Promise<WebGround> {
  return webGround((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://open');
    const steps = Number(searchParams.get('steps') ?? 0);
    const to = searchParams.get('to') ?? '';
    const status = Number(searchParams.get('status') ?? 302);
    const next = steps === 0 ? to : `/?${new URLSearchParams({ to, steps: String(steps - 1) }).toString()}`;
    redirect(response, next, status);
  });
}

interface Leading {
  readonly title: string;
  readonly to: (port: number) => string;
  readonly more?: Readonly<Record<string, string>>;
  readonly noProof?: string;
}

const NOT_FOLLOWED = 'Node does not follow it, either.';

const LEADING: readonly Leading[] = [
  ...[301, 302, 303, 307, 308].map((status) => ({
    title: `to the machine itself, by ${status}`,
    to: (port: number) => `http://127.0.0.1:${port}/`,
    more: { status: String(status) },
  })),
  { title: 'to the machine by name', to: (port) => `http://localhost:${port}/` },
  { title: 'to the machine in numbers', to: (port) => `http://2130706433:${port}/` },
  { title: 'to the machine in other clothes', to: (port) => `http://[::ffff:127.0.0.1]:${port}/` },
  { title: 'without a scheme', to: (port) => `//127.0.0.1:${port}/` },
  { title: 'in five steps', to: (port) => `http://127.0.0.1:${port}/`, more: { steps: '5' } },
  { title: 'to a name and password', to: (port) => `http://a:b@127.0.0.1:${port}/`, noProof: NOT_FOLLOWED },
  { title: 'to a file', to: () => 'file:///etc/hostname', noProof: NOT_FOLLOWED },
  { title: 'to data', to: () => 'data:text/plain,secret', noProof: NOT_FOLLOWED },
  { title: 'without an end', to: () => '/', more: { steps: '60' }, noProof: NOT_FOLLOWED },
];

/** Neither of the two tools goes on for ever. */
function expectFewSteps({ open }: WebGround): void {
  expect(open.asked.length).toBeLessThanOrEqual(22);
}

testAttacks(
  LEADING.map(({ title, to, more = {}, noProof }): Attack => {
    const address = ({ port }: WebGround): string =>
      `http://${OPEN_ADDRESS}:${port}/?${new URLSearchParams({ to: to(port), ...more }).toString()}`;
    return {
      id: 'NT-04',
      title: `a redirection ${title}`,
      async attack() {
        await using ground = await leadingGround();
        await expectOutOfReach(ground, address(ground));
        expectFewSteps(ground);
      },
      bites:
        noProof === undefined
          ? async () => {
              await using ground = await leadingGround();
              await expectNaiveReach(address(ground));
            }
          : { noProof },
    };
  }),
);

type Resolver = (host: string) => readonly string[];

/** Answers in turn, the last one for ever. */
function changing(...answers: readonly (readonly string[])[]): Resolver {
  let asked = 0;
  return () => answers[Math.min(asked++, answers.length - 1)]!;
}

/** Asks by a name whose address is told by `resolve`, under a policy that names the open server's address. */
async function askByName(
  ground: WebGround,
  resolve: Resolver,
  host = 'rebind.example',
): Promise<() => Promise<string>> {
  const url = webUrl(`http://${host}:${ground.port}/`);
  const access: ResolvedAccess = { permission: 'net.connect', resource: host, resolved: host, url: url.href };
  const call: PolicyCall = { tool: 'web-fetch', effect: 'network', accesses: [access] };
  const web = scopeWeb({
    web: localWeb({ addressesOf: async (name) => resolve(name) }),
    call,
    policy: new Policies([OPEN_RULE], () => undefined).for('tenas', 'ask', []),
    keys: {},
    wasApproved: false,
    signal: new AbortController().signal,
    onRedirect: () => {},
  });
  return async () => {
    const { body } = await web.ask({ url, maxBytes: 1_000, timeoutMs: 20_000, isFollowed: true });
    return Buffer.from(body).toString();
  };
}

/** Looks at the address of a name, and then connects by the name. */
async function checkThenFetch(ground: WebGround, resolve: Resolver): Promise<string> {
  if (!resolve('rebind.example').includes(OPEN_ADDRESS)) throw new Error('Not allowed.');
  const agent = new Agent({
    connect: {
      lookup: (host, options, callback) => lookup(resolve(host)[0]!, { ...options, all: true }, callback),
    },
  });
  try {
    return await (await fetchOver(`http://rebind.example:${ground.port}/`, { dispatcher: agent })).text();
  } finally {
    await agent.destroy();
  }
}

describe('NT-05 a name that changes its address', () => {
  it('is connected to where it was when it was looked at', async () => {
    await using ground = await webGround();
    const ask = await askByName(ground, changing([OPEN_ADDRESS], ['127.0.0.1']));
    expect(await ask()).toBe('open');
    await expect(ask()).rejects.toMatchObject({ code: 'E_POLICY_DENIED' });
    expect(ground.secret.asked).toEqual([]);
  });

  it('leads who looks once more to the secret', async () => {
    await using ground = await webGround();
    expect(await checkThenFetch(ground, changing([OPEN_ADDRESS], ['127.0.0.1']))).toBe(SECRET);
  });

  it.each([
    ['several addresses, the first of them closed', ['127.0.0.1', OPEN_ADDRESS]],
    ['addresses of both kinds', ['::1', OPEN_ADDRESS, '10.0.0.1']],
    ['the open one in other clothes', [`::ffff:${OPEN_ADDRESS}`]],
  ])('is connected to where it may be, of %s', async (_, addresses) => {
    await using ground = await webGround();
    const ask = await askByName(ground, () => addresses);
    expect(await ask()).toBe('open');
    expect(ground.secret.asked).toEqual([]);
  });

  it.each([
    [['127.0.0.1']],
    [['::1']],
    [['::ffff:127.0.0.1']],
    [['0.0.0.0']],
    [['169.254.169.254', 'fd00:ec2::254']],
    [['10.0.0.1', '192.168.0.1']],
  ])('is out of reach at %j', async (addresses) => {
    await using ground = await webGround();
    const ask = await askByName(ground, () => addresses);
    await expect(ask()).rejects.toMatchObject({ code: 'E_POLICY_DENIED' });
    expect(ground.secret.asked).toEqual([]);
  });

  it('is not remembered past its address', async () => {
    await using ground = await webGround((_request, response) => {
      response.writeHead(200, { 'cache-control': 'max-age=600' }).end('open');
    });
    const ask = await askByName(ground, changing([OPEN_ADDRESS], ['127.0.0.1']));
    expect(await ask()).toBe('open');
    await expect(ask()).rejects.toMatchObject({ code: 'E_POLICY_DENIED' });
  });
});
