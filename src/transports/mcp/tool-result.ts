/** The end of a call as MCP's result: what the tool returned, or the dialect's words on why it did not. */
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';
import type { Effect } from '../../policy/access.ts';
import type { MediaFields } from '../../runtime/tool.ts';
import type { CallResponse } from '../../runtime/spine.ts';

/** More is given once, as structured content: clients drop messages over 10 MiB, and no model reads that much. */
const MAX_TEXT = 512 * 1024;

/** What a result's shape and worth depend on. */
export interface CalledTool {
  /** Where its own result holds bytes. */
  readonly media?: MediaFields | undefined;
  readonly operation: { readonly effect: Effect };
}

/** Operations that repeat what files, pages and programs say. */
const REPEATING: ReadonlySet<Effect> = new Set(['read', 'exec', 'network']);

/** The result of a call. */
export function toResult(response: CallResponse, tool: CalledTool | undefined): CallToolResult {
  const media = tool?.media;
  const isUntrusted = tool !== undefined && REPEATING.has(tool.operation.effect);
  const _meta = {
    'handrail/call': response.callId,
    'handrail/turn': response.turn,
    ...(isUntrusted ? { 'handrail/provenance': 'untrusted' } : {}),
  };
  // Without structured content: a failure is not of the shape that the tool promises.
  if (response.outcome !== 'ok') return { ...toFailure(JSON.stringify(response.reply)), _meta };
  const { structuredContent, content } = split(response.rendered as Record<string, unknown>, media, response);
  return { content: [...content, textOf(structuredContent)], structuredContent, _meta };
}

/** A call that did not come about. */
export function toFailure(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

function split(
  rendered: Record<string, unknown>,
  media: MediaFields | undefined,
  { callId }: CallResponse,
): { structuredContent: Record<string, unknown>; content: ContentBlock[] } {
  if (media === undefined) return { structuredContent: rendered, content: [] };
  const { [media.data]: data, ...structuredContent } = rendered;
  const type = String(rendered[media.type]);
  return { structuredContent, content: [mediaContent(String(data), type, callId)] };
}

function mediaContent(data: string, mimeType: string, callId: string): ContentBlock {
  if (mimeType.startsWith('image/')) return { type: 'image', data, mimeType };
  if (mimeType.startsWith('audio/')) return { type: 'audio', data, mimeType };
  return { type: 'resource', resource: { uri: `handrail:${callId}`, mimeType, blob: data } };
}

/** The same as JSON, for clients that only read text. */
function textOf(structured: unknown): ContentBlock {
  const json = JSON.stringify(structured);
  if (json.length <= MAX_TEXT) return { type: 'text', text: json };
  const note = `[${json.length} characters; the rest is only in structuredContent. Ask for less at once to have all of it here.]`;
  return { type: 'text', text: `${json.slice(0, MAX_TEXT)}\n${note}` };
}
