/// <reference lib="dom" />
/** The page: its sections, and the connection that feeds them. */
import type { Sections } from '../live.ts';
import { callsSection } from './calls.ts';
import { Connection, type ConnectionState, takeApprovalKey } from './connection.ts';
import { shell } from './elements.ts';
import { messagesSection } from './messages.ts';
import { questionsSection } from './questions.ts';
import { turnsSection } from './turns.ts';

const BANNERS: Readonly<Record<ConnectionState, string>> = {
  live: '',
  lost: 'The server does not answer. What is below may be old; trying again.',
  locked: 'This server was started anew: open the address that `handrail serve` printed.',
};

/** Starts it. */
export function start(): void {
  const connection = new Connection(takeApprovalKey());
  const sections: { [Name in keyof Sections]: (section: Sections[Name]) => void } = {
    questions: questionsSection(connection),
    calls: callsSection(connection),
    turns: turnsSection(connection),
    messages: messagesSection(),
  };
  void connection.follow({
    onState(state) {
      shell('connection').textContent = connection.mayAnswer ? state : `${state}, read only`;
      shell('connection').dataset['state'] = state;
      shell('banner').textContent = BANNERS[state];
      shell('banner').hidden = state === 'live';
    },
    onSection: (name, section) => sections[name](section),
  });
}
