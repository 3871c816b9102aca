import { describe, expect, it } from 'vitest';
import {
  cleanPath,
  isWithheld,
  minimalEnvironment,
  passedOn,
} from '../../../../src/host/local/sandbox/environment.ts';

const PARTS = { home: '/home/ada', temporary: '/tmp', untrusted: ['/srv/project'] };

describe('minimalEnvironment', () => {
  it('passes on the language and the search path, and nothing else that was there', () => {
    const parent = { PATH: '/usr/bin', LANG: 'de_DE.UTF-8', USER: 'ada', EDITOR: 'vi', OPENAI_API_KEY: 's' };
    expect(minimalEnvironment({ ...PARTS, parent })).toEqual({
      PATH: '/usr/bin',
      LANG: 'de_DE.UTF-8',
      USER: 'ada',
      HOME: '/home/ada',
      TMPDIR: '/tmp',
      SHELL: '/bin/sh',
      TERM: 'dumb',
      NO_COLOR: '1',
      PAGER: 'cat',
      GIT_PAGER: 'cat',
      GIT_TERMINAL_PROMPT: '0',
      DEBIAN_FRONTEND: 'noninteractive',
    });
  });

  it('passes on what the settings name, unless it looks like a secret', () => {
    const parent = { FEATURE: 'on', MY_TOKEN: 's', LD_PRELOAD: 'x.so' };
    expect(passedOn(parent, ['FEATURE', 'MY_TOKEN', 'LD_PRELOAD', 'MISSING'])).toEqual({ FEATURE: 'on' });
  });
});

describe('cleanPath', () => {
  it.each([
    ['/usr/bin:/bin', '/usr/bin:/bin'],
    ['/usr/bin::/bin:', '/usr/bin:/bin'],
    ['.:./bin:node_modules/.bin:/bin', '/bin'],
    ['/srv/project:/srv/project/node_modules/.bin:/srv/projects/bin:/bin', '/srv/projects/bin:/bin'],
    ['/usr/../srv/project/bin:/bin', '/bin'],
    ['/bin:/usr/bin:/bin', '/bin:/usr/bin'],
    ['.', '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
    [undefined, '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
  ])('%s becomes %s', (path, expected) => expect(cleanPath(path, ['/srv/project'])).toBe(expected));
});

describe('isWithheld', () => {
  it.each(
    'GITHUB_TOKEN github_token API_KEY OPENAI_APIKEY AWS_SECRET_ACCESS_KEY DB_PASSWORD PGPASSWORD MYSQL_PWD CLIENT_SECRET DATABASE_URL SENTRY_DSN LD_PRELOAD LD_LIBRARY_PATH ld_audit DYLD_INSERT_LIBRARIES NODE_OPTIONS Node_Options BASH_ENV ENV PYTHONSTARTUP PYTHONPATH PERL5OPT RUBYOPT PROMPT_COMMAND IFS GIT_SSH_COMMAND GIT_CONFIG_COUNT npm_config_registry NPM_CONFIG_USERCONFIG JAVA_TOOL_OPTIONS SSH_AUTH_SOCK HTTPS_PROXY PATH HOME A=B'.split(
      ' ',
    ),
  )('keeps %s out', (name) => expect(isWithheld(name)).toBe(true));

  it.each('LANG TZ FEATURE_FLAG CI COLUMNS KEYBOARD MONKEY AUTHOR TOKENIZER DEBUG RAILS_ENV'.split(' '))(
    'lets %s through',
    (name) => expect(isWithheld(name)).toBe(false),
  );
});
