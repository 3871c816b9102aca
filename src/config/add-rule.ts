/** Adds a rule to a config file's text; comments and everything else stay as they are, where they are. */
import { parseTree } from 'jsonc-parser';
import type { Rule } from '../policy/rule.ts';
import { appendItem } from './append-item.ts';

/** The text of a usable file, with the rule as the last one, on a line of its own. */
export function addRule(text: string, rule: Rule): string {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  const body = text.slice(mark.length);
  const settings = parseTree(body, [], { allowTrailingComma: true })!;
  // Of a name that stands there twice, the last one counts.
  const rules = settings.children?.findLast(({ children }) => children?.[0]?.value === 'rules');
  if (rules !== undefined) return mark + appendItem(body, rules.children![1]!, JSON.stringify(rule));
  const added = appendItem(body, settings, '"rules": []');
  return addRule(mark + added, rule);
}
