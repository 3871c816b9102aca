/** Calls that wait for a person: how many asked, and what came of it. */
import { Counter, type Registry } from 'prom-client';
import type { RuntimeEvent } from '../../../runtime/events.ts';

type Kind = 'approval' | 'question';

/** Counts them by what a runtime tells. */
export function waitingCalls(registers: Registry[]): { hear(event: RuntimeEvent): void } {
  const asked = new Counter({
    name: 'handrail_approvals_asked_total',
    help: 'Questions that calls asked: about permission (approval), or of the agent (question).',
    labelNames: ['kind'],
    registers,
  });
  const answered = new Counter({
    name: 'handrail_approvals_answered_total',
    help: 'How they ended: by the kind of the answer, deny, or none where the caller did not wait for it.',
    labelNames: ['kind', 'answer'],
    registers,
  });
  const waiting = new Map<string, Kind>();
  const ask = (callId: string, kind: Kind): void => {
    waiting.set(callId, kind);
    asked.inc({ kind });
  };
  const end = (callId: string, answer: string): void => {
    const kind = waiting.get(callId);
    if (kind === undefined) return;
    waiting.delete(callId);
    answered.inc({ kind, answer });
  };
  return {
    hear(event) {
      switch (event.type) {
        case 'approval-requested':
          return ask(event.callId, 'approval');
        case 'question-asked':
          return ask(event.callId, 'question');
        case 'approval-answered':
        case 'question-answered':
          return end(event.callId, event.answer);
        // A no ends the call, and so does silence.
        case 'call-ended':
          return end(event.callId, event.outcome === 'denied' ? 'deny' : 'none');
      }
    },
  };
}
