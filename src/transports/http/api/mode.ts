/** How much is asked. */
import * as z from 'zod';
import { MODES } from '../../../policy/decision.ts';

export const mode = z.enum(MODES).meta({ id: 'Mode' });
