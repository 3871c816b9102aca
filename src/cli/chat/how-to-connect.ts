/** What to do where no model is connected: three lines. */
export const HOW_TO_CONNECT = [
  'No model is connected. With a key:   ANTHROPIC_API_KEY=… HANDRAIL_MODEL=claude-sonnet-4-5 handrail chat',
  'With a server of your own:           OPENAI_BASE_URL=http://127.0.0.1:11434/v1 HANDRAIL_MODEL=qwen3-coder handrail chat',
  'To look around without one:          handrail chat --demo',
].join('\n');
