/** The schema that editors get says the same as the one that counts. */
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseConfig } from '../../src/config/parse.ts';
import { configJsonSchema } from '../../src/config/schema.ts';
import { CONFIG_TEMPLATE } from '../../src/config/template.ts';
import { handrail } from '../support/command-line.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';

/** The template with every setting switched on that stands in it as a comment. */
const SWITCHED_ON = CONFIG_TEMPLATE.replaceAll(/^( *)\/\/ (?=\{|"\w+": )/gm, '$1');

describe('configJsonSchema', () => {
  const editor = z.fromJSONSchema(configJsonSchema() as z.core.JSONSchema.JSONSchema);

  it('takes the template as it is, and with everything in it switched on', () => {
    expect(editor.safeParse(parse(CONFIG_TEMPLATE)).success).toBe(true);
    const settings: unknown = parse(SWITCHED_ON);
    expect(Object.keys(settings as object)).toEqual([
      'mode',
      'dialect',
      'approvals',
      'undo',
      'commands',
      'web',
      'search',
      'languages',
      'git',
      'skills',
      'rules',
    ]);
    expect(editor.safeParse(settings).success).toBe(true);
    expect(parseConfig(SWITCHED_ON, 'it')).toEqual(settings);
  });

  it.each([
    '{}',
    '{ "mode": "auto" }',
    '{ "rules": [{ "action": "deny", "permission": ["fs.read", "*"], "path": ["a"] }] }',
    '{ "mode": "yolo" }',
    '{ "moed": "auto" }',
    '{ "rules": [{ "action": "deny" }] }',
    '{ "rules": [{ "action": "deny", "permission": "*", "pth": "x" }] }',
    '{ "rules": [{ "action": "ask", "permission": "*", "floor": false }] }',
    '{ "approvals": { "timeoutSeconds": 0 } }',
    '{ "approvals": { "timeoutSeconds": 1.5 } }',
    '{ "undo": { "keepDays": "1" } }',
    '{ "undo": { "keep": 1 } }',
    '{ "skills": { "paths": ["~/a", "/b"] } }',
    '{ "skills": { "paths": ["../c"] } }',
    '[]',
  ])('says about %s what the start says', (text) => {
    let isUsable = true;
    try {
      parseConfig(text, 'it');
    } catch {
      isUsable = false;
    }
    expect(editor.safeParse(parse(text)).success).toBe(isUsable);
  });

  it('describes every setting', () => {
    const { properties } = configJsonSchema() as { properties: Record<string, { description?: string }> };
    expect(Object.entries(properties).filter(([, { description }]) => description === undefined)).toEqual([]);
  });

  it('is what `handrail config schema` prints', async () => {
    await using workspace = tempWorkspace();
    const { exitCode, stdout } = await handrail(workspace, ['config', 'schema']);
    expect({
      exitCode,
      keys: Object.keys((JSON.parse(stdout) as { properties: object }).properties),
    }).toEqual({
      exitCode: 0,
      keys: Object.keys((configJsonSchema() as { properties: object }).properties),
    });
  });
});
