/** The slash commands: a table, and what each does. */
import { Failure } from '../../failure.ts';
import { MODES } from '../../policy/decide.ts';
import { nearest } from '../../runtime/nearest.ts';
import type { TurnSummary } from '../../journal/turns.ts';
import { checkList, lookAround } from '../doctor.ts';
import { table } from '../print.ts';
import { turnTable, undoReport } from '../undo.ts';
import { tokens } from './amounts.ts';
import { saidLines } from './earlier.ts';
import type { Room } from './room.ts';
import { sessionTable } from './session-table.ts';
import { cut, type Line, safeLine, safeLines, span } from './spans.ts';
import { turnChanges, WHOLE } from './turn-changes.ts';

export interface SlashCommand {
  readonly name: string;
  readonly takes?: string;
  readonly says: string;
  readonly run: (room: Room, argument: string) => Promise<void> | void;
}

export const SLASH_COMMANDS: readonly SlashCommand[] = [
  { name: 'help', says: 'what can be typed here', run: help },
  { name: 'model', takes: '[name]', says: 'the models there are, or another one', run: model },
  { name: 'mode', takes: '[mode]', says: 'how much is asked, or another mode', run: mode },
  { name: 'agent', takes: '[name]', says: 'the agents there are, or another one', run: agent },
  { name: 'tools', says: 'the tools of the agent', run: tools },
  { name: 'skills', says: 'instructions that the agent can load', run: skills },
  { name: 'todos', says: 'what the agent means to do', run: todos },
  { name: 'memory', takes: '[words]', says: 'what agents remember', run: memory },
  {
    name: 'output',
    says: 'what the last tool said, whole',
    run: ({ output, say }) => say(output || 'No tool was used yet.'),
  },
  { name: 'undo', takes: '[turn] [--dry-run]', says: 'take the last turn back', run: undo },
  { name: 'turns', says: 'what was changed, turn by turn', run: turns },
  { name: 'diff', takes: '[turn]', says: 'everything that the last turn changed', run: diff },
  { name: 'sessions', says: 'earlier conversations', run: sessions },
  { name: 'resume', takes: '[id]', says: 'go on with the last one, or another', run: resume },
  { name: 'new', says: 'a new conversation', run: (room) => room.open({}) },
  { name: 'compact', says: 'replace what was said by a summary', run: compact },
  { name: 'doctor', says: 'what is here, what is missing', run: doctor },
  { name: 'quit', says: 'leave', run: (room) => room.leave() },
];

/** Runs what was typed behind the slash. */
export async function runSlashCommand(typed: string, room: Room): Promise<void> {
  const [, name = '', argument = ''] = /^\/(\S*)\s*([^]*?)\s*$/.exec(typed) ?? [];
  const command = SLASH_COMMANDS.find((candidate) => candidate.name === name);
  if (command === undefined) return room.say(unknown(name));
  await command.run(room, argument);
}

function unknown(name: string): string {
  const near = nearest(
    name,
    SLASH_COMMANDS.map((command) => command.name),
  );
  const guess = near.length === 0 ? '' : ` Did you mean ${near.map((known) => `/${known}`).join(' or ')}?`;
  return `There is no /${safeLine(name)}.${guess} /help shows what there is.`;
}

function help(room: Room): void {
  const rows = SLASH_COMMANDS.map(({ name, takes, says }) => [
    `/${name}${takes === undefined ? '' : ` ${takes}`}`,
    says,
  ]);
  const others = [
    ['@file', 'puts a file into the message; Tab completes'],
    ['!command', 'runs a command yourself, under the same rules'],
    ['Alt-Enter', 'another line; so does a \\ at the end'],
    ['Esc', 'cancels the turn'],
    ['Ctrl-C', 'cancels; twice leaves'],
  ];
  const all = [...rows, ...others];
  const wide = Math.max(...all.map(([left]) => left!.length));
  room.print(all.map(([left, right]) => [span(`  ${left!.padEnd(wide)}  `, 'cyan'), span(right!)]));
}

function model(room: Room, name: string): void {
  if (name !== '') room.conversation.useModel(name);
  const names = [...new Set([room.conversation.model, ...room.agents.models])];
  room.say(choices(names, room.conversation.model));
}

function mode(room: Room, name: string): void {
  const wanted = MODES.find((known) => known === name);
  if (wanted !== undefined) room.conversation.useMode(wanted);
  if (name !== '' && wanted === undefined) room.say(`There is no mode ${name}.`);
  room.say(choices(MODES, room.conversation.session.mode));
}

function agent(room: Room, name: string): void {
  if (name !== '') room.conversation.useAgent(name);
  const primary = room.agents.definitions.filter(({ kind }) => kind === 'primary');
  room.say(
    choices(
      primary.map((known) => known.name),
      room.conversation.agent.name,
    ),
  );
}

function choices(names: readonly string[], current: string): string {
  return names.map((name) => `${name === current ? '●' : '○'} ${name}`).join('\n');
}

function tools(room: Room): void {
  const { runtime, conversation } = room;
  const { session } = conversation;
  const rows = runtime
    .definitions(session.agent, session.dialect.name)
    .map(({ name, risk, needsApproval, description }) => [
      name,
      risk,
      needsApproval ? 'asks' : '',
      description.split(/(?<=\.) /)[0]!,
    ]);
  room.print(cutLines(table(['TOOL', 'RISK', '', 'DOES'], rows), room.width));
}

async function skills(room: Room): Promise<void> {
  const found = await room.runtime.skills();
  const rows = found.skills.map(({ name, origin, description }) => [name, origin, description]);
  room.print(cutLines(table(['SKILL', 'WHOSE', 'FOR'], rows), room.width));
  for (const warning of found.warnings) room.say(warning);
}

const TODO_MARKS = { pending: '○', in_progress: '◐', completed: '●' } as const;

async function todos({ runtime, conversation, say }: Room): Promise<void> {
  const items = await runtime.todos(conversation.session);
  const lines = items.map(({ status, content }) => `${TODO_MARKS[status]} ${safeLine(content)}`);
  say(lines.length === 0 ? 'The list is empty.' : lines.join('\n'));
}

async function memory(room: Room, words: string): Promise<void> {
  const found = await room.runtime.memory.find(words === '' ? undefined : words);
  const rows = found.map(({ id, scope, title, content }) => [
    id,
    scope,
    `${title}: ${content}`.replace(/\s+/g, ' '),
  ]);
  if (rows.length === 0) room.say('Nothing is remembered.');
  else room.print(cutLines(table(['MEMORY', 'SCOPE', 'SAYS'], rows), room.width));
}

/** A table's rows are cut, not wrapped, so that it stays one. */
function cutLines(text: string, width: number): Line[] {
  return safeLines(text).map((line) => cut([span(line)], width));
}

async function undo(room: Room, argument: string): Promise<void> {
  const isDryRun = /(?:^|\s)--dry-run(?:\s|$)/.test(argument);
  const named = argument.replace('--dry-run', '').trim();
  const turn = named === '' ? (await lastTurn(room))?.id : named;
  if (turn === undefined) return room.say('This conversation changed nothing that could be taken back.');
  room.say(undoReport(await room.runtime.undo({ turn }, { dryRun: isDryRun, by: 'terminal' }), isDryRun));
}

/** The newest turn of this conversation that still counts. */
async function lastTurn({ runtime, conversation }: Room): Promise<TurnSummary | undefined> {
  const known = await runtime.turns(200);
  return known.find(
    ({ session, kind, undone_by }) =>
      session === conversation.session.id && kind !== 'undo' && undone_by === null,
  );
}

async function turns({ runtime, say }: Room): Promise<void> {
  const known = await runtime.turns(20);
  say(known.length === 0 ? 'Nothing was changed in this workspace yet.' : turnTable(known));
}

async function diff(room: Room, named: string): Promise<void> {
  const turn = named === '' ? (await lastTurn(room))?.id : named;
  const lines =
    turn === undefined ? [] : await turnChanges(room.runtime, turn, { ...WHOLE, width: room.width });
  if (lines.length === 0) room.say('Nothing was changed.');
  else room.print(lines);
}

async function sessions(room: Room): Promise<void> {
  const { agents, conversation } = room;
  const known = await agents.list(20);
  if (known.length === 0) return room.say('There are no earlier conversations here.');
  room.print(cutLines(sessionTable(known, conversation.session.id), room.width));
}

async function resume(room: Room, named: string): Promise<void> {
  const { session } = room.conversation;
  const id = named === '' ? (await room.agents.list(20)).find((known) => known.id !== session.id)?.id : named;
  if (id === undefined) return room.say('There are no earlier conversations here.');
  await room.open({ id });
  room.print(saidLines(room.conversation.said, room.width));
}

async function compact(room: Room): Promise<void> {
  const { before, after } = await room.conversation.compact(room.signal);
  room.say(`Summarised what was said: ${tokens(before)} → ${tokens(after)} tokens.`);
}

async function doctor({ runtime, surroundings, say }: Room): Promise<void> {
  say(checkList(await lookAround(runtime.workspace.root, surroundings)));
}

/** What went wrong in a command, for the person who typed it; bugs stay bugs. */
export function explained(error: unknown): string {
  if (!(error instanceof Failure)) throw error;
  return error.hint === undefined ? error.message : `${error.message}\n${error.hint}`;
}
