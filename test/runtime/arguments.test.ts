/** Arguments nobody should have to look at: too large, too deep, cyclic, or named like parts of every object. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unusableArguments } from '../../src/runtime/arguments.ts';
import { approver } from '../support/approver.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';

const TOO_DEEP = 'The arguments are nested deeper than 64 levels.';
const TOO_LARGE = 'The arguments are larger than 8 MiB.';
const TOO_MANY = 'The arguments hold more than 100000 values.';

function nested(depth: number, wrap: (inner: unknown) => unknown = (inner) => [inner]): unknown {
  let value: unknown = 'core';
  for (let level = 0; level < depth; level++) value = wrap(value);
  return value;
}

function cyclic(): object {
  const args: Record<string, unknown> = { path: 'a.txt' };
  args['self'] = { back: args };
  return args;
}

describe('unusableArguments', () => {
  it.each([
    ['nothing', undefined],
    ['an object', { path: 'a', list: [1, null, true] }],
    ['99,999 numbers in a list', Array.from({ length: 99_999 }, () => 1)],
    ['64 levels of lists', nested(64)],
    ['64 levels of objects', nested(64, (inner) => ({ inner }))],
    ['almost 8 MiB of text', { content: 'x'.repeat(8 * 1024 * 1024 - 100) }],
  ])('takes %s', (_, args) => {
    expect(unusableArguments(args)).toBeUndefined();
  });

  it.each([
    ['65 levels of lists', nested(65), TOO_DEEP],
    ['65 levels of objects', nested(65, (inner) => ({ inner })), TOO_DEEP],
    ['100,000 levels of lists', nested(100_000), TOO_DEEP],
    ['100,000 levels of objects', nested(100_000, (inner) => ({ inner })), TOO_DEEP],
    ['an object that holds itself', cyclic(), TOO_DEEP],
    ['10 MB in one text', { content: 'x'.repeat(10_000_000) }, TOO_LARGE],
    ['10 MB in many texts', Array.from({ length: 10_000 }, () => 'x'.repeat(1_000)), TOO_LARGE],
    [
      '10 MB of names',
      Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`${index}${'x'.repeat(1_000)}`, 1])),
      TOO_LARGE,
    ],
    ['100,000 numbers in a list', Array.from({ length: 100_000 }, () => 1), TOO_MANY],
    ['10 MB of bytes', new Uint8Array(10_000_000), TOO_LARGE],
  ])('refuses %s', (_, args, message) => {
    expect(unusableArguments(args)).toMatchObject({
      code: 'E_INVALID_ARGS',
      message,
      hint: 'Send less at once.',
    });
  });

  it('refuses a structure that shares its parts instead of walking every way through it', () => {
    let shared: unknown = 'core';
    for (let level = 0; level < 60; level++) shared = { left: shared, right: shared };
    expect(unusableArguments(shared)).toMatchObject({ message: TOO_MANY });
  });
});

describe('a call with arguments that are too much', () => {
  it.each([
    ['10 MB', { path: 'a.txt', content: 'secret'.repeat(2_000_000) }, TOO_LARGE],
    ['100,000 levels', { path: 'a.txt', content: nested(100_000) }, TOO_DEEP],
    ['a cycle', cyclic(), TOO_DEEP],
  ])('is refused with %s, and audited without them', async (_, args, message) => {
    await using workspace = tempWorkspace();
    const approve = approver('once');
    const runtime = await workspace.runtime({ approve });
    const { reply, outcome } = await runtime.call('write', args);
    expect({ reply, outcome }).toEqual({
      reply: { ok: false, error: `args: ${message} Send less at once.`, code: 'E_INVALID_ARGS' },
      outcome: 'failed',
    });
    await runtime.flush();
    const folder = join(workspace.locations.state, 'audit');
    const lines = readdirSync(folder).flatMap((name) =>
      readFileSync(join(folder, name), 'utf8').trim().split('\n'),
    );
    const records = lines.map((line) => JSON.parse(line) as { event: string; args: unknown });
    expect(records.map(({ event, args }) => ({ event, args }))).toEqual([
      { event: 'opened', args: '[not kept]' },
      { event: 'closed', args: '[not kept]' },
    ]);
    expect(approve.asked).toEqual([]);
    expect(readdirSync(workspace.root)).toEqual([]);
  });

  it('is refused in a whole request too', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime();
    const { result } = await runtime.execute({
      tool_call_id: 'c',
      name: 'read',
      args: { path: nested(100_000) },
    });
    expect(result).toMatchObject({ tool_call_id: 'c', error: { code: 'E_INVALID_ARGS', message: TOO_DEEP } });
  });
});

describe('a call with names that every object has', () => {
  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'])(
    'takes the argument %s for one that does not exist',
    async (name) => {
      await using workspace = tempWorkspace({ 'a.txt': 'x' });
      const runtime = await workspace.runtime();
      const args = JSON.parse(`{"path":"a.txt",${JSON.stringify(name)}:{"path":"b.txt"}}`) as unknown;
      const { result } = await runtime.call('read', args);
      expect(result.error).toMatchObject({
        code: 'E_INVALID_ARGS',
        message: `Wrong arguments for read: There is no argument ${JSON.stringify(name)}.`,
      });
      expect(Object.keys(Object.prototype)).toEqual([]);
    },
  );

  it('does not take an inherited argument for a given one', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'x' });
    const runtime = await workspace.runtime();
    const args = JSON.parse('{"__proto__":{"path":"a.txt"}}') as unknown;
    expect((await runtime.call('read', args)).outcome).toBe('failed');
  });

  it.each([undefined, null, 7, 'a.txt', true, [], [{ path: 'a.txt' }]])(
    'refuses %j as arguments',
    async (args) => {
      await using workspace = tempWorkspace({ 'a.txt': 'x' });
      const runtime = await workspace.runtime();
      expect((await runtime.call('read', args)).result.error?.code).toBe('E_INVALID_ARGS');
    },
  );
});
