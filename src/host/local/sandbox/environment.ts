/** The environment of a command: what tools need to work, and nothing that is a secret or changes what programs do. */

export type Environment = Readonly<Record<string, string | undefined>>;

export interface EnvironmentParts {
  /** The environment Handrail was started in. */
  readonly parent: Environment;
  readonly home: string;
  readonly temporary: string;
  /** Folders whose programs must not be found by name: the workspace, in all its spellings. */
  readonly untrusted: readonly string[];
}

const USUAL_PATH = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];
/** About language and time; tools read them, and nobody keeps secrets there. */
const ALWAYS_PASSED = ['LANG', 'LANGUAGE', 'LC_ALL', 'LC_CTYPE', 'LC_MESSAGES', 'TZ', 'USER', 'LOGNAME'];

/** The environment that every command starts from. */
export function minimalEnvironment(parts: EnvironmentParts): Record<string, string> {
  const { parent, home, temporary, untrusted } = parts;
  const values = ALWAYS_PASSED.flatMap((name) => {
    const value = parent[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    LANG: 'C.UTF-8',
    ...Object.fromEntries(values),
    PATH: cleanPath(parent['PATH'], untrusted),
    HOME: home,
    TMPDIR: temporary,
    SHELL: '/bin/sh',
    TERM: 'dumb',
    NO_COLOR: '1',
    // Programs that would wait for a key or a password have nobody to ask.
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    GIT_TERMINAL_PROMPT: '0',
    DEBIAN_FRONTEND: 'noninteractive',
  };
}

/** What is different where the command has a terminal. */
export const TERMINAL_VARIABLES: Readonly<Record<string, string>> = { TERM: 'xterm-256color', NO_COLOR: '' };

/** The search path without entries that a workspace could fill: relative ones, empty ones, its own folders. */
export function cleanPath(path: string | undefined, untrusted: readonly string[]): string {
  const isTrusted = (entry: string): boolean =>
    entry.startsWith('/') &&
    !entry.split('/').includes('..') &&
    !untrusted.some((folder) => `${entry}/`.startsWith(`${folder}/`));
  const entries = (path ?? '').split(':').filter(isTrusted);
  return [...new Set(entries.length > 0 ? entries : USUAL_PATH)].join(':');
}

/** What of an environment any command could be given; the rest need not be known to who starts it. */
export function relevantEnvironment(environment: Environment): Record<string, string> {
  const values = ['PATH', ...ALWAYS_PASSED].map((name) => [name, environment[name]] as const);
  return Object.fromEntries(values.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** What secrets are called. */
const SECRET_NAME =
  /(?:^|_)(?:token|key|apikey|secret|secrets|pass|passwd|passphrase|pwd|credential|credentials|auth|cookie|session|dsn)(?:_|$)|password|secret|api_?key|private_?key|access_?key|connection_?string|^.*_url$|^(?:aws|azure|gcp|google|openai|anthropic|github|gitlab|gh|slack|stripe|twilio|npm|docker|vault|heroku)_|_pat$/i;
/** What makes a program load, run or trust something else. */
const CHANGES_PROGRAMS =
  /^(?:ld_.*|dyld_.*|glibc_.*|malloc_.*|gconv_path|node_.*|npm_.*|npm_config_.*|yarn_.*|bash_.*|env|ifs|shellopts|bashopts|ps[0-4]|prompt_command|zdotdir|fpath|cdpath|python.*|pip_.*|perl.*|ruby.*|gem_.*|bundle_.*|lua_.*|php.*|java_tool_options|_java_options|jdk_java_options|classpath|maven_opts|gradle_opts|git_.*|ssh_.*|gpg_.*|editor|visual|pager|lesspipe|lessopen|lessclose|browser|sudo_.*|cargo_.*|rust.*|go(?:flags|proxy|env|root|path|toolchain|sumdb|private)|cc|cxx|ld|cflags|cxxflags|ldflags|makeflags|mflags|cmake_.*|.*_proxy|ssl_cert_.*|curl_.*|wget.*|path|home|shell|tmpdir|temp|tmp|hostaliases|res_options|localdomain|docker_.*|kubeconfig|xdg_.*|dbus_.*|display|xauthority|wayland_.*|tmux.*|handrail_.*)$/i;

/** Whether a variable stays out of every command, whatever the settings say. */
export function isWithheld(name: string): boolean {
  return !/^[a-z_][a-z0-9_]*$/i.test(name) || SECRET_NAME.test(name) || CHANGES_PROGRAMS.test(name);
}

/** The variables of an environment that the settings pass on; what must be withheld is not. */
export function passedOn(environment: Environment, names: readonly string[]): Record<string, string> {
  const values = names.map((name) => [name, isWithheld(name) ? undefined : environment[name]] as const);
  return Object.fromEntries(values.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
