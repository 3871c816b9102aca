/** The names of files that are being written: they may hold what a file that may not be read will hold, so no tool sees or touches them. */

const PREFIX = '.handrail-';
const SUFFIX = '.tmp';

/** All of them, as a glob. */
export const TEMPORARY_NAMES = `${PREFIX}call_*${SUFFIX}`;

/** A name for a file that a call writes; the number makes it its own. */
export function temporaryName(callId: string, number: number): string {
  return `${PREFIX}${callId}-${number}${SUFFIX}`;
}

/** Whether a name is that of a file that is being written, or was when its process died. */
export function isTemporary(name: string): boolean {
  return name.startsWith(`${PREFIX}call_`) && name.endsWith(SUFFIX);
}

/** Whether a name is that of a temporary file of the given call. */
export function isTemporaryOf(name: string, callId: string): boolean {
  return name.startsWith(`${PREFIX}${callId}-`) && name.endsWith(SUFFIX);
}
