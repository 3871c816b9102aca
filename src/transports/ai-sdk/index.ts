/** The door of `handrail/ai-sdk`. */
export type { ToolsOptions } from './calls.ts';
export { ToolFailure } from './tool-failure.ts';
export { toolApproval } from './tool-approval.ts';
export { tools } from './tools.ts';
