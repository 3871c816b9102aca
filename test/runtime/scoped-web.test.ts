/** Redirections, one by one: each is decided like a first access, and kept on record. */
import type { RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { Web } from '../../src/host/web-ports.ts';
import { webUrl } from '../../src/host/web-url.ts';
import type { Rule } from '../../src/index.ts';
import { Policies } from '../../src/policy/policies.ts';
import { scopeWeb } from '../../src/runtime/scoped-web.ts';
import { closedRecords } from '../security/evidence.ts';
import { approver } from '../support/approver.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';
import { saying, webServer } from '../support/web-server.ts';

const FIRST = '127.0.0.2';
const SECOND = '127.0.0.3';
const host = (action: Rule['action'], name: string): Rule => ({
  action,
  permission: 'net.connect',
  host: name,
});

/** Leads on from one path, and has arrived at all others. */
const leadingTo =
  (location: string, from = '/'): RequestListener =>
  (request, response) => {
    if (request.url === from) response.writeHead(302, { location }).end();
    else saying('arrived')(request, response);
  };

describe('scopeWeb', () => {
  it('follows a redirection to another host that is allowed, and keeps it on record', async () => {
    await using target = await webServer(saying('target'), { address: SECOND });
    await using source = await webServer(leadingTo(`${target.origin}/a#b`), { address: FIRST });
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ rules: [host('allow', FIRST), host('allow', SECOND)] });
    const { reply } = await runtime.call('web_fetch', { url: `${source.origin}/` });
    expect(reply).toEqual({
      ok: true,
      url: `${target.origin}/a`,
      status: 200,
      content_type: 'text/plain',
      content: 'target',
    });
    await runtime.flush();
    expect(closedRecords(workspace.locations.state).at(-1)?.accesses).toEqual([
      { permission: 'net.connect', resource: FIRST, resolved: FIRST, url: `${source.origin}/` },
      { permission: 'net.connect', resource: SECOND, resolved: SECOND, url: `${target.origin}/a` },
    ]);
  });

  it('does not follow one to a host that somebody would be asked about, and names it', async () => {
    await using target = await webServer(saying('target'), { address: SECOND });
    await using source = await webServer(leadingTo(`${target.origin}/a`), { address: FIRST });
    await using workspace = tempWorkspace();
    const approve = approver('session');
    const rules = [FIRST, SECOND].flatMap((name) => [host('allow', name), host('ask', name)]);
    const runtime = await workspace.runtime({ rules, approve });
    const { outcome, result } = await runtime.call('web_fetch', { url: `${source.origin}/` });
    expect({ outcome, error: result.error }).toEqual({
      outcome: 'denied',
      error: {
        code: 'E_POLICY_DENIED',
        message: `${FIRST} redirects to ${SECOND}, which was not allowed. net.connect on "${SECOND}" needs an approval.`,
        details: {
          rule: 'user#4',
          host: SECOND,
          hint: `Ask for ${target.origin}/a itself, so that somebody can say yes.`,
        },
      },
    });
    expect([approve.asked.length, target.asked]).toEqual([1, []]);
  });

  it('follows one on the host that a human said yes to', async () => {
    await using source = await webServer(leadingTo('/further'), { address: FIRST });
    await using workspace = tempWorkspace();
    const approve = approver('once');
    const runtime = await workspace.runtime({ rules: [host('allow', FIRST), host('ask', FIRST)], approve });
    const { reply } = await runtime.call('web_fetch', { url: `${source.origin}/` });
    expect(reply).toMatchObject({ ok: true, url: `${source.origin}/further`, content: 'arrived' });
    expect(approve.asked.length).toBe(1);
  });

  it('does not follow one out of the folder of a host that a rule names', async () => {
    await using source = await webServer(leadingTo('/further', '/near/a'), { address: FIRST });
    await using workspace = tempWorkspace();
    const rules = [host('allow', FIRST), host('ask', FIRST), host('allow', `${FIRST}/near`)];
    const runtime = await workspace.runtime({ rules });
    expect((await runtime.call('web_fetch', { url: `${source.origin}/near/b` })).outcome).toBe('ok');
    expect((await runtime.call('web_fetch', { url: `${source.origin}/near/a` })).outcome).toBe('denied');
    expect(source.asked).toEqual(['/near/b', '/near/a']);
  });

  it('does not follow one from an encrypted address to a plain one', async () => {
    const url = webUrl('https://a.example/');
    const asked: string[] = [];
    const web = leading(asked, { 'https://a.example/': 'http://a.example/' });
    await expect(web.ask({ url, maxBytes: 10, timeoutMs: 1_000, isFollowed: true })).rejects.toMatchObject({
      code: 'E_POLICY_DENIED',
      message: 'a.example redirects to a.example without encryption.',
    });
    expect(asked).toEqual(['https://a.example/']);
  });

  it('follows none where something was sent along', async () => {
    const url = webUrl('https://a.example/');
    const asked: string[] = [];
    const web = leading(asked, { 'https://a.example/': 'https://a.example/b' });
    const headers = { authorization: 'Bearer key' };
    await expect(web.ask({ url, headers, maxBytes: 10, timeoutMs: 1_000 })).rejects.toMatchObject({
      code: 'E_POLICY_DENIED',
    });
    expect(asked).toEqual(['https://a.example/']);
  });

  it('takes a host that was not declared for a bug', async () => {
    const web = leading([], {});
    const url = webUrl('https://b.example/');
    await expect(web.ask({ url, maxBytes: 10, timeoutMs: 1_000 })).rejects.toThrow(
      'without having declared it',
    );
  });
});

/** The web of a call to `a.example`, where these addresses lead to others. */
function leading(
  asked: string[],
  redirections: Readonly<Record<string, string>>,
): ReturnType<typeof scopeWeb> {
  const web: Web = {
    async ask({ url }) {
      asked.push(url.href);
      const location = redirections[url.href];
      return {
        status: location === undefined ? 200 : 302,
        headers: { ...(location && { location }) },
        body: Buffer.of(),
      };
    },
    readable: async () => ({ title: '', markdown: '' }),
  };
  return scopeWeb({
    web,
    call: {
      tool: 'web-fetch',
      effect: 'network',
      accesses: [{ permission: 'net.connect', resource: 'a.example', resolved: 'a.example' }],
    },
    policy: new Policies([], () => undefined).for('tenas', 'ask', []),
    keys: {},
    wasApproved: false,
    signal: new AbortController().signal,
    onRedirect: () => {},
  });
}
