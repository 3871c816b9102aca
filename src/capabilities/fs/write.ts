/** `fs.write`: a whole text file, created or replaced in one step. */
import { z } from 'zod';
import { Failure } from '../../failure.ts';
import { defineOperation, type OperationContext } from '../../runtime/operation.ts';
import { refuseStale } from './stale.ts';
import { decodeText, inStyleOf, readWhole, withEndingsOf } from './text.ts';
import { unifiedDiff } from './unified-diff.ts';
import { workspacePathSchema } from './workspace-path-schema.ts';

/** A larger file is replaced without a diff being made of it. */
const MAX_DIFF_BYTES = 4 * 1024 * 1024;

const input = z.strictObject({
  path: workspacePathSchema,
  content: z.string(),
  mode: z.enum(['overwrite', 'append']),
  maxBytes: z.int().min(1).describe('Longer content is a failure'),
});
type Input = z.infer<typeof input>;

export const fsWrite = defineOperation({
  name: 'fs.write',
  summary:
    'Creates or replaces a text file; missing directories are made, line endings and BOM of the file stay.',
  input,
  output: z.strictObject({
    path: workspacePathSchema,
    operation: z.enum(['created', 'updated', 'unchanged']),
    mode: z.enum(['overwrite', 'append']),
    bytes: z.int().describe('The size of the file now'),
    additions: z.int(),
    deletions: z.int(),
    diff: z.string().describe('Unified; empty where nothing changed'),
  }),
  permissions: ['fs.read', 'fs.write'],
  effect: 'write',
  access: ({ path }) => [
    { permission: 'fs.read', resource: path },
    { permission: 'fs.write', resource: path },
  ],
  async preview(input, context) {
    return { kind: 'diff', text: (await plan(input, context)).diff };
  },
  async run(input, context) {
    const { bytes, ...planned } = await plan(input, context);
    if (planned.operation !== 'unchanged') await context.files.write(input.path, bytes);
    return { path: input.path, mode: input.mode, bytes: bytes.length, ...planned };
  },
});

interface Plan {
  readonly operation: 'created' | 'updated' | 'unchanged';
  readonly bytes: Uint8Array;
  readonly additions: number;
  readonly deletions: number;
  readonly diff: string;
}

async function plan({ path, content, mode, maxBytes }: Input, context: OperationContext): Promise<Plan> {
  if (!content.isWellFormed()) {
    throw new Failure('E_ENCODING', 'The content holds half a Unicode character, which UTF-8 can not carry.');
  }
  const existing = await lookAt(path, context);
  const { exists, text: before } = existing;
  if (mode === 'overwrite') refuseStale(path, context);
  const after =
    mode === 'append' ? appended(path, existing, content) : inStyleOf(before ?? existing.head, content);
  const bytes = Buffer.from(after);
  if (bytes.length > maxBytes) {
    throw new Failure(
      'E_TOO_LARGE',
      `The content has ${bytes.length} bytes, more than the ${maxBytes} that can be written.`,
      {
        details: { file_size: bytes.length, max_size: maxBytes },
      },
    );
  }
  if (before === after) return { operation: 'unchanged', bytes, additions: 0, deletions: 0, diff: '' };
  if (exists && before === undefined)
    return { operation: 'updated', bytes, additions: 0, deletions: 0, diff: NOT_COMPARED };
  return { operation: exists ? 'updated' : 'created', bytes, ...unifiedDiff(path, before, after) };
}

function appended(path: string, { exists, text }: Existing, content: string): string {
  if (exists && text === undefined) {
    throw new Failure(
      'E_UNSUPPORTED',
      `Nothing can be appended to ${JSON.stringify(path)}: it is not text, or has over 4 MiB.`,
    );
  }
  return text === undefined ? content : text + withEndingsOf(text, content);
}

const NOT_COMPARED = '(not compared: what was there is not text, or too large)\n';
const HEAD_BYTES = 64 * 1024;

interface Existing {
  readonly exists: boolean;
  /** Undefined where what is there is not text, or too large to compare. */
  readonly text?: string;
  /** The start of a text that is too large to compare: enough to know its style. */
  readonly head?: string;
}

async function lookAt(path: string, { files }: OperationContext): Promise<Existing> {
  try {
    await using file = await files.open(path);
    if (file.stat.size <= MAX_DIFF_BYTES) {
      return { exists: true, text: decodeText(await readWhole(file, path, MAX_DIFF_BYTES), path) };
    }
    const head = Buffer.from(await file.read(0, HEAD_BYTES)).toString();
    return head.includes('\0') ? { exists: true } : { exists: true, head };
  } catch (error) {
    const code = error instanceof Failure ? error.code : undefined;
    if (code === 'E_NOT_FOUND') return { exists: false };
    if (code === 'E_ENCODING' || code === 'E_TOO_LARGE') return { exists: true };
    throw error;
  }
}
