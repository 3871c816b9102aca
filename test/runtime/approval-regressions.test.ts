/** What an approver could do once, and must not again. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/parse.ts';
import { openState } from '../../src/open-state.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';

describe('an approver', () => {
  it('can not change what runs by changing the question', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({
      approve: async (request) => {
        for (const access of request.accesses) Object.assign(access, { resolved: '.git/config' });
        return { answer: 'once' };
      },
    });
    await runtime.call('write', { path: 'a.txt', content: 'x' });
    expect(existsSync(join(workspace.root, 'a.txt'))).toBe(true);
    expect(existsSync(join(workspace.root, '.git/config'))).toBe(false);
  });

  it.each([
    ['gives no answer', async () => undefined as never],
    ['throws', () => Promise.reject(new Error('gone'))],
  ])('that %s leaves no open question behind', async (_what, approve) => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ approve });
    const { outcome } = await runtime.call('write', { path: 'a.txt', content: 'x' });
    expect(outcome).not.toBe('ok');
    expect(await pending(workspace)).toBe(0);
  });

  it('is not asked any more about a call that was cancelled', async () => {
    await using workspace = tempWorkspace();
    const controller = new AbortController();
    const runtime = await workspace.runtime({
      approve: () => {
        controller.abort();
        return new Promise(() => undefined);
      },
    });
    const { outcome } = await runtime.call(
      'write',
      { path: 'a.txt', content: 'x' },
      { signal: controller.signal },
    );
    expect(outcome).toBe('cancelled');
    await expect.poll(() => pending(workspace)).toBe(0);
  });
});

describe('parseConfig', () => {
  it.each(['{"__proto__":{"mode":"auto"}}', '{"rules":[{"__proto__":{"action":"allow","permission":"*"}}]}'])(
    'refuses %s',
    (text) => {
      expect(() => parseConfig(text, 'config.jsonc')).toThrow('__proto__');
    },
  );
});

async function pending(workspace: ReturnType<typeof tempWorkspace>): Promise<number> {
  await using state = openState(workspace.locations);
  const rows = await state.store.database
    .selectFrom('approvals')
    .select('id')
    .where('state', '=', 'pending')
    .execute();
  return rows.length;
}
