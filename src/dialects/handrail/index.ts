/** `handrail`: ours, the default. `coder`'s names and shapes, with limits for today's models and more tools. */
import { coder } from '../coder/index.ts';
import { defineDialect } from '../dialect.ts';
import { move, read, remove } from './fs.ts';
import { readOutput } from './output.ts';

export const handrail = defineDialect({
  name: 'handrail',
  extends: coder,
  canPage: true,
  tools: [read, remove, move, readOutput],
});
