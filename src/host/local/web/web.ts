/** The web as this machine reaches it. What it takes is loaded by its first use. */
import { lookup } from 'node:dns/promises';
import type { Web } from '../../web-ports.ts';
import type { WebSurroundings } from './ask.ts';

export function localWeb({ addressesOf = resolve, certificates }: Partial<WebSurroundings> = {}): Web {
  let asking: Promise<Web['ask']> | undefined;
  const open = async (): Promise<Web['ask']> => {
    const { openAsk } = await import('./ask.ts');
    return openAsk({ addressesOf, certificates });
  };
  return {
    async ask(request) {
      asking ??= open();
      return (await asking)(request);
    },
    async readable(html, url, signal) {
      const { readable } = await import('./readable.ts');
      return readable(html, url, signal);
    },
  };
}

/** Where a host is, as every program of this machine is told. */
async function resolve(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}
