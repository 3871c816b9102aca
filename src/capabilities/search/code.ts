/** `search.code`: parts of files that answer a question in words, the best first. */
import { z } from 'zod';
import { questionWords } from '../../code-words.ts';
import type { CodeAnswer } from '../../host/ports.ts';
import { defineOperation } from '../../runtime/operation.ts';
import { workspacePathSchema } from '../fs/workspace-path-schema.ts';
import { grepWords } from './grep-words.ts';
import { refuseUnsearchable } from './unsearchable.ts';

const part = z.strictObject({
  path: workspacePathSchema,
  startLine: z.int().describe('Counted from 1'),
  endLine: z.int().describe('The last one'),
  text: z.string(),
  score: z.number().describe('The larger the better, within one answer'),
  symbol: z.string().optional().describe('What is defined there, or what it stands in'),
});

export const searchCode = defineOperation({
  name: 'search.code',
  summary:
    'Finds code by a question in words, from an index of words and definitions, by meaning too where that is set up.',
  input: z.strictObject({
    query: z.string(),
    paths: z.array(workspacePathSchema).min(1).describe('Where to look'),
    limit: z.int().min(1),
  }),
  output: z.strictObject({
    way: z.enum(['index', 'index+embeddings', 'grep']).describe('How it was found'),
    parts: z.array(part),
    note: z.string().optional().describe('What else there is to know about the answer'),
  }),
  permissions: ['fs.read'],
  effect: 'read',
  access: ({ paths }) => paths.map((path) => ({ permission: 'fs.read', resource: path })),
  async run({ query, paths, limit }, { codeIndex, search, files }) {
    refuseUnsearchable(query);
    // What is not there is said, not searched.
    for (const path of paths) await files.kindOf(path);
    const answer: CodeAnswer =
      questionWords(query).length === 0
        ? { status: 'unavailable', note: 'There is no word in the question.' }
        : await codeIndex.find({ question: query, paths, limit });
    if (answer.status === 'ready') {
      const { way, parts, note } = answer;
      return { way, parts: [...parts], ...(note === undefined ? {} : { note }) };
    }
    const { parts, note } = await grepWords(search, { query, paths, limit }, answer.note);
    return { way: 'grep' as const, parts, note };
  },
});
