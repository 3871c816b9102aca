/** The parts of the store that people and agents look at; the triggers that count what is written to each are in the migrations. */
export const SECTIONS = [
  'approvals',
  'calls',
  'turns',
  'messages',
  'processes',
  'sessions',
  'todos',
  'projects',
  'memory',
  'conversations',
  'trust',
] as const;

export type Section = (typeof SECTIONS)[number];
