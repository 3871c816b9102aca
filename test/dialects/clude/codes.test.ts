/** The error codes of `clude`: those its document lists, and no others. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { speak } from '../fixtures/speak.ts';

const CODES = new Set([
  'E_INVALID_ARGS',
  'E_NO_TOOL',
  'E_VERSION',
  'E_POLICY_DENIED',
  'E_DENIED',
  'E_OUTSIDE_WORKSPACE',
  'E_NOT_FOUND',
  'E_NOT_FILE',
  'E_NOT_DIR',
  'E_TOO_LARGE',
  'E_ENCODING',
  'E_CONFLICT',
  'E_NOT_UNIQUE',
  'E_PATCH',
  'E_TOOL_TIMEOUT',
  'E_CANCELLED',
  'E_EXEC',
  'E_IO',
  'E_UNSUPPORTED',
  'E_INTERNAL',
]);

describe('clude', () => {
  it('answers with a code of its list', async () => {
    await using clude = await speak('clude', { 'a.txt': '' });
    const calls: readonly [string, object][] = [
      ['read_file', { path: join(clude.workspace.root, 'a.txt') }],
      ['read_file', { path: 'a\0b' }],
      ['read_file', { path: '' }],
      ['list_dir', { path: '~/x' }],
      ['delete_file', { path: '.' }],
      ['glob_file_search', { glob_pattern: '/etc/*' }],
      ['glob_file_search', { glob_pattern: 'a\0b' }],
      ['grep', { pattern: 'x', glob: '/etc/*' }],
    ];
    const codes: string[] = [];
    for (const [tool, args] of calls) {
      const { error } = (await clude.reply(tool, args)) as { error: { code: string } };
      codes.push(error.code);
    }
    expect(codes.filter((code) => !CODES.has(code))).toEqual([]);
  });
});
