import { describe, expect, it } from 'vitest';
import { handrail } from '../support/command-line.ts';
import { scriptedModel } from '../support/scripted-model.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';

const TASK = ['call', 'task', '{"agent":"explore","objective":"Look."}', '--mode', 'auto'];

describe('handrail call task', () => {
  it('lets a sub-agent work with the model of the environment', async () => {
    await using workspace = tempWorkspace();
    await using model = await scriptedModel([{ text: 'Found.' }]);
    const variables = { OPENAI_BASE_URL: model.url, HANDRAIL_MODEL: 'scripted' };
    const ran = await handrail(workspace, TASK, '', variables);
    expect(JSON.parse(ran.stdout)).toEqual({ ok: true, agent: 'explore', summary: 'Found.' });
  });

  it('says how to connect one where there is none', async () => {
    await using workspace = tempWorkspace();
    const { stdout, exitCode } = await handrail(workspace, TASK);
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, code: 'E_UNSUPPORTED' });
    expect(stdout).toContain('HANDRAIL_MODEL');
  });
});
