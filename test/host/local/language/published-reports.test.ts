import { describe, expect, it } from 'vitest';
import { PublishedReports } from '../../../../src/host/local/language/published-reports.ts';
import { ServerTrouble } from '../../../../src/host/local/language/server-trouble.ts';
import type { Diagnostic } from '../../../../src/host/ports.ts';

const AT = { line: 0, character: 0 };
const found = (message: string): Diagnostic => ({
  range: { start: AT, end: AT },
  severity: 'error',
  message,
});
const A = 'file:///a';

/** What is known now; undefined where nothing is. */
async function known(reports: PublishedReports, uri = A): Promise<string[] | undefined> {
  const latest = reports.latest(uri).then((diagnostics) => diagnostics.map(({ message }) => message));
  return Promise.race([latest, Promise.resolve().then(() => Promise.resolve(undefined))]);
}

describe('PublishedReports', () => {
  it('counts a report about the version that was sent last, and no other', async () => {
    const reports = new PublishedReports();
    reports.sent(A, 1);
    reports.sent(A, 2);
    reports.take({ uri: A, version: 1, diagnostics: [found('stale')] });
    reports.take({ uri: A, version: 7, diagnostics: [found('nonsense')] });
    reports.take({ uri: A, diagnostics: [found('about a closed document')] });
    reports.take({ uri: 'file:///b', version: 2, diagnostics: [found('of another')] });
    expect(await known(reports)).toBeUndefined();
    reports.take({ uri: A, version: 2, diagnostics: [found('right')] });
    expect(await reports.latest(A)).toEqual([found('right')]);
    expect(reports.namesVersions).toBe(true);
  });

  it('takes the last of several reports about a version', async () => {
    const reports = new PublishedReports();
    reports.sent(A, 1);
    reports.take({ uri: A, version: 1, diagnostics: [] });
    reports.take({ uri: A, version: 1, diagnostics: [found('second stage')] });
    expect(await reports.latest(A)).toEqual([found('second stage')]);
  });

  it('holds back changes of who names no versions, until it has reported', async () => {
    const reports = new PublishedReports();
    reports.sent(A, 1);
    let isSettled = false;
    const settled = reports.settled(A).then(() => (isSettled = true));
    await Promise.resolve();
    expect(isSettled).toBe(false);
    reports.take({ uri: A, version: null, diagnostics: [found('one')] });
    await settled;
    reports.sent(A, 2);
    expect(await known(reports)).toBeUndefined();
    reports.take({ uri: A, diagnostics: [] });
    expect(await reports.latest(A)).toEqual([]);
  });

  it('tells everyone who waits that nothing will come', async () => {
    const reports = new PublishedReports();
    reports.sent(A, 1);
    const waiting = reports.latest(A);
    reports.fail(new ServerTrouble('It is over.'));
    await expect(waiting).rejects.toThrow('It is over.');
    reports.closed(A);
    await expect(reports.latest(A)).rejects.toThrow('closed');
  });
});
