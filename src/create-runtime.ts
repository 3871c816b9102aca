/** A runtime for one workspace, with a store and an audit of its own. */
import { findDialect } from './dialects/index.ts';
import type { Mode } from './policy/decide.ts';
import { Policies } from './policy/policies.ts';
import { checkRules } from './policy/rule.ts';
import { type Definition, definitions } from './runtime/catalogue.ts';
import { openHost } from './open-host.ts';
import { openShared } from './open-shared.ts';
import type { Runtime, RuntimeOptions } from './runtime-types.ts';
import { openRuntime } from './open-runtime.ts';
import { projectRuntimes } from './project-runtimes.ts';

/** Puts a runtime together for one workspace. Dispose it: that writes the last of the audit. */
export async function createRuntime(options: RuntimeOptions): Promise<Runtime> {
  // What the caller got wrong is said before anything is opened.
  checkRules('user', options.rules ?? []);
  const { locations, environment = {} } = options;
  const opened = openHost(options.workspace, locations, environment);
  const shared = openShared(locations);
  const projects = projectRuntimes(options, shared);
  const end = async (): Promise<void> => {
    await projects[Symbol.asyncDispose]();
    await shared[Symbol.asyncDispose]();
  };
  try {
    return (await openRuntime(options, shared, opened, projects, end)).runtime;
  } catch (error) {
    await end();
    throw error;
  }
}

/** The tools of a dialect as the catalogue shows them; needs no workspace. */
export function describeTools(dialect: string, mode: Mode = 'ask'): Definition[] {
  const found = findDialect(dialect);
  const policy = new Policies([], () => undefined).for(found.name, mode, []);
  return definitions(found, { name: 'default' }, policy);
}
