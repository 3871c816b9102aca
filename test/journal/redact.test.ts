/** Secrets in every carrier a call can bring along must not survive; what only looks similar must stay. */
import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redactId, redactText, redactValue } from '../../src/journal/redact.ts';

// Joined at run time, so that no scanner takes this file for a leak.
const join = (...parts: string[]): string => parts.join('');
const CANARY = join('Hunter2', 'Canary');
const LONG = join(CANARY, 'x7'.repeat(20));
const UPPER = 'Q7'.repeat(8);
const PEM_TYPE = join('PRIVATE', ' KEY');
const pem = (kind: string, body: string): string =>
  `${'-'.repeat(5)}BEGIN ${kind}${PEM_TYPE}${'-'.repeat(5)}\n${body}\n${'-'.repeat(5)}END ${kind}${PEM_TYPE}${'-'.repeat(5)}`;

describe('redactText', () => {
  const TOKENS: Record<string, string> = {
    ...Object.fromEntries(
      ['p', 'o', 'u', 's', 'r'].map((kind) => [`GitHub ${kind}`, join('gh', kind, '_', LONG)]),
    ),
    'GitHub fine-grained': join('github', '_pat_', LONG),
    GitLab: join('gl', 'pat-', LONG),
    ...Object.fromEntries(
      ['a', 'b', 'p', 'r', 's'].map((kind) => [`Slack ${kind}`, join('xo', 'x', kind, '-', LONG)]),
    ),
    'AWS key id': join('AK', 'IA', UPPER),
    'AWS session key id': join('AS', 'IA', UPPER),
    Google: join('AI', 'za', LONG),
    OpenAI: join('s', 'k-', LONG),
    'OpenAI project': join('s', 'k-proj-', LONG),
    Anthropic: join('s', 'k-ant-', LONG),
    Stripe: join('s', 'k_live_', LONG),
    'Stripe restricted': join('r', 'k_live_', LONG),
    npm: join('np', 'm_', LONG),
    JWT: join('ey', 'J', LONG, '.ey', 'J', LONG, '.', LONG),
  };
  const CARRIERS: Record<string, (token: string) => string> = {
    alone: (token) => token,
    prose: (token) => `refused: ${token} is not valid for host.example`,
    'escaped text': (token) => `first line\\n${token}\\nlast line`,
    'JSON list': (token) => JSON.stringify(['before', token, 'after']),
    query: (token) => `https://host.example/a%20${token}?b=1`,
  };

  for (const [name, token] of Object.entries(TOKENS)) {
    test.each(Object.keys(CARRIERS))(`hides a token: ${name}, %s`, (carrier) => {
      const before = CARRIERS[carrier]?.(token) ?? '';
      const after = redactText(before);
      expect(after).not.toContain(token.slice(4));
      expect(after).not.toContain(CANARY);
      expect(after).toContain('[redacted]');
      for (const part of before.replace(token, ' ').match(/[a-z.]{4,}/g) ?? []) expect(after).toContain(part);
    });
  }

  const WRITTEN: readonly (readonly [name: string, before: string, after: string])[] = [
    ['shell export', `export API_KEY=${CANARY} && npm test`, 'export API_KEY=[redacted] && npm test'],
    ['shell assignment', `DB_PASSWORD='${CANARY} x' npm test`, "DB_PASSWORD='[redacted]' npm test"],
    ['joined shell quotes', `PASSWD="a"'${CANARY}' x`, 'PASSWD="[redacted]" x'],
    ['long flag', `mysql --password ${CANARY} -h db`, 'mysql --password [redacted] -h db'],
    ['flag with =', `login --token=${CANARY} host`, 'login --token=[redacted] host'],
    ['flag in a list', `["--token", "${CANARY}", "x"]`, '["--token", "[redacted]", "x"]'],
    ['curl user', `curl -s -u bob:${CANARY} https://h`, 'curl -s -u bob:[redacted] https://h'],
    ['dotenv', `A=1\nDB_PASS=a;b)${CANARY},c\nB=2`, 'A=1\nDB_PASS=[redacted]\nB=2'],
    ['AWS secret key', `aws_secret_access_key = a/${CANARY}+b`, 'aws_secret_access_key = [redacted]'],
    ['npmrc', `//registry.example/:_authToken=${CANARY}`, '//registry.example/:_authToken=[redacted]'],
    ['JSON', `{"client_secret": "a\\"${CANARY}", "n": 1}`, '{"client_secret": "[redacted]", "n": 1}'],
    ['JSON in JSON', `{\\"apiKey\\":\\"${CANARY}\\",\\"n\\":1}`, '{\\"apiKey\\":\\"[redacted]\\",\\"n\\":1}'],
    ['JSON command', `{"command":"export X_SECRET=${CANARY}"}`, '{"command":"export X_SECRET=[redacted]"}'],
    ['JSON cut off', `{"password": "${CANARY} and more`, '{"password": "[redacted]'],
    ['YAML', `user: bob\npassword: a b ${CANARY}\nport: 1`, 'user: bob\npassword: [redacted]\nport: 1'],
    ['YAML block', `passphrase: |\n  ${CANARY}\n  b\nport: 1`, 'passphrase: [redacted]\nport: 1'],
    ['TypeScript', `config["password"] = "${CANARY}";`, 'config["password"] = "[redacted]";'],
    ['Python', `login(password=b"${CANARY} x", user=1)`, 'login(password=b"[redacted]", user=1)'],
    ['PHP', `'password' => '${CANARY}',`, "'password' => '[redacted]',"],
    ['Go', `token := "${CANARY}"`, 'token := "[redacted]"'],
    ['XML', `<password>${CANARY} x</password>`, '<password>[redacted]</password>'],
    ['escaped lines', `a\\nAPI_KEY=${CANARY}\\nuser=bob`, 'a\\nAPI_KEY=[redacted]\\nuser=bob'],
    ['bearer', `Authorization: Bearer ${CANARY} at host`, 'Authorization: Bearer [redacted] at host'],
    ['basic', `curl -H "Authorization: Basic ${CANARY}=" h`, 'curl -H "Authorization: Basic [redacted]" h'],
    ['token scheme', `authorization: token ${CANARY}`, 'authorization: token [redacted]'],
    [
      'other scheme',
      `Authorization: Digest a="b", c="${CANARY}"\nHost: h`,
      'Authorization: [redacted]\nHost: h',
    ],
    ['bearer alone', `sent Bearer ${LONG} to h`, 'sent Bearer [redacted] to h'],
    ['api key header', `-H 'X-Api-Key: ${CANARY}' h`, "-H 'X-Api-Key: [redacted]' h"],
    ['cookie', `-H 'Cookie: a=b; sid=${CANARY}' h`, "-H 'Cookie: [redacted]' h"],
    ['set-cookie', `Set-Cookie: sid="${CANARY}"; Path=/\nHost: h`, 'Set-Cookie: [redacted]\nHost: h'],
    ['URL', `https://bob:${CANARY}@h.example/p?m=a@b`, 'https://bob:[redacted]@h.example/p?m=a@b'],
    ['URL, telling user', `https://token:${CANARY}@h.example/p`, 'https://token:[redacted]@h.example/p'],
    ['database URL', `postgres://u:a/${CANARY}@db:5432/app`, 'postgres://u:[redacted]@db:5432/app'],
    ['URL without user', `redis://:${CANARY}@cache:6379/0`, 'redis://:[redacted]@cache:6379/0'],
    ['query', `/p?token=${CANARY}&api_key=${CANARY}&n=1`, '/p?token=[redacted]&api_key=[redacted]&n=1'],
    ['signed URL', `/p?X-Amz-Signature=${LONG}&n=1`, '/p?X-Amz-Signature=[redacted]&n=1'],
    ['connection string', `Server=h;Pwd=${CANARY};Encrypt=yes`, 'Server=h;Pwd=[redacted];Encrypt=yes'],
    ['storage account', `AccountKey=${CANARY}==;Suffix=core`, 'AccountKey=[redacted];Suffix=core'],
    [
      'error message',
      `login failed (password=${CANARY}, host=h)`,
      'login failed (password=[redacted], host=h)',
    ],
  ];

  test.each(WRITTEN)('hides the value and keeps the rest: %s', (_name, before, after) => {
    expect(redactText(before)).toBe(after);
    expect(redactText(after)).toBe(after);
  });

  test.each(['', 'RSA ', 'EC ', 'OPENSSH ', 'ENCRYPTED '])('hides the body of a %sprivate key', (kind) => {
    const block = pem(kind, `MIIE\n${CANARY}`);
    const masked = `-----BEGIN ${kind}${PEM_TYPE}-----[redacted]-----END ${kind}${PEM_TYPE}-----`;
    expect(redactText(`before\n${block}\nafter`)).toBe(`before\n${masked}\nafter`);
    expect(redactText(JSON.stringify({ a: block }))).toBe(JSON.stringify({ a: masked }));
    expect(redactText(block.slice(0, block.indexOf('-----END')))).toBe(
      masked.slice(0, masked.indexOf('-----END')),
    );
  });

  const HARMLESS = [
    '',
    'const tokenCount = tokens.length;',
    'if (token === other || token == null) tokens.map((token) => token.id);',
    'interface Login { password: string; token?: string | undefined; apiKey: null }',
    'const password = process.env.PASSWORD; this.token = this.tokens[0];',
    'key: value',
    'keyboard: qwerty, monkey=1, keys: 3, "key": "name"',
    'PUBLIC_KEY=abc publicKey: "abc" primary_key=id sortKey: name CACHE_KEY=x',
    'max_tokens: 4096, token_count=7, tokenizer: "bpe", author: bob, price_per_token: 3',
    'The password is wrong; ask for a new token, or reset the secret key.',
    'Bearer authentication is required, and the cookie banner too.',
    'curl -H "Authorization: Bearer $TOKEN" --password "$DB_PASSWORD" https://host.example',
    'TOKEN=$(gh auth token) npm publish; PWD=/work; docker login --password-stdin',
    'token: ${{ secrets.DEPLOY_TOKEN }}',
    'login --token <your-token>',
    'password: ""\nsecret=\ntoken:',
    'Token::new() and Secret::<T>::get()',
    'useState<Token>(null) as Promise<Secret>',
    'https://host.example:8080/@scope/pkg?email=a@b.c#key',
    'git@github.com:owner/repo.git and ssh://git@host:22/x',
    'docker run --user 1000:1000 image',
    'task-management-system-overview-2024 and class="sk-folding-cube-wrapper"',
    'commit 9fceb02d0ae598e95dc970b74767f19372d61af8, key 550e8400-e29b-41d4-a716-446655440000',
    'secretName: tls, secretKeyRef, passwordField: 1, token_type: bearer',
    `data:image/png;base64,${createHash('shake256', { outputLength: 30_000 }).update('picture').digest('base64')} key`,
  ];

  test.each(HARMLESS)('leaves harmless text alone: %.60s', (text) => {
    expect(redactText(text)).toBe(text);
  });

  const UNITS =
    `a a. password password= password="  password=\\" token=[ token=,a eyJ eyJ. -eyJ sk- ghp_ :// ://a:
    <token> \\ =a pass. cookie:="`.split(/\s+/);
  const SPACED = ['password: x ', 'curl -u a', 'bearer ', '--token ', 'authorization: ', '-----BEGIN '];

  test.each([...UNITS, ...SPACED, `-----BEGIN ${PEM_TYPE}`])(
    'takes linear time for a megabyte of %s',
    (unit) => {
      for (const start of ['', 'password: ', 'password="', 'Cookie: ']) {
        const started = performance.now();
        redactText(start + unit.repeat(1e6 / unit.length));
        expect(performance.now() - started).toBeLessThan(5_000);
      }
    },
  );

  test('hides what lies behind two million characters once it has to look closer', () => {
    const after = redactText(`password=${'a,'.repeat(4e6)}${CANARY}`);
    expect(after.length).toBeLessThan(100);
    expect(redactText('ab '.repeat(1e6))).toHaveLength(3e6);
  });
});

describe('redactId', () => {
  test('leaves an id as it is, and tells masked ones apart', () => {
    expect(redactId('ses_01')).toBe('ses_01');
    const [one, other] = ['a', 'b'].map((letter) => redactId(`ghp_${letter.repeat(36)}`));
    expect(one).toMatch(/^\[redacted\]#[0-9a-f]{12}$/);
    expect(other).not.toBe(one);
    expect(redactId(`ghp_${'a'.repeat(36)}`)).toBe(one);
  });
});

describe('redactValue', () => {
  const SECRET =
    `token accessToken access_token apiKey api-key api_key APIKey password passwd userPassword secret
    clientSecret authorization Authorization cookie Set-Cookie privateKey credentials DB_PASSWORD STRIPE_KEY x-api-key
    passphrase refresh_token AWS_SECRET_ACCESS_KEY auth password2`.split(/\s+/);
  const PLAIN =
    `tokens max_tokens token_count tokenizer key keys publicKey primaryKey author keyboard path monkey
    token_type PWD passed secretName __typename`.split(/\s+/);

  test.each(SECRET)('hides the whole field %s', (name) => {
    for (const value of [CANARY, 7, 7n, [CANARY], { a: { b: CANARY } }]) {
      expect(redactValue({ [name]: value, n: 1 })).toEqual({ [name]: '[redacted]', n: 1 });
    }
    for (const value of [null, true, false, '', [], {}]) {
      expect(redactValue({ [name]: value })).toEqual({ [name]: value });
    }
  });

  test.each(PLAIN)('keeps the field %s', (name) => {
    expect(redactValue({ [name]: 'plain', n: { [name]: 3 } })).toEqual({ [name]: 'plain', n: { [name]: 3 } });
  });

  test('hides the value of a secret flag, and of a secret name and value pair', () => {
    const before = {
      argv: ['x', '--password', CANARY, '--token', '-v'],
      env: [{ name: 'API_KEY', value: CANARY }],
    };
    const after = { argv: ['x', '--password', '[redacted]', '--token', '-v'] };
    expect(redactValue(before)).toEqual({ ...after, env: [{ name: 'API_KEY', value: '[redacted]' }] });
  });

  test('looks into strings and keys', () => {
    const token = join('gh', 'p_', LONG);
    expect(redactValue({ [token]: [`TOKEN=${CANARY}`] })).toEqual({ '[redacted]': ['TOKEN=[redacted]'] });
  });

  test('keeps what JSON can hold and drops the rest', () => {
    const before = { a: 1, b: null, c: undefined, d: () => 1, e: Symbol('s'), f: 5n, g: [undefined, 1] };
    expect(redactValue(before)).toStrictEqual({ a: 1, b: null, f: '5', g: [null, 1] });
    expect(redactValue({ at: new Date(0), bytes: new Uint8Array(3) })).toEqual({
      at: '1970-01-01T00:00:00.000Z',
      bytes: '[3 bytes]',
    });
  });

  test('cuts a long string to its head, length and hash', () => {
    const text = `API_KEY=${CANARY}\n${'line\n'.repeat(3_000)}`;
    expect(redactValue({ text })).toEqual({
      text: {
        head: text.replace(CANARY, '[redacted]').slice(0, 256),
        length: text.length,
        sha256: createHash('sha256').update(text).digest('hex'),
      },
    });
    expect(redactValue('x'.repeat(2_000))).toBe('x'.repeat(2_000));
    expect(redactValue('x'.repeat(11), { maxString: 10 })).toMatchObject({
      head: 'x'.repeat(11),
      length: 11,
    });
  });

  test('keeps no half of a secret at the edge of what it looked at', () => {
    for (const edge of [1_000, 8_000]) {
      const before = pem('', 'A'.repeat(edge - 80)).concat('\n');
      const text = before.padEnd(edge - 6) + join('gh', 'p_', LONG).padEnd(9_000);
      expect(JSON.stringify(redactValue(text))).not.toContain(join('gh', 'p_'));
    }
  });

  test('stops at a cycle and below 32 levels', () => {
    const cycle: Record<string, unknown> = { name: 'x' };
    cycle['self'] = cycle;
    expect(redactValue(cycle)).toEqual({ name: 'x', self: '[too deep]' });
    const deep = (levels: number, end: unknown): unknown =>
      levels === 0 ? end : { a: deep(levels - 1, end) };
    expect(redactValue(deep(40, 1))).toEqual(deep(32, '[too deep]'));
    expect(redactValue(deep(32, 1))).toEqual(deep(32, 1));
  });

  test('keeps __proto__ as plain data', () => {
    const after = redactValue(JSON.parse('{"__proto__": {"admin": true, "password": "x"}}')) as object;
    expect(JSON.stringify(after)).toBe('{"__proto__":{"admin":true,"password":"[redacted]"}}');
    expect('admin' in after).toBe(false);
  });

  test('turns anything into JSON without throwing', () => {
    const kinds = { withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true };
    const value = fc.oneof(
      fc.anything(kinds),
      fc.json().map((text) => JSON.parse(text) as unknown),
    );
    const property = fc.property(value, (value) => {
      expect(() => JSON.stringify(redactValue(value))).not.toThrow();
    });
    fc.assert(property, { numRuns: 1_000 });
  });

  test('lets no canary below a secret name survive, at any depth', () => {
    const path = fc.array(fc.oneof(fc.constant(0), fc.string()), { maxLength: 19 });
    const value = fc.oneof(
      fc.constant(CANARY),
      fc.anything().map((other) => [other, { x: CANARY }]),
    );
    const property = fc.property(path, fc.constantFrom(...SECRET), value, (path, name, value) => {
      const nest = (inner: unknown, key: string | number): unknown =>
        key === 0 ? [inner] : { [key]: inner };
      const after = JSON.stringify(redactValue(path.reduce<unknown>(nest, { [name]: value })));
      expect(after).not.toContain(CANARY);
      expect(after).toContain('[redacted]');
    });
    fc.assert(property, { numRuns: 1_000 });
  });
});
