import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { explainIssue } from '../../src/runtime/explain-issue.ts';

const schema = z.strictObject({
  tool: z.string(),
  args: z.unknown().nonoptional(),
  answer: z.enum(['once', 'deny']),
  inner: z.object({ size: z.int() }).optional(),
});

describe('explainIssue', () => {
  it.each([
    [{ args: {}, answer: 'once' }, ['"tool" is missing (expected string)']],
    [{ tool: 'a', answer: 'once' }, ['"args" is missing']],
    [{ tool: 'a', args: {} }, ['"answer" is missing (expected "once" or "deny")']],
    [{ tool: 7, args: {}, answer: 'once' }, ['"tool": expected string, received number']],
    [{ tool: 'a', args: {}, answer: 'once', inner: {} }, ['"inner.size" is missing (expected number)']],
    ['text', ['the body: expected object, received string']],
  ])('names the field and what was expected: %o', (given, explained) => {
    const { error } = schema.safeParse(given);
    expect(error?.issues.map((issue) => explainIssue(issue, given, 'the body'))).toEqual(explained);
  });
});
