/**
 * A conversation at the terminal. Keys change the state, the state is drawn: one place prints, so that nothing comes
 * over a prompt. What is typed while a turn runs waits for its end.
 */
import type { Agents, Conversation, OpenConversation } from '../../agent/conversation.ts';
import type { Runtime } from '../../runtime-types.ts';
import type { Surroundings } from '../surroundings.ts';
import { complete } from './completion.ts';
import type { Dialogs } from './dialogs.ts';
import { userLines } from './earlier.ts';
import { type Editor, editorRows, newEditor, press, sent, wantsMore, withText } from './editor.ts';
import type { History } from './history.ts';
import type { Key } from './keys.ts';
import { withMentions } from './mentions.ts';
import { runCommand } from './own-command.ts';
import type { Room } from './room.ts';
import type { LivePart, Screen } from './screen.ts';
import { listFiles } from './session-tools.ts';
import { explained, runSlashCommand, SLASH_COMMANDS } from './slash-commands.ts';
import { type Line, safeLines, span, wrap } from './spans.ts';
import { FRAME_MS, standingLine, workingLine } from './status.ts';
import { outputOf } from './tool-lines.ts';
import { Transcript } from './transcript.ts';
import { GLANCE, turnChanges } from './turn-changes.ts';

export interface TerminalChatParts {
  readonly runtime: Runtime;
  readonly agents: Agents;
  readonly conversation: Conversation;
  readonly surroundings: Surroundings;
  readonly screen: Screen;
  readonly dialogs: Dialogs;
  readonly history: History;
}

/** A question comes up only once nobody is typing: what was meant for the editor must not answer it. */
const QUIET_MS = 400;
const PROMPT = '› ';
const MOST_CHOICES = 8;

/** What is being worked on. */
interface Work {
  readonly what: string;
  readonly since: number;
  readonly controller: AbortController;
}

export class TerminalChat {
  readonly #parts: TerminalChatParts;
  readonly #left = Promise.withResolvers<void>();
  #conversation: Conversation;
  /** Counting takes longer than drawing. */
  #context: Conversation['context'];
  #editor: Editor;
  #transcript: Transcript | undefined;
  #work: Work | undefined;
  #working: Promise<void> | undefined;
  readonly #entered: string[] = [];
  /** Said below the prompt until the next key. */
  #notice: readonly Line[] = [];
  #output = '';
  #isLeaving = false;
  #lastKeyAt = 0;
  #files: Promise<string[]> | undefined;
  #quiet: NodeJS.Timeout | undefined;

  constructor(parts: TerminalChatParts) {
    this.#parts = parts;
    this.#conversation = parts.conversation;
    this.#context = parts.conversation.context;
    this.#editor = newEditor(parts.history.entries);
  }

  /** Until the person leaves. */
  async run(greeting: readonly Line[], opening: readonly string[] = []): Promise<void> {
    this.draw(greeting.flatMap((line) => wrap(line, this.#parts.screen.width)));
    this.#entered.push(...opening);
    this.#begin();
    const frames = setInterval(() => this.#work !== undefined && this.draw(), FRAME_MS);
    try {
      await this.#left.promise;
      // What was cancelled still puts its things in order.
      await this.#working;
    } finally {
      clearInterval(frames);
      clearTimeout(this.#quiet);
    }
  }

  /** Ends it; what is under way is cancelled. */
  leave(): void {
    this.#cancel();
    this.#left.resolve();
  }

  /** Prints lines, and draws what is below them. */
  draw(printed: readonly Line[] = []): void {
    const { screen, dialogs } = this.#parts;
    const lines = [...printed];
    if (dialogs.count > 0 && dialogs.current === undefined) {
      const wait = this.#lastKeyAt + QUIET_MS - Date.now();
      clearTimeout(this.#quiet);
      if (wait > 0) this.#quiet = setTimeout(() => this.draw(), wait);
      else dialogs.show();
    }
    lines.push(...(dialogs.current?.print(screen.width) ?? []));
    screen.update(lines, this.#live());
  }

  press(key: Key): void {
    const { dialogs } = this.#parts;
    this.#lastKeyAt = Date.now();
    this.#notice = [];
    if (key.name === 'interrupt') this.#interrupt();
    else {
      this.#isLeaving = false;
      if (key.name === 'escape') this.#cancel();
      else if (dialogs.current !== undefined) return dialogs.press(key);
      else this.#edit(key);
    }
    this.draw();
  }

  #edit(key: Key): void {
    const isEmpty = this.#editor.text === '';
    if (key.name === 'redraw') this.#parts.screen.redraw();
    else if (key.name === 'end-of-input' && isEmpty) this.leave();
    else if (key.name === 'tab') void this.#complete();
    else if (key.name === 'enter' && !wantsMore(this.#editor)) this.#enter();
    else this.#editor = press(this.#editor, key);
  }

  #enter(): void {
    const text = this.#editor.text.trim();
    if (text === '') return;
    this.#parts.history.add(this.#editor.text);
    this.#editor = sent(this.#editor);
    this.#entered.push(text);
    if (this.#work === undefined) this.#begin();
    // Nobody wants to wait for a turn to leave it.
    else if (text === '/quit') this.leave();
  }

  /** What was to be said afterwards goes back into the editor: it may not be wanted any more. */
  #cancel(): void {
    const later = this.#entered.splice(0);
    if (later.length > 0)
      this.#editor = withText(
        this.#editor,
        [...later, this.#editor.text].filter((text) => text !== '').join('\n'),
      );
    this.#work?.controller.abort();
  }

  #interrupt(): void {
    if (this.#isLeaving) return this.leave();
    if (this.#work !== undefined) this.#cancel();
    else if (this.#editor.text !== '') this.#editor = withText(this.#editor, '');
    this.#isLeaving = true;
    this.#notice = [[span('  Ctrl-C again leaves.', 'yellow')]];
  }

  async #complete(): Promise<void> {
    const before = this.#editor;
    const files = before.text.includes('@') ? await this.#knownFiles() : [];
    // What was typed meanwhile is not overwritten.
    if (this.#editor !== before) return;
    const commands = SLASH_COMMANDS.map(({ name }) => name);
    const { text, cursor, choices } = complete(before.text, before.cursor, { commands, files });
    this.#editor = withText(before, text, cursor);
    this.#notice = choiceLines(choices, this.#parts.screen.width);
    this.draw();
  }

  #knownFiles(): Promise<string[]> {
    this.#files ??= listFiles(this.#parts.runtime, this.#conversation);
    return this.#files;
  }

  #begin(): void {
    this.#working = this.#workThrough().catch((error: unknown) => this.#left.reject(error));
  }

  async #workThrough(): Promise<void> {
    for (let text = this.#entered.shift(); text !== undefined; text = this.#entered.shift()) {
      const work = { what: 'Working', since: Date.now(), controller: new AbortController() };
      this.#work = work;
      this.draw([...userLines(text), []]);
      try {
        await this.#answer(text, work.controller.signal);
      } catch (error) {
        this.#print(safeLines(explained(error)).map((line) => [span(line, 'red')]));
      }
      this.#work = undefined;
      // A turn makes files and removes them.
      this.#files = undefined;
      this.#context = this.#conversation.context;
      this.draw([[]]);
    }
  }

  async #answer(text: string, signal: AbortSignal): Promise<void> {
    const { runtime, screen } = this.#parts;
    const looking = { width: screen.width, signal };
    if (text.startsWith('/')) return runSlashCommand(text, this.#room(signal));
    if (text.startsWith('!'))
      return this.#print(await runCommand(text.slice(1).trim(), runtime, this.#conversation, looking));
    const { message, lines } = await withMentions(text, runtime, this.#conversation, looking);
    this.#print(lines.length === 0 ? [] : [...lines, []]);
    await this.#turn(message, signal);
  }

  async #turn(message: string, signal: AbortSignal): Promise<void> {
    const { runtime, screen } = this.#parts;
    const transcript = new Transcript();
    this.#transcript = transcript;
    let turn: string | undefined;
    for await (const event of this.#conversation.say(message, { signal })) {
      if (event.type === 'turn-started' && event.depth === 0) ({ turn } = event);
      if (event.type === 'tool-ended') this.#output = outputOf(event.reply);
      if (event.type === 'step-started') this.#context = this.#conversation.context;
      const finished = transcript.take(event, Date.now(), screen.width);
      // What grows is drawn with the next frame: many words can come in one.
      if (finished.length > 0) this.draw(finished);
    }
    this.#transcript = undefined;
    const changes =
      turn === undefined ? [] : await turnChanges(runtime, turn, { ...GLANCE, width: screen.width });
    if (changes.length > 0) this.#print([[], ...changes]);
  }

  #room(signal: AbortSignal): Room {
    const { runtime, agents, surroundings, screen } = this.#parts;
    const conversation = (): Conversation => this.#conversation;
    return {
      runtime,
      agents,
      surroundings,
      signal,
      get conversation() {
        return conversation();
      },
      output: this.#output,
      width: screen.width,
      print: (lines) => this.#print(lines),
      say: (text) =>
        this.#print(safeLines(text).flatMap((line) => wrap([span(line)], screen.width, [span('    ')]))),
      open: (options) => this.#open(options),
      leave: () => this.leave(),
    };
  }

  async #open(options: OpenConversation): Promise<void> {
    const { model, agent, session } = this.#conversation;
    const kept = options.id === undefined ? { model, agent: agent.name, mode: session.mode } : {};
    this.#conversation = await this.#parts.agents.open({ ...kept, ...options });
    this.#print([[span(`This is ${this.#conversation.session.id}.`, 'dim')], []]);
  }

  #print(lines: readonly Line[]): void {
    this.draw(lines);
  }

  #live(): LivePart {
    const { screen, dialogs } = this.#parts;
    const { width, height } = screen;
    const now = Date.now();
    const dialog = dialogs.current?.live(width);
    const growing = this.#transcript?.live(now, width) ?? [];
    if (dialog !== undefined) {
      const waiting = dialogs.count - 1;
      const more: Line[] = waiting === 0 ? [] : [[span(`  ${waiting} more to answer`, 'dim')]];
      return { rows: [...dialog.rows, ...more], cursor: dialog.cursor };
    }
    const work = this.#work;
    const working: Line[] =
      work === undefined ? [] : [[], workingLine(work.what, work.since, now, this.#entered.length, width)];
    const { rows, row, column } = editorRows(this.#editor, PROMPT, width);
    const notice = this.#notice.length > 0 ? this.#notice : [this.#standing(width)];
    // The prompt stays in sight, however much is being said.
    const room = height - 1 - working.length - rows.length - notice.length;
    const above = room <= 0 ? [] : growing.slice(-room);
    const top = above.length + working.length;
    return { rows: [...above, ...working, ...rows, ...notice], cursor: { row: top + row, column } };
  }

  #standing(width: number): Line {
    const { agent, model, session } = this.#conversation;
    return standingLine({ agent: agent.name, model, mode: session.mode, context: this.#context }, width);
  }
}

function choiceLines(choices: readonly string[], width: number): Line[] {
  if (choices.length === 0) return [];
  const shown = choices.slice(0, MOST_CHOICES).join('  ');
  const left = choices.length - MOST_CHOICES;
  return wrap([span(`  ${shown}${left > 0 ? `  … ${left} more` : ''}`, 'dim')], width, [span('  ')]);
}
