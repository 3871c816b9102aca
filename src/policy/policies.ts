/** Puts a session's policy together: the dialect's table under the defaults, the user's rules over them. */
import type { Grant, Mode, Policy } from './decide.ts';
import { sensitiveRules } from './defaults/sensitive.ts';
import { defaultTable } from './defaults/tables.ts';
import type { Protection } from './places.ts';
import { checkRules, compileLayer, type Layer, type Rule } from './rule.ts';

/** What is loaded. */
export interface PolicySummary {
  readonly layers: readonly { readonly name: string; readonly rules: number }[];
  /** Examples of rules, all of which hold: else nothing would have started. */
  readonly examples: number;
}

/** Rules besides those of the user's settings. */
interface MoreRules {
  /** What the caller of the library gave, after the user's. */
  readonly callerRules?: readonly unknown[] | undefined;
  readonly projectRules?: readonly unknown[] | undefined;
  readonly workspace?: string;
  /** Whether a person trusted the workspace's settings. */
  readonly isTrusted?: boolean;
}

/** Rules that are not loaded, to see what they would change. */
export interface ChangedRules {
  /** In place of those of the user's settings. */
  readonly user?: readonly unknown[] | undefined;
  /** In place of those of the workspace's own settings, as if a person trusted them. */
  readonly project?: readonly unknown[] | undefined;
  /** After those of the user's settings. */
  readonly more?: readonly Rule[] | undefined;
}

/** A layer for people: its rules as they were written. */
export interface WrittenLayer {
  readonly name: 'dialect' | 'defaults' | 'user' | 'caller' | 'project';
  readonly rules: readonly WrittenRule[];
}

export interface WrittenRule {
  /** As decisions cite it. */
  readonly id: string;
  readonly rule: Rule;
  /** False where it is about other places, or needs trust that is not there. */
  readonly counts: boolean;
}

const OTHER_PROJECT = "It is another project than the session's own.";

export class Policies {
  readonly #userRules: readonly unknown[];
  readonly #more: MoreRules;
  readonly #protection: Protection;
  readonly #layers: readonly Layer[];
  readonly #tables = new Map<string, Layer>();

  /** Rules are checked here: one that can't be used stops the start. */
  constructor(userRules: readonly unknown[], protection: Protection, more: MoreRules = {}) {
    const { callerRules = [], projectRules = [] } = more;
    this.#userRules = userRules;
    this.#more = more;
    this.#protection = protection;
    this.#layers = [
      compileLayer('defaults', sensitiveRules),
      compileLayer('user', checkRules('user', [...userRules, ...callerRules]), more),
      compileLayer('project', checkRules('project', projectRules), more),
    ];
  }

  /** The same with other rules. */
  with({ user = this.#userRules, project, more = [] }: ChangedRules): Policies {
    const changed = project === undefined ? {} : { projectRules: project, isTrusted: true };
    return new Policies([...user, ...more], this.#protection, { ...this.#more, ...changed });
  }

  for(dialect: string, mode: Mode, grants: readonly Grant[]): Policy {
    // A version of a dialect (`name@1.0`) has the table of the dialect.
    const [name = dialect] = dialect.split('@');
    return { mode, protection: this.#protection, layers: this.#layers, table: this.#table(name), grants };
  }

  /**
   * What speaks about calls that go to another project: the rules that name it, and else a question. That a workspace's
   * own settings are trusted opens no other place: of theirs, only what restricts counts.
   */
  towards(project: string, mode: Mode, grants: readonly Grant[]): Policy {
    const { callerRules = [], projectRules = [] } = this.#more;
    const place = { ...this.#more, project };
    const user = compileLayer('user', checkRules('user', [...this.#userRules, ...callerRules]), place);
    const own = compileLayer('project', checkRules('project', projectRules), place);
    const restricting = { ...own, rules: own.rules.filter(({ action }) => action !== 'allow') };
    const asking = compileLayer('other-project', [{ action: 'ask', permission: '*', reason: OTHER_PROJECT }]);
    const table = { name: 'other-project', rules: [] };
    return { mode, protection: () => undefined, layers: [asking, user, restricting], table, grants };
  }

  /** Every rule there is for a dialect, the least specific layer first. */
  written(dialect: string): WrittenLayer[] {
    const { callerRules = [], projectRules = [] } = this.#more;
    const [name = dialect] = dialect.split('@');
    const table = this.#table(name);
    const counting = new Set([...this.#layers, table].flatMap(({ rules }) => rules.map(({ id }) => id)));
    const numbered = (layer: string, rules: readonly unknown[]): WrittenRule[] =>
      checkRules(layer, rules).map((rule, index) => {
        const id = `${layer}#${index + 1}`;
        return { id, rule, counts: counting.has(id) };
      });
    const given = numbered('user', [...this.#userRules, ...callerRules]);
    return [
      { name: 'dialect', rules: numbered(table.name, defaultTable(name)) },
      { name: 'defaults', rules: numbered('defaults', sensitiveRules) },
      { name: 'user', rules: given.slice(0, this.#userRules.length) },
      { name: 'caller', rules: given.slice(this.#userRules.length) },
      { name: 'project', rules: numbered('project', projectRules) },
    ];
  }

  summary(): PolicySummary {
    return {
      layers: this.#layers.map(({ name, rules }) => ({ name, rules: rules.length })),
      examples: this.#layers.reduce(
        (sum, { rules }) => sum + rules.reduce((inner, rule) => inner + rule.examples, 0),
        0,
      ),
    };
  }

  #table(name: string): Layer {
    const known = this.#tables.get(name);
    if (known !== undefined) return known;
    const table = compileLayer(`dialect:${name}`, defaultTable(name), this.#more);
    this.#tables.set(name, table);
    return table;
  }
}
