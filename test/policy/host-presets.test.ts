/** Hosts by the name of their list. */
import { describe, expect, it } from 'vitest';
import { expandHosts } from '../../src/policy/host-presets.ts';

describe('expandHosts', () => {
  it('puts a list in the place of its name, and leaves hosts as they are', () => {
    expect(expandHosts(['a.example', '@npm'])).toEqual([
      'a.example',
      'registry.npmjs.org',
      'registry.yarnpkg.com',
    ]);
  });

  it.each(['@nmp', '@', '@__proto__', '@toString'])('knows no %s, and says what there is', (name) => {
    expect(() => expandHosts([name])).toThrow(
      expect.objectContaining({ code: 'E_INVALID_ARGS', hint: expect.stringContaining('@npm') as string }),
    );
  });
});
