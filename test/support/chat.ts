/** `handrail chat` in a terminal, with a scripted model behind a real endpoint. */
import { openTerminal, type Terminal } from './terminal.ts';
import type { ScriptedModel } from './scripted-model.ts';
import type { TempWorkspace } from './temp-workspace.ts';

/** The variables that connect a command line to the model. */
export function connectedTo(model: ScriptedModel): Record<string, string> {
  return { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'scripted', HANDRAIL_MODEL: 'scripted' };
}

/** A chat that waits for its first words. */
export async function openChat(workspace: TempWorkspace, model: ScriptedModel, args = ''): Promise<Terminal> {
  const terminal = openTerminal(workspace);
  const variables = Object.entries(connectedTo(model)).map(([name, value]) => `${name}=${value}`);
  terminal.enter(`${variables.join(' ')} handrail chat ${args}; echo "exit=$?"`);
  await terminal.shows(/openai\/scripted · build/);
  return terminal;
}
