import { describe, expect, it } from 'vitest';
import { differenceTo } from '../../../src/capabilities/lsp/diagnostic-schema.ts';
import type { Diagnostic } from '../../../src/host/ports.ts';

const at = (line: number, message: string): Diagnostic => ({
  range: { start: { line, character: 0 }, end: { line, character: 1 } },
  severity: 'error',
  message,
});

describe('differenceTo', () => {
  it.each<[title: string, before: Diagnostic[], now: Diagnostic[], added: Diagnostic[], fixed: number]>([
    ['nothing, where nothing changed', [at(1, 'a')], [at(1, 'a')], [], 0],
    ['nothing, where all has moved', [at(1, 'a'), at(2, 'b')], [at(9, 'b'), at(8, 'a')], [], 0],
    ['what came', [at(1, 'a')], [at(1, 'a'), at(2, 'b')], [at(2, 'b')], 0],
    ['what went', [at(1, 'a'), at(2, 'b')], [at(2, 'b')], [], 1],
    ['one more of the same', [at(1, 'a')], [at(1, 'a'), at(5, 'a')], [at(5, 'a')], 0],
    ['one less of the same', [at(1, 'a'), at(5, 'a')], [at(5, 'a')], [], 1],
  ])('is %s', (_title, before, now, added, fixed) => {
    expect(differenceTo(before, now)).toEqual({ added, fixed });
  });
});
