/**
 * The clients that a setup knows, by the names that the command line takes. `docs/guides/clients.md` says for people
 * what is written where, and where each fact comes from.
 */
import type { Client } from './client.ts';
import { claudeCode } from './clients/claude-code.ts';
import { codex } from './clients/codex.ts';
import { cursor } from './clients/cursor.ts';
import { vscode } from './clients/vscode.ts';
import { opencode } from './clients/opencode.ts';
import { zed } from './clients/zed.ts';
import { gemini } from './clients/gemini.ts';

export const clients = {
  'claude-code': claudeCode,
  codex,
  cursor,
  vscode,
  opencode,
  zed,
  gemini,
} satisfies Readonly<Record<string, Client>>;

export type ClientName = keyof typeof clients;
