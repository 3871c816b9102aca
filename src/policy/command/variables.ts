/** Variables that programs and shells obey, and the few that do no harm. */

const HARMLESS = /^(?:LANG|LC_[A-Z]+|TZ|NO_COLOR|FORCE_COLOR|CI|TERM|COLUMNS)$/;

const LOWER_CASE = /^[a-z_][a-z0-9_]*$/;

/** Whether a program does the same with this variable, apart from how it looks. */
export function isHarmlessVariable(name: string): boolean {
  return HARMLESS.test(name);
}

/** Those that a shell or a program may obey once a shell has set them. */
export function obeyedVariables(names: readonly string[]): string[] {
  return names.filter((name) => !isHarmlessVariable(name) && !isOwnVariable(name));
}

/** A name that scripts use for their own values: the environment has none like it. */
export function isOwnVariable(name: string): boolean {
  return LOWER_CASE.test(name) && !/proxy|^npm_|^pnpm_|^_/.test(name);
}
