/** For applications that nobody measures. */
import type { RouteParts } from '../../../src/transports/http/routes.ts';

export const NO_METRICS: RouteParts['metrics'] = {
  answered: () => undefined,
  scrape: async () => ({ type: 'text/plain', text: '' }),
};
