/** Where Handrail keeps its things for a user. */
import { describe, expect, it } from 'vitest';
import { userLocations } from '../../src/index.ts';

const HOME = '/home/me';
const DEFAULT = {
  home: HOME,
  state: '/home/me/.local/state/handrail',
  config: '/home/me/.config/handrail',
};

describe('userLocations', () => {
  it('follows the XDG rules', () => {
    expect(userLocations({}, HOME)).toEqual(DEFAULT);
    expect(userLocations({ XDG_STATE_HOME: '/var/s', XDG_CONFIG_HOME: '/etc/c/' }, HOME)).toEqual({
      home: HOME,
      state: '/var/s/handrail',
      config: '/etc/c/handrail',
    });
  });

  it.each(['', '.', 'relative', './relative', '../up', '~/x'])(
    'does not count %j, which is relative',
    (folder) => {
      expect(userLocations({ XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder }, HOME)).toEqual(DEFAULT);
    },
  );
});
