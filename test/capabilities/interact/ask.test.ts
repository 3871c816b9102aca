/** Questions to the user, in each dialect that has them. */
import { describe, expect, it } from 'vitest';
import { prompter } from '../../support/prompter.ts';
import { closedRecords } from '../../security/evidence.ts';
import { tempWorkspace } from '../../support/temp-workspace.ts';

const TOOLS = [
  { dialect: 'codelab', tool: 'prompt_user', argument: 'actions', field: 'action' },
  { dialect: 'codelab@1.0', tool: 'prompt_user', argument: 'actions', field: 'action' },
  { dialect: 'handrail', tool: 'ask_user', argument: 'choices', field: 'answer' },
] as const;

describe.each(TOOLS)('$tool in $dialect', ({ dialect, tool, argument, field }) => {
  it('gives back the choice as it was written, needs no approval, and asks once', async () => {
    await using workspace = tempWorkspace();
    const prompt = prompter({ kind: 'choice', choice: ' b ' });
    const runtime = await workspace.runtime({ dialect, prompt });
    const { rendered } = await runtime.call(tool, { message: 'Which?', [argument]: ['a', ' b '] });
    expect(rendered).toMatchObject({ [field]: ' b ' });
    expect(prompt.asked).toHaveLength(1);
    expect(runtime.definitions().find(({ name }) => name === tool)).toMatchObject({
      effect: 'ask',
      needsApproval: false,
      required_permissions: ['user.ask'],
    });
  });

  it.each([
    ['no message', { [argument]: ['a'] }],
    ['a blank message', { message: ' \n', [argument]: ['a'] }],
    ['a message of more than 10,000 characters', { message: 'x'.repeat(10_001), [argument]: ['a'] }],
    ['no choices', { message: 'x', [argument]: [] }],
    ['a choice that is no text', { message: 'x', [argument]: [1] }],
    ['what it does not know', { message: 'x', [argument]: ['a'], title: 'y' }],
  ])('refuses %s, and asks nobody', async (_, args) => {
    await using workspace = tempWorkspace();
    const prompt = prompter({ kind: 'declined' });
    const runtime = await workspace.runtime({ dialect, prompt });
    expect(await runtime.call(tool, args)).toMatchObject({ result: { error: { code: 'E_INVALID_ARGS' } } });
    expect(prompt.asked).toEqual([]);
  });

  it('is on record with who answered, and without an approver', async () => {
    await using workspace = tempWorkspace();
    const prompt = prompter({ kind: 'choice', choice: 'a', by: 'alice' });
    const runtime = await workspace.runtime({ dialect, prompt });
    await runtime.call(tool, { message: 'Which?', [argument]: ['a'] });
    await runtime.flush();
    const [closed] = closedRecords(workspace.locations.state);
    expect(closed).toMatchObject({
      name: tool,
      outcome: 'ok',
      answered_by: 'alice',
      operation: 'interact.ask',
    });
    expect(closed).not.toHaveProperty('approver');
  });
});
