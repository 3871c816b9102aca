/** The schema of a workspace path as operations take it: already normalised by the dialect. */
import { z } from 'zod';

export const workspacePathSchema = z
  .string()
  .min(1)
  .describe('A workspace path: relative, normalised, `.` the root');
