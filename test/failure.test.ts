import { describe, expect, it } from 'vitest';
import { sentences } from '../src/failure.ts';

describe('sentences', () => {
  it.each([
    [{ message: 'It is gone.' }, 'It is gone.'],
    [{ message: 'not now', hint: 'Ask later.' }, 'not now. Ask later.'],
    [{ message: 'Why?', hint: 'Ask later.' }, 'Why? Ask later.'],
  ])('puts an end to each sentence: %o', (failure, text) => {
    expect(sentences(failure)).toBe(text);
  });
});
