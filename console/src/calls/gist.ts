/** What a call is about, in a line: the first of its arguments that is one. */
export function gistOf(args: unknown): string {
  if (typeof args !== 'object' || args === null) return '';
  const texts = Object.values(args)
    .map((value: unknown) => (Array.isArray(value) ? (value[0] as unknown) : value))
    .filter((value) => typeof value === 'string' && value.trim() !== '') as string[];
  const line = texts.find((text) => !text.trim().includes('\n')) ?? texts[0] ?? '';
  return line.trim().split('\n')[0]!;
}
