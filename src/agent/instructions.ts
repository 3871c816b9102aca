/** What an agent is told to keep to: AGENTS.md of the workspace and of the user, and the files that settings name. */
import type { Runtime } from '../runtime-types.ts';

export interface Instructions {
  readonly texts: readonly { readonly from: string; readonly text: string }[];
  /** What was left out, and why. */
  readonly notices: readonly string[];
}

const FILE = 'AGENTS.md';

/** Reads them. Nothing of a workspace is told to a model as an instruction before a person trusted it. */
export async function readInstructions({ agentPorts, projectSettings }: Runtime): Promise<Instructions> {
  const texts: { from: string; text: string }[] = [];
  const notices: string[] = [];
  const own = await agentPorts.readInstructions();
  if (own !== undefined && 'text' in own) texts.push({ from: FILE, text: own.text });
  else if (own !== undefined) notices.push(own.whyNot);
  for (const path of agentPorts.settings.instructions) {
    const text = await agentPorts.readText(path);
    if (text === undefined) continue;
    if (projectSettings === 'trusted') texts.push({ from: path, text });
    else notices.push(`${path} is not told to the model: the workspace is not trusted. handrail trust`);
  }
  const users = agentPorts.readUserText(FILE);
  if (users !== undefined) texts.push({ from: `the user's ${FILE}`, text: users });
  return { texts, notices };
}
