/** The replay where nobody can press a key: printed as it goes, its question shown with the answer. */
import { openAgents } from '../../../agent/open-agents.ts';
import { createRuntime } from '../../../create-runtime.ts';
import { describeRequest } from '../../../policy/describe-request.ts';
import { FINE } from '../../exit-code.ts';
import { print } from '../../print.ts';
import { runSlashCommand } from '../slash-commands.ts';
import { type Line, plain } from '../spans.ts';
import type { Place } from '../talk.ts';
import { Transcript } from '../transcript.ts';
import { GLANCE, turnChanges } from '../turn-changes.ts';

const WIDTH = 100;

/** Says every line of the opening in turn. */
export async function talkAlone(place: Place, opening: readonly string[]): Promise<number> {
  const { workspace, mode, rules = [], surroundings, greeting = [] } = place;
  const { locations, environment } = surroundings;
  const show = (lines: readonly Line[]): void => lines.forEach((line) => print(plain(line).trimEnd()));
  show(greeting);
  await using runtime = await createRuntime({
    workspace,
    locations,
    environment,
    mode,
    rules,
    approve: async (request) => {
      print(`\n${describeRequest(request)}\nNobody is here to answer, so the replay says yes, once.\n`);
      return { answer: 'once', by: 'replay' };
    },
  });
  const agents = openAgents(runtime, { environment });
  const conversation = await agents.open();
  const { signal } = new AbortController();
  const room = {
    runtime,
    agents,
    conversation,
    surroundings,
    signal,
    output: '',
    width: WIDTH,
    print: show,
    say: print,
    open: async () => undefined,
    leave: () => undefined,
  };
  for (const said of opening) {
    print(`› ${said}\n`);
    if (said.startsWith('/')) await runSlashCommand(said, room);
    else {
      const transcript = new Transcript();
      let turn = '';
      for await (const event of conversation.say(said)) {
        if (event.type === 'turn-started') ({ turn } = event);
        show(transcript.take(event, Date.now(), WIDTH));
      }
      show([[], ...(await turnChanges(runtime, turn, { ...GLANCE, width: WIDTH }))]);
    }
    print('');
  }
  return FINE;
}
