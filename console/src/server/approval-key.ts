/** The key that lets the person answer: it came behind the `#` of the address, and lives as long as this tab. */

const KEY = 'handrail-approval';

/** Takes it out of the address bar. */
export function takeApprovalKey(): string | undefined {
  const given = new URLSearchParams(location.hash.slice(1)).get('approve');
  if (given !== null) {
    sessionStorage.setItem(KEY, given);
    history.replaceState(undefined, '', location.pathname);
  }
  return sessionStorage.getItem(KEY) ?? undefined;
}
