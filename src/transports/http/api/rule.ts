/** A rule, as people write it. */
import { ruleSchema } from '../../../policy/rule-schema.ts';

export const rule = ruleSchema.meta({ id: 'Rule' });
