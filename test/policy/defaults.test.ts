/** The rules that come with Handrail are not checked at every start, so they are here. */
import { describe, expect, it } from 'vitest';
import { dialects } from '../../src/dialects/index.ts';
import { sensitiveRules } from '../../src/policy/defaults/sensitive.ts';
import { defaultTable } from '../../src/policy/defaults/tables.ts';
import { checkRules } from '../../src/policy/rule.ts';

describe('the default rules', () => {
  it('hold the schema of rules', () => {
    expect(checkRules('defaults', sensitiveRules)).toEqual(sensitiveRules);
  });

  it.each(dialects().map(({ name }) => name))('of %s hold it too', (name) => {
    expect(checkRules(name, defaultTable(name))).toEqual(defaultTable(name));
  });
});
