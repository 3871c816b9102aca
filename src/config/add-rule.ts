/** Adds a rule to a config file's text; comments and everything else stay as they are. */
import { applyEdits, modify, parseTree, findNodeAtLocation } from 'jsonc-parser';
import type { Rule } from '../policy/rule.ts';

/** The text with the rule as the last one. */
export function addRule(text: string, rule: Rule): string {
  const tree = parseTree(text);
  const rules = tree === undefined ? undefined : findNodeAtLocation(tree, ['rules']);
  const at = rules?.children?.length ?? 0;
  const edits = modify(
    text.trim() === '' ? '{}' : text,
    rules === undefined ? ['rules'] : ['rules', at],
    rules === undefined ? [rule] : rule,
    {
      isArrayInsertion: rules !== undefined,
      formattingOptions: { insertSpaces: true, tabSize: 2 },
    },
  );
  return applyEdits(text.trim() === '' ? '{}' : text, edits);
}
