import { describe, expect, it } from 'vitest';
import { isOwn, isSpecial, mayAnswer } from '../../src/host/own-network.ts';

describe('isSpecial', () => {
  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.31.255.255',
    '192.168.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:10.0.0.1',
    '::ffff:7f00:1',
    '::7f00:1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'fe80::1%eth0',
    'fc00::1',
    'ff02::1',
    '32.999.1.1',
    'no address',
  ])('counts %s', (address) => expect(isSpecial(address)).toBe(true));

  it.each(['1.1.1.1', '93.184.216.34', '2606:4700:4700::1111', '::ffff:1.1.1.1'])(
    'leaves out %s',
    (address) => expect(isSpecial(address)).toBe(false),
  );
});

describe('isOwn', () => {
  it.each([
    'localhost',
    'a.localhost',
    'printer.local',
    'intranet',
    'metadata.google.internal',
    '[::1]',
    '0x7f.1',
  ])('counts %s', (host) => expect(isOwn(host)).toBe(true));

  it.each(['example.com', 'localhost.example.com', '1.1.1.1', '2606:4700:4700::1111'])(
    'leaves out %s',
    (host) => expect(isOwn(host)).toBe(false),
  );
});

describe('mayAnswer', () => {
  it.each([
    ["a cloud's keys for a name of the own network", 'metadata.google.internal', '169.254.169.254', false],
    ['an address of the own network for such a name', 'metadata.google.internal', '10.0.0.1', true],
  ])('%s', (_, host, address, expected) => {
    expect(mayAnswer(host, address, (named) => named === host)).toBe(expected);
  });
});
