/** Finding by meaning, through a real endpoint of this machine. */
import { describe, expect, it } from 'vitest';
import type { CodeAnswer } from '../../../../src/host/ports.ts';
import { type EmbeddingServer, embeddingServer } from '../../../support/embedding-server.ts';
import { webServer } from '../../../support/web-server.ts';
import { tempWorkspace } from '../../../support/temp-workspace.ts';
import { type Indexing, indexing } from './fixtures/indexing.ts';

const FILES = {
  'garage.ts': 'export function discard(vehicle: string) {\n  drop(vehicle);\n}\n',
  'door.ts': 'export function authenticate(person: string) {\n  check(person);\n}\n',
  'other.ts': 'export function draw(canvas: string) {\n  paint(canvas);\n}\n',
};

function settings({ endpoint }: Pick<EmbeddingServer, 'endpoint'>, maxParts = 1_000) {
  return { embeddings: { endpoint, model: 'words', key: 'k-123', maxParts } };
}

/** The first answer after which everything is embedded; each question goes on with what is not. */
async function embedded(index: Indexing, question: string): Promise<CodeAnswer> {
  for (;;) {
    const answer = await index.ask(question);
    if (answer.status === 'ready' && answer.way === 'index+embeddings' && answer.note === undefined)
      return answer;
  }
}

describe('the index of code with an embedding endpoint', () => {
  it('finds by meaning what has none of the words', async () => {
    await using server = await embeddingServer();
    await using workspace = tempWorkspace(FILES);
    await using index = indexing(workspace, settings(server));
    const answer = await embedded(index, 'erase automobile');
    expect(answer).toMatchObject({
      way: 'index+embeddings',
      parts: [{ path: 'garage.ts', symbol: 'discard' }, {}, {}],
    });
    expect(server.headers[0]).toMatchObject({
      authorization: 'Bearer k-123',
      'content-type': 'application/json',
    });
    expect(new Set(server.asked)).toEqual(new Set(['/v1/embeddings']));
  });

  it('finds by words what is meant by them, too', async () => {
    await using server = await embeddingServer();
    await using workspace = tempWorkspace(FILES);
    await using index = indexing(workspace, settings(server));
    expect(await embedded(index, 'authenticate')).toMatchObject({ parts: [{ path: 'door.ts' }, {}, {}] });
  });

  it('says how far it is, and that it looked at words only where the endpoint is of no use', async () => {
    await using server = await embeddingServer();
    await using workspace = tempWorkspace(FILES);
    await using index = indexing(workspace, settings(server));
    expect(await index.ask('canvas')).toMatchObject({
      way: 'index+embeddings',
      note: '0 of 3 parts are embedded so far.',
      parts: [{ path: 'other.ts' }],
    });
  });

  it.each<[what: string, trouble: NonNullable<EmbeddingServer['trouble']>, why: string]>([
    ['fails', { status: 500 }, 'it answered with status 500'],
    ['refuses the key', { status: 401 }, 'it answered with status 401'],
    [
      'answers with no vectors',
      { status: 200, body: '{"data":[]}' },
      'it answered with something else than a vector for each text',
    ],
    ['answers with no JSON', { status: 200, body: '<html>' }, 'it could not be reached'],
    [
      'answers with vectors that are none',
      { status: 200, body: '{"data":[{"index":0,"embedding":["x"]}]}' },
      'it answered with something else than a vector for each text',
    ],
  ])('ranks by words where it %s, and says so', async (_, trouble, why) => {
    await using server = await embeddingServer();
    server.trouble = trouble;
    await using workspace = tempWorkspace(FILES);
    await using index = indexing(workspace, settings(server));
    const expected = {
      status: 'ready',
      way: 'index',
      note: `The embedding endpoint was of no use (${why}): ranked by words only.`,
      parts: [{ path: 'other.ts' }],
    };
    expect(await index.ask('canvas')).toMatchObject(expected);
    // It is left alone for a while.
    const asked = server.asked.length;
    expect(await index.ask('canvas')).toMatchObject(expected);
    expect(server.asked).toHaveLength(asked);
  });

  it('sends code nowhere but where the user said', async () => {
    await using elsewhere = await webServer((_, response) => void response.end('{}'));
    await using server = await embeddingServer();
    server.trouble = { status: 307, location: `${elsewhere.origin}/v1/embeddings` };
    await using workspace = tempWorkspace(FILES);
    await using index = indexing(workspace, settings(server));
    expect(await index.ask('canvas')).toMatchObject({ way: 'index' });
    expect(elsewhere.asked).toEqual([]);
  });

  it('sends nothing that may not be sent, and nothing that is not indexed', async () => {
    await using server = await embeddingServer();
    await using workspace = tempWorkspace({
      ...FILES,
      '.env': 'KEY=1\n',
      'held.ts': 'const token = "s3cret";\n',
    });
    await using index = indexing(workspace, {
      ...settings(server),
      mayIndex: (path) => path !== '.env',
      maySend: (text) => !text.includes('s3cret'),
    });
    await embedded(index, 'erase automobile');
    const sent = server.texts.map((text) => text.split('\n')[0]!);
    expect(sent.filter((first) => first !== 'erase automobile').sort()).toEqual([
      'door.ts',
      'garage.ts',
      'other.ts',
    ]);
    expect(await index.files('token')).toContain('held.ts');
  });

  it('sends each part once, and again when it changed', async () => {
    await using server = await embeddingServer();
    await using workspace = tempWorkspace(FILES);
    const first = indexing(workspace, settings(server));
    await embedded(first, 'erase automobile');
    await first[Symbol.asyncDispose]();
    const before = server.texts.length;
    workspace.write('other.ts', 'export function login() {}\n');
    await using index = indexing(workspace, settings(server));
    await embedded(index, 'signin');
    expect(server.texts.slice(before).filter((text) => text !== 'signin')).toEqual([
      'other.ts\nexport function login() {}',
    ]);
  });

  it('forgets the vectors of another model', async () => {
    await using server = await embeddingServer();
    await using workspace = tempWorkspace(FILES);
    const first = indexing(workspace, settings(server));
    await embedded(first, 'erase automobile');
    await first[Symbol.asyncDispose]();
    await using index = indexing(workspace, {
      embeddings: { ...settings(server).embeddings, model: 'better' },
    });
    expect(await index.ask('canvas')).toMatchObject({ note: '0 of 3 parts are embedded so far.' });
  });

  it('sends no more parts than it may', async () => {
    await using server = await embeddingServer();
    await using workspace = tempWorkspace(FILES);
    await using index = indexing(workspace, settings(server, 2));
    await embedded(index, 'erase automobile');
    expect(server.texts.filter((text) => text !== 'erase automobile')).toHaveLength(2);
  });
});
