/** "Always": a rule that a person wants to hold from now on, in the user's settings. A file that can't be used stays as it is. */
import { Failure } from '../failure.ts';
import type { UserFile } from '../host/ports.ts';
import type { Rule } from '../policy/rule.ts';
import { addRule } from './add-rule.ts';
import { parseConfig } from './parse.ts';
import { CONFIG_TEMPLATE } from './template.ts';

/** Whether the settings could take a rule now. */
export function canRemember(file: UserFile): boolean {
  try {
    usableText(file);
    return file.canWrite();
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}

/** Adds the rule; what was there before it stays, comments included. */
export function rememberRule(file: UserFile, rule: Rule): void {
  file.write(addRule(usableText(file), rule));
}

function usableText(file: UserFile): string {
  const text = file.read() ?? CONFIG_TEMPLATE;
  parseConfig(text, file.path);
  return text;
}
