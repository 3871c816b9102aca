/** An agent at work, and the check of it afterwards: what fails sends it back, a few times at most. */
import { AgentRun, type AgentRunParts, type RunEnd } from './run-agent.ts';
import { changesCode, sentBack, type Verified, verify } from './verify.ts';

/** Works until there is nothing more to do and nothing fails. */
export async function runVerified(parts: AgentRunParts): Promise<RunEnd> {
  const { turn, history, runtime } = parts;
  const { attempts } = runtime.agentPorts.settings.verify;
  const run = new AgentRun(parts);
  let end = await run.go();
  let seen = 0;
  let failing: Verified | undefined;
  for (let attempt = 1; end.reason === 'done'; attempt++) {
    // Who was sent back and changed nothing has said why.
    if (!changesCode(turn.effects.slice(seen))) break;
    seen = turn.effects.length;
    const verified = await verify(parts, attempt);
    failing = verified?.verdict === 'failed' ? verified : undefined;
    if (failing === undefined || attempt > attempts) break;
    await history.tell(sentBack(failing), 'handrail');
    end = await run.go();
  }
  return failing === undefined ? end : { trouble: stillFails(failing), ...end };
}

function stillFails({ command }: Verified): NonNullable<RunEnd['trouble']> {
  return {
    message: `The check \`${command}\` fails after the changes of this turn.`,
    hint: 'Look at what it says, go on, or take the turn back.',
  };
}
