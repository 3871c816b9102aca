/** `handrail memory`: what agents keep for later, for people to look at and to delete. */
import { createRuntime } from '../create-runtime.ts';
import type { Memory } from '../runtime/memories.ts';
import type { Runtime } from '../runtime-types.ts';
import { shown } from '../shown.ts';
import { note, print, printJson, table } from './print.ts';
import type { Surroundings } from './surroundings.ts';

export interface MemoryArguments {
  readonly workspace?: string;
  readonly json?: boolean;
}

/** Those of the workspace, its sessions and the user; with words, those that have all of them. */
export async function memoryList(
  words: readonly string[],
  options: MemoryArguments,
  surroundings: Surroundings,
): Promise<void> {
  await using runtime = await openRuntime(options, surroundings);
  const found = await runtime.memory.find(words.join(' '));
  if (options.json === true) printJson(found, surroundings.isTerminal);
  else if (found.length === 0)
    note(words.length === 0 ? 'Nothing is remembered here.' : 'No memory has all of these words.');
  else print(table(['MEMORY', 'SCOPE', 'CHANGED', 'TITLE'], found.map(row)));
}

function row({ id, scope, updatedAt, title }: Memory): string[] {
  return [id, scope, day(updatedAt), title];
}

function day(time: number): string {
  return new Date(time).toISOString().slice(0, 16).replace('T', ' ');
}

/** One of them, whole. */
export async function memoryShow(
  id: string,
  options: MemoryArguments,
  surroundings: Surroundings,
): Promise<void> {
  await using runtime = await openRuntime(options, surroundings);
  const memory = await runtime.memory.get(id);
  if (options.json === true) {
    printJson(memory, surroundings.isTerminal);
    return;
  }
  const { scope, title, content, createdAt, updatedAt, writtenIn } = memory;
  print(shown(title));
  print(`  ${scope}, since ${day(createdAt)}, changed ${day(updatedAt)} in ${shown(writtenIn)}`);
  for (const line of content.split('\n')) print(`  | ${shown(line)}`);
}

/** Deletes one, and says what it was. */
export async function memoryDelete(
  id: string,
  options: MemoryArguments,
  surroundings: Surroundings,
): Promise<void> {
  await using runtime = await openRuntime(options, surroundings);
  const memory = await runtime.memory.remove(id, 'terminal');
  if (options.json === true) printJson(memory, surroundings.isTerminal);
  else print(`Deleted ${id}: ${shown(memory.title)}`);
}

/** All of them as text to keep, or as JSON. */
export async function memoryExport(options: MemoryArguments, surroundings: Surroundings): Promise<void> {
  await using runtime = await openRuntime(options, surroundings);
  const found = await runtime.memory.find();
  if (options.json === true) printJson(found, surroundings.isTerminal);
  else for (const memory of found) printText(memory);
}

function printText({ title, content, scope }: Memory): void {
  print(`# ${shown(title)} (${scope})\n`);
  for (const line of content.split('\n')) print(shown(line));
  print('');
}

function openRuntime({ workspace }: MemoryArguments, { locations, folder }: Surroundings): Promise<Runtime> {
  return createRuntime({ workspace: workspace ?? folder, locations, readConfig: true });
}
