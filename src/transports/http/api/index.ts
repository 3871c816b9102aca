/** Every route of the API. */
import { listTools } from './tools.ts';

export const API_ROUTES = [listTools] as const;
