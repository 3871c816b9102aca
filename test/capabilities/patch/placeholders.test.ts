import { describe, expect, it } from 'vitest';
import { findPlaceholder } from '../../../src/capabilities/patch/placeholders.ts';

describe('findPlaceholder', () => {
  it.each([
    '// ... existing code ...',
    '# ... rest of the function unchanged',
    '/* rest of the code is unchanged */',
    '<!-- rest of file unchanged -->',
    '{/* ... existing props ... */}',
    '[... remaining code omitted ...]',
    '// Rest of the code remains the same',
    '-- … previous columns …',
    '... existing imports ...',
    '(code unchanged)',
  ])('finds %s', (line) => {
    expect(findPlaceholder('a();\n', `a();\n  ${line}\nb();\n`)).toBe(line);
  });

  it('finds a remark of dots where the text became shorter', () => {
    expect(findPlaceholder('a\nb\nc\nd\n', 'a\n// ...\nd\n')).toBe('// ...');
    expect(findPlaceholder('a\nd\n', 'a\n// ...\nd\n')).toBeUndefined();
  });

  it.each([
    'f(...rest);',
    'const { a, ...rest } = existing;',
    '    ...',
    '// The rest of the queue is handled below.',
    'Loading existing files...',
    '// keeps existing rows unchanged',
    'print("... existing ...")',
    `// ${'existing ... '.repeat(50)}`,
  ])('leaves %s alone', (line) => {
    expect(findPlaceholder('a();\n', `a();\n${line}\n`)).toBeUndefined();
  });

  it('leaves alone what the old text has too', () => {
    expect(findPlaceholder('// ... existing code ...\na\n', '// ... existing code ...\nb\n')).toBeUndefined();
  });
});
