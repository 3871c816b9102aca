/** `handrail chat --demo`: a recorded model, and everything else real, on a project that is gone afterwards. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAgents } from '../../../agent/open-agents.ts';
import type { Rule } from '../../../policy/rule.ts';
import type { Surroundings } from '../../surroundings.ts';
import { print } from '../../print.ts';
import { type Line, span } from '../spans.ts';
import { type Place, talk } from '../talk.ts';
import { talkAlone } from './alone.ts';
import { PROJECT, REQUEST } from './recording.ts';
import { startReplay } from './replay-model.ts';

/** As fast as one reads along; at once where nobody does. */
const WORD_MS = 40;

/** Its own test may be run; what is asked about is the change. */
const RULES: readonly Rule[] = [{ action: 'allow', permission: ['proc.exec'], command: ['sh test.sh'] }];

const GREETING: readonly Line[] = [
  [
    span('This is a replay.', 'bold'),
    span(' What the model says was recorded. The agent, its tools and the files are real,'),
    span(' in a temporary project that is gone afterwards.'),
  ],
  [span('It asks you one question: answer it with a key, y for instance.')],
  [],
];

const AFTER = [
  'That was the replay; its project is gone. With a model of your own, in a project of yours: handrail chat',
  '`handrail chat` without a model says how to connect one.',
].join('\n');

/** Shows it; returns the exit code. */
export async function demo(surroundings: Surroundings): Promise<number> {
  const isPerson = process.stdin.isTTY && process.stdout.isTTY;
  await using model = await startReplay(isPerson ? WORD_MS : 0);
  const folder = mkdtempSync(join(tmpdir(), 'handrail-demo-'));
  try {
    const place: Place = {
      workspace: makeProject(folder),
      mode: 'ask',
      rules: RULES,
      surroundings: within(folder, model.url, surroundings),
      greeting: GREETING,
    };
    const opening = [REQUEST, '/undo'];
    const code = isPerson
      ? await talk({ ...place, opening: [...opening, '/quit'] }, async (runtime) => {
          const agents = openAgents(runtime, { environment: place.surroundings.environment });
          return { agents, conversation: await agents.open() };
        })
      : await talkAlone(place, opening);
    print(AFTER);
    return code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function makeProject(folder: string): string {
  const workspace = join(folder, 'greet');
  mkdirSync(workspace);
  for (const [name, content] of Object.entries(PROJECT)) writeFileSync(join(workspace, name), content);
  return workspace;
}

/** Nothing of the user's own: neither state and settings nor keys. */
function within(folder: string, url: string, surroundings: Surroundings): Surroundings {
  const { PATH, LANG, TERM, NO_COLOR } = surroundings.environment;
  const { home } = surroundings.locations;
  return {
    ...surroundings,
    locations: { home, state: join(folder, 'state'), config: join(folder, 'config') },
    environment: {
      PATH,
      LANG,
      TERM,
      NO_COLOR,
      OPENAI_BASE_URL: url,
      OPENAI_API_KEY: 'none',
      HANDRAIL_MODEL: 'replay',
    },
  };
}
