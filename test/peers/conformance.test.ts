/** The official conformance suite on Handrail's own MCP over HTTP, for both sets of requirements. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { conformanceServer } from './fixtures/conformance-server.ts';
import { runPeer, whyNoPeers } from './peers.ts';

const missing = whyNoPeers();
if (missing !== undefined) process.stderr.write(`The conformance suite is not run: ${missing}.\n`);

describe.skipIf(missing !== undefined)('the conformance suite', () => {
  it.each([
    ['2025-11-25', []],
    ['2026-07-28', ['--requirements', '2026-07-28']],
  ])(
    'passes for %s, but for what is written down beside it',
    async (revision, args) => {
      await using server = await conformanceServer();
      const folder = mkdtempSync(join(tmpdir(), 'handrail-conformance-'));
      const known = join(import.meta.dirname, `conformance-${revision}.yml`);
      const script = `conformance-${revision}/dist/index.js`;
      const ran = await runPeer(
        script,
        ['server', '--url', server.url, '--expected-failures', known, ...args],
        folder,
      );
      rmSync(folder, { recursive: true });
      // A scenario that passes though it is written down as failing ends with an error, too.
      expect(ran).toMatchObject({ exitCode: 0, output: expect.stringContaining('=== SUMMARY ===') });
    },
    120_000,
  );
});
