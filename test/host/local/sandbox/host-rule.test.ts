import { describe, expect, it } from 'vitest';
import { hostRules } from '../../../../src/host/local/sandbox/host-rule.ts';

describe('hostRules', () => {
  it.each([
    ['example.com', 'example.com', true],
    ['Example.COM.', 'example.com', true],
    ['example.com', 'www.example.com', false],
    ['example.com', 'notexample.com', false],
    ['*.example.com', 'a.b.example.com', true],
    ['*.example.com', 'example.com', false],
    ['*.example.com', 'evilexample.com', false],
    ['*', 'anything.example', true],
    ['[::1]', '::1', true],
  ])('%s and %s: %s', (rule, host, expected) => {
    expect(hostRules([rule]).allows(host)).toBe(expected);
  });

  it.each([
    ['a public name with a public address', ['a.example'], 'a.example', '93.184.216.34', true],
    ['a public name with a private address', ['a.example'], 'a.example', '10.0.0.1', false],
    ['a domain with an address of the machine', ['*.example'], 'a.example', '127.0.0.1', false],
    ['an address that was granted itself', ['a.example', '10.0.0.1'], 'a.example', '10.0.0.1', true],
    ['a name of the own network that was granted', ['registry.corp'], 'registry.corp', '10.0.0.1', true],
    ['a name of the own network below everything', ['*'], 'registry.corp', '10.0.0.1', false],
    ['the machine by name', ['localhost'], 'localhost', '::1', true],
  ])('%s', (_, rules, host, address, expected) => {
    expect(hostRules(rules).allowsAddress(host, address)).toBe(expected);
  });
});
