/** Opens the terminal for a conversation, and gives it back as it was, however the conversation ends. */
import { basename } from 'node:path';
import type { Agents, Conversation } from '../../agent/conversation.ts';
import { createRuntime } from '../../create-runtime.ts';
import type { ApprovalAnswer } from '../../policy/approvals.ts';
import type { Mode } from '../../policy/decide.ts';
import type { Rule } from '../../policy/rule.ts';
import type { RuntimeEvent } from '../../runtime/events.ts';
import { describeMessage } from '../../runtime/describe-message.ts';
import type { Runtime } from '../../runtime-types.ts';
import { FINE, WRONG_USE } from '../exit-code.ts';
import { noteStart } from '../note-start.ts';
import type { Surroundings } from '../surroundings.ts';
import { approvalDialog } from './approval-dialog.ts';
import { describedLines } from './described-lines.ts';
import { Dialogs } from './dialogs.ts';
import { saidLines } from './earlier.ts';
import { openHistory } from './history.ts';
import { listenToKeys } from './keyboard.ts';
import { questionDialog } from './question-dialog.ts';
import { Screen } from './screen.ts';
import { type Line, safeLine, span } from './spans.ts';
import { TerminalChat } from './terminal-chat.ts';

export interface Place {
  readonly workspace: string;
  readonly mode: Mode | undefined;
  readonly surroundings: Surroundings;
  readonly rules?: readonly Rule[];
  /** Said above everything else. */
  readonly greeting?: readonly Line[];
  /** What is said before the person says anything. */
  readonly opening?: readonly string[];
}

/** A conversation, opened once there is a runtime; undefined where there can be none. */
export type OpenTalk = (
  runtime: Runtime,
) => Promise<{ readonly agents: Agents; readonly conversation: Conversation } | undefined>;

const BY = 'terminal';

const ANSWERS: Readonly<Record<ApprovalAnswer['answer'], string>> = {
  once: 'yes, once',
  session: 'yes, for this session',
  always: 'yes, always',
  edit: 'yes, with other arguments',
  deny: 'no',
};

/** Talks until the person leaves. */
export async function talk(
  { workspace, mode, rules = [], surroundings, greeting, opening = [] }: Place,
  open: OpenTalk,
): Promise<number> {
  const { locations, environment } = surroundings;
  let view: TerminalChat | undefined;
  const dialogs = new Dialogs(() => view?.draw());
  await using runtime = await createRuntime({
    workspace,
    locations,
    environment,
    mode,
    rules,
    readConfig: true,
    approve: async (request, signal) => {
      const answer = await dialogs.ask(approvalDialog(request, BY), signal);
      view?.draw([[span(`→ ${answer === undefined ? 'not answered' : ANSWERS[answer.answer]}`, 'yellow')]]);
      return answer ?? { answer: 'deny', by: BY, reason: 'It was cancelled.' };
    },
    prompt: async (question, signal) =>
      (await dialogs.ask(questionDialog(question, BY), signal)) ?? { kind: 'declined', by: BY },
  });
  noteStart(runtime);
  const opened = await open(runtime);
  if (opened === undefined) return WRONG_USE;
  const screen = new Screen(process.stdout, hasColor(environment));
  const chat = new TerminalChat({
    ...opened,
    runtime,
    surroundings,
    screen,
    dialogs,
    history: openHistory(locations.state),
  });
  view = chat;
  const stopListening = runtime.subscribe((event) => chat.draw(eventLines(event, screen.width)));
  const leave = (): void => chat.leave();
  const resized = (): void => chat.draw();
  process.stdout.on('resize', resized);
  process.once('SIGTERM', leave).once('SIGHUP', leave);
  using _keyboard = listenToKeys(process.stdin, (key) => chat.press(key));
  try {
    await chat.run(
      [...(greeting ?? welcome(workspace)), ...saidLines(opened.conversation.said, screen.width)],
      opening,
    );
    return FINE;
  } finally {
    process.stdout.off('resize', resized);
    process.off('SIGTERM', leave).off('SIGHUP', leave);
    stopListening();
    screen.close();
  }
}

/** Whether colours are wanted, and can be shown. */
export function hasColor({ NO_COLOR, TERM }: Surroundings['environment']): boolean {
  return (NO_COLOR ?? '') === '' && TERM !== 'dumb';
}

function welcome(workspace: string): Line[] {
  return [
    [
      span('Handrail', 'bold'),
      span(` in ${safeLine(basename(workspace))}. /help shows what can be typed.`, 'dim'),
    ],
    [],
  ];
}

/** What the runtime has to say besides what the conversation shows. */
function eventLines(event: RuntimeEvent, width: number): Line[] {
  if (event.type === 'displayed')
    return ['', ...describeMessage(event.message).split('\n')].flatMap((line) => describedLines(line, width));
  if (event.type !== 'approval-answered' || event.notRemembered === undefined) return [];
  const why = safeLine(event.notRemembered);
  return [[span(`The rule was not written, so the answer counts for this session: ${why}`, 'yellow')]];
}
