/** What a memory may hold, and how an operation gives one. */
import { z } from 'zod';
import { type Memory, MEMORY_SCOPES, type MemoryScope, scopeOf } from '../../runtime/operation.ts';

export const memoryScope = z.enum(MEMORY_SCOPES);
export const memoryTitle = z
  .string()
  .max(200)
  .transform((title) => title.replaceAll(/\s+/g, ' ').trim())
  .pipe(z.string().min(1));
export const memoryContent = z.string().min(1).max(4_000);
export const memoryId = z
  .string()
  .refine((id) => scopeOf(id) !== undefined, { error: 'is not the id of a memory, such as mem_w_…' });

/** A change, and nothing besides what it needs. */
export const memoryChangeSchema = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('create'),
    scope: memoryScope,
    title: memoryTitle,
    content: memoryContent,
  }),
  z.strictObject({
    action: z.literal('update'),
    id: memoryId,
    title: memoryTitle.optional(),
    content: memoryContent.optional(),
  }),
  z.strictObject({ action: z.literal('delete'), id: memoryId }),
]);

type MemoryChange = z.infer<typeof memoryChangeSchema>;

export const memorySchema = z.strictObject({
  id: z.string(),
  scope: memoryScope,
  title: z.string(),
  content: z.string(),
  updatedAt: z.int(),
});

/** What a change still lacks, by the field of the operation's input that it is about. */
export function lackOf({ action, id, title, content }: WrittenChange): Lack | undefined {
  if (action !== 'create')
    return id === undefined
      ? ['id', `${action} needs it`]
      : action === 'update' && title === undefined && content === undefined
        ? ['content', 'update changes this, or the title']
        : undefined;
  if (id !== undefined) return ['id', 'create takes none; did you mean update?'];
  if (title === undefined) return ['title', 'create needs it'];
  return content === undefined ? ['content', 'create needs it'] : undefined;
}

export interface WrittenChange {
  readonly action: 'create' | 'update' | 'delete';
  readonly scope: MemoryScope;
  readonly id?: string | undefined;
  readonly title?: string | undefined;
  readonly content?: string | undefined;
}

type Lack = readonly [field: 'id' | 'title' | 'content', why: string];

/** A change that lacks nothing, as the operation takes it. */
export function toChange({ action, scope, id = '', title, content }: WrittenChange): MemoryChange {
  if (action === 'create') return { action, scope, title: title!, content: content! };
  return action === 'update' ? { action, id, title, content } : { action, id };
}

/** A memory without what is for people only. */
export function toOutput({ id, scope, title, content, updatedAt }: Memory): z.infer<typeof memorySchema> {
  return { id, scope, title, content, updatedAt };
}
