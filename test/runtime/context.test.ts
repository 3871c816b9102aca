/** The ports of an operation: what it did not declare is out of its reach, and a preview only looks. */
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  type Access,
  type CallResponse,
  defineDialect,
  defineOperation,
  defineTool,
  type Dialect,
  type FileChange,
  type OperationContext,
} from '../../src/index.ts';
import { approver, type RecordingApprover } from '../support/approver.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';

type Work = (context: OperationContext) => Promise<unknown>;

interface Probe {
  readonly accesses: readonly Access[];
  readonly run: Work;
  readonly preview?: Work;
}

/** A dialect with one tool that does as the test says. */
function probing({ accesses, run, preview }: Probe): Dialect {
  const operation = defineOperation({
    name: 'probe.touch',
    summary: 'Touches what the test wants it to.',
    input: z.strictObject({}),
    output: z.strictObject({}),
    permissions: ['fs.read', 'fs.write', 'fs.delete'],
    effect: 'write',
    access: () => accesses,
    async run(_, context) {
      await run(context);
      return {};
    },
    ...(preview === undefined
      ? {}
      : {
          async preview(_: unknown, context: OperationContext) {
            await preview(context);
            return { kind: 'text' as const, text: 'Touches.' };
          },
        }),
  });
  const touch = defineTool({
    name: 'touch',
    version: '1.0.0',
    description: 'Touch.',
    args: z.strictObject({}),
    returns: z.object({}),
    operation,
    toInput: () => ({}),
  });
  return defineDialect({
    name: 'probe',
    paths: { absolute: 'refused' },
    tools: [touch],
    reply: ({ result }) => result,
  });
}

async function touch(
  workspace: TempWorkspace,
  probe: Probe,
  approve: RecordingApprover = approver('once'),
): Promise<CallResponse> {
  const runtime = await workspace.runtime({ dialects: [probing(probe)], dialect: 'probe', approve });
  return runtime.call('touch', {});
}

const BYTES = Buffer.from('changed');
const DECLARED: readonly Access[] = (['fs.read', 'fs.write', 'fs.delete'] as const).map((permission) => ({
  permission,
  resource: 'declared',
}));

const TOUCHES: Readonly<Record<string, (path: string) => Work>> = {
  open: (path) => async (context) => {
    await using file = await context.files.open(path);
    await file.read(0, 1);
  },
  stat: (path) => (context) => context.files.stat(path),
  list: (path) => (context) => context.files.list(path),
  count: (path) => (context) => context.files.count(path),
  write: (path) => (context) => context.files.write(path, BYTES),
  remove: (path) => (context) => context.files.remove(path),
  'move from': (path) => (context) => context.files.move(path, 'declared'),
  'move to': (path) => (context) => context.files.move('declared', path),
  changeAll: (path) => (context) => context.files.changeAll([{ path, before: undefined, after: BYTES }]),
};

function bug(message: string): object {
  return {
    outcome: 'failed',
    result: {
      ok: false,
      payload: null,
      error: { code: 'E_INTERNAL', message: `Handrail has a bug: ${message}` },
    },
  };
}

const undeclared = (path: string): object => bug(`The operation touches ${path} without having declared it.`);

describe('scopeFiles', () => {
  it.each(Object.keys(TOUCHES))('keeps %s from a path that was not declared', async (name) => {
    for (const path of ['other', 'declared/below', '.', './declared', '../out/s.txt', 'declared2']) {
      await using workspace = tempWorkspace({
        'declared/below': 'before',
        other: 'before',
        declared2: 'before',
      });
      expect(await touch(workspace, { accesses: DECLARED, run: TOUCHES[name]!(path) })).toMatchObject(
        undeclared(path),
      );
      expect(readdirSync(workspace.root)).toEqual(['declared', 'declared2', 'other']);
      expect(
        ['other', 'declared2', 'declared/below'].map((file) =>
          readFileSync(join(workspace.root, file), 'utf8'),
        ),
      ).toEqual(['before', 'before', 'before']);
    }
  });

  it.each([
    ['write', 'fs.read'],
    ['write', 'fs.delete'],
    ['remove', 'fs.read'],
    ['remove', 'fs.write'],
    ['move from', 'fs.write'],
    ['move to', 'fs.read'],
    ['open', 'fs.write'],
    ['stat', 'fs.delete'],
    ['list', 'fs.write'],
    ['count', 'fs.write'],
    ['changeAll', 'fs.read'],
  ] as const)('keeps %s from a path that was declared for %s alone', async (name, permission) => {
    await using workspace = tempWorkspace({ declared: 'before' });
    const accesses = [{ permission, resource: 'declared' }];
    expect(await touch(workspace, { accesses, run: TOUCHES[name]!('declared') })).toMatchObject(
      undeclared('declared'),
    );
    expect(readFileSync(join(workspace.root, 'declared'), 'utf8')).toBe('before');
  });

  it('reports what was changed before a bug, so that it is not lost', async () => {
    await using workspace = tempWorkspace();
    const run: Work = async ({ files }) => {
      await files.write('declared', BYTES);
      await files.write('other', BYTES);
    };
    const { result } = await touch(workspace, { accesses: DECLARED, run });
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'E_INTERNAL' },
      artifacts: { files_changed: ['declared'] },
    });
    expect(readdirSync(workspace.root)).toEqual(['declared']);
  });

  it('goes where a link led when it was decided on', async () => {
    await using workspace = tempWorkspace({ real: 'before' });
    symlinkSync('real', join(workspace.root, 'declared'));
    const accesses = [{ permission: 'fs.write', resource: 'declared' }] as const;
    expect((await touch(workspace, { accesses, run: TOUCHES['write']!('declared') })).outcome).toBe('ok');
    expect(readFileSync(join(workspace.root, 'real'), 'utf8')).toBe('changed');
  });

  it('changes nothing that is not what it was read to be', async () => {
    const other = Buffer.from('other');
    const stale: readonly FileChange[] = [
      { path: 'declared', before: other, after: BYTES },
      { path: 'declared', before: undefined, after: BYTES },
      { path: 'declared', before: other, after: undefined },
      { path: 'missing', before: other, after: undefined },
    ];
    for (const change of stale) {
      await using workspace = tempWorkspace({ declared: 'before' });
      const accesses = ['declared', 'missing'].flatMap((resource) =>
        DECLARED.map(({ permission }) => ({ permission, resource })),
      );
      const run: Work = ({ files }) => files.changeAll([change]);
      expect((await touch(workspace, { accesses, run })).result.error?.code).toBeOneOf([
        'E_CONFLICT',
        'E_NOT_FOUND',
      ]);
      expect(readdirSync(workspace.root)).toEqual(['declared']);
      expect(readFileSync(join(workspace.root, 'declared'), 'utf8')).toBe('before');
    }
  });

  it('lets every declared touch through', async () => {
    for (const name of ['open', 'stat', 'count', 'write', 'remove']) {
      await using workspace = tempWorkspace({ declared: 'before' });
      expect((await touch(workspace, { accesses: DECLARED, run: TOUCHES[name]!('declared') })).outcome).toBe(
        'ok',
      );
    }
  });

  it('takes an access of a permission the operation does not list for a bug', async () => {
    await using workspace = tempWorkspace();
    const accesses = [{ permission: 'proc.exec', resource: 'rm' }] as const;
    const approve = approver('once');
    const response = await touch(workspace, { accesses, run: async () => {} }, approve);
    expect(response).toMatchObject(bug('probe.touch needs proc.exec, which it does not list.'));
    expect(approve.asked).toEqual([]);
  });
});

describe('scopeForPreview', () => {
  it.each(['write', 'remove', 'move to'])(
    'lets no preview %s, and then nobody is asked and nothing runs',
    async (name) => {
      await using workspace = tempWorkspace({ declared: 'before' });
      const approve = approver('once');
      const ran: string[] = [];
      const probe: Probe = {
        accesses: DECLARED,
        preview: TOUCHES[name]!('declared'),
        run: async () => void ran.push('run'),
      };
      expect(await touch(workspace, probe, approve)).toMatchObject(
        bug('A preview must not change anything.'),
      );
      expect({ asked: approve.asked, ran }).toEqual({ asked: [], ran: [] });
      expect(readFileSync(join(workspace.root, 'declared'), 'utf8')).toBe('before');
    },
  );

  it('lets a preview look at what was declared, and at nothing else', async () => {
    await using workspace = tempWorkspace({ declared: 'before', other: 'before' });
    const approve = approver('deny');
    const good = await touch(
      workspace,
      { accesses: DECLARED, preview: TOUCHES['open']!('declared'), run: async () => {} },
      approve,
    );
    expect({ outcome: good.outcome, previews: approve.asked.map(({ preview }) => preview) }).toEqual({
      outcome: 'denied',
      previews: [{ kind: 'text', text: 'Touches.' }],
    });
    const bad = await touch(workspace, {
      accesses: DECLARED,
      preview: TOUCHES['open']!('other'),
      run: async () => {},
    });
    expect(bad).toMatchObject(undeclared('other'));
    expect(existsSync(join(workspace.root, 'other'))).toBe(true);
  });
});
