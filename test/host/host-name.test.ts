import { describe, expect, it } from 'vitest';
import { normaliseHost } from '../../src/host/host-name.ts';

describe('normaliseHost', () => {
  it.each([
    ['Example.COM.', 'example.com'],
    ['*.Example.com', '*.example.com'],
    ['*', '*'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['ｅxample.com', 'example.com'],
    ['0x7f.1', '127.0.0.1'],
    ['2130706433', '127.0.0.1'],
    ['0177.0.0.1', '127.0.0.1'],
    ['[::1]', '::1'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['my_host', 'my_host'],
  ])('spells %s as %s', (written, spelled) => {
    expect(normaliseHost(written)).toBe(spelled);
  });

  it.each(['good.com/@evil.com', 'a b', 'a@b', 'x:y', '1.2.3.999'])(
    'leaves %s, which is no host, alone',
    (text) => {
      expect(normaliseHost(text)).toBe(text);
    },
  );
});
