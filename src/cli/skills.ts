/** `handrail skills`: which skills agents can load here, and what each says. */
import { createRuntime } from '../create-runtime.ts';
import type { Skill } from '../runtime/skills.ts';
import type { Runtime } from '../runtime-types.ts';
import { shown } from '../shown.ts';
import { FAILED, FINE } from './exit-code.ts';
import { note, print, printJson, table } from './print.ts';
import type { Surroundings } from './surroundings.ts';

export interface SkillArguments {
  readonly workspace?: string;
  readonly json?: boolean;
}

const SHOWN_CHARACTERS = 100;

/** All of them; why others do not count is said besides. */
export async function skillsList(options: SkillArguments, surroundings: Surroundings): Promise<void> {
  await using runtime = await openRuntime(options, surroundings);
  const { skills, warnings } = await runtime.skills();
  if (options.json === true) printJson({ skills: skills.map(factsOf), warnings }, surroundings.isTerminal);
  else print(table(['SKILL', 'OF', 'PLACE', 'DESCRIPTION'], skills.map(row)));
  for (const warning of warnings) note(`Note: ${shown(warning)}`);
}

function row({ name, origin, place, description }: Skill): string[] {
  const isLong = description.length > SHOWN_CHARACTERS;
  return [name, origin, place, isLong ? `${description.slice(0, SHOWN_CHARACTERS)}…` : description];
}

/** One of them, whole. */
export async function skillsShow(
  name: string,
  options: SkillArguments,
  surroundings: Surroundings,
): Promise<number> {
  await using runtime = await openRuntime(options, surroundings);
  const { skills, warnings } = await runtime.skills();
  const skill = skills.find((found) => found.name === name.toLowerCase());
  if (skill === undefined) {
    note(
      `handrail: there is no skill ${JSON.stringify(name)}; there are ${skills.map((found) => found.name).join(', ')}.`,
    );
    for (const warning of warnings) note(`Note: ${shown(warning)}`);
    return FAILED;
  }
  if (options.json === true)
    printJson({ ...factsOf(skill), content: skill.content }, surroundings.isTerminal);
  else printWhole(skill);
  return FINE;
}

function printWhole({ name, origin, place, content, files }: Skill): void {
  print(`${name} (${origin}, ${shown(place)})`);
  for (const line of content.replace(/\n$/, '').split('\n')) print(`  | ${shown(line)}`);
  for (const file of files) print(`  ${shown(file)}`);
}

function factsOf({ name, description, origin, place, files }: Skill): Omit<Skill, 'content' | 'readFile'> {
  return { name, description, origin, place, files };
}

function openRuntime({ workspace }: SkillArguments, { locations, folder }: Surroundings): Promise<Runtime> {
  return createRuntime({ workspace: workspace ?? folder, locations, readConfig: true });
}
