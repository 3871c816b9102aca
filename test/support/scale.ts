/** How much is tried where chance or size decides: usually enough to show the point, more on request. */
const SCALE = Number(process.env['HANDRAIL_TEST_SCALE'] ?? 1);

/** So many rounds, files or rows; that many times over with `HANDRAIL_TEST_SCALE`. */
export function scaled(usual: number): number {
  return Math.ceil(usual * SCALE);
}
