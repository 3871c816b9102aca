/** What a workspace brings of its own, which counts where a person trusts exactly what they saw. */
import * as z from 'zod';
import { route, type RouteContext } from './route.ts';

const trustState = z
  .object({
    workspace: z.string(),
    hash: z.string().describe('Over everything that is shown here'),
    isTrusted: z.boolean().describe('All of it'),
    contents: z.array(
      z.object({
        folder: z.string(),
        isTrusted: z.boolean(),
        files: z.array(
          z.object({
            path: z.string(),
            hash: z.string(),
            size: z.number().describe('In bytes'),
            text: z.string().nullable().describe('Null where it is not text'),
          }),
        ),
      }),
    ),
    problems: z.array(z.string()).describe('What nobody could trust as it is, and why'),
    settings: z
      .enum(['none', 'trusted', 'not-trusted', 'unfit'])
      .describe("The workspace's own settings, as they counted when it was opened"),
  })
  .meta({ id: 'TrustState' });

export const showTrust = route({
  name: 'showTrust',
  method: 'get',
  path: '/api/trust',
  summary: "The workspace's own settings, skills and instructions, whole, and whether they are trusted.",
  who: 'person',
  returns: trustState,
  run: async ({ runtime }) => readState(runtime),
});

export const trust = route({
  name: 'trust',
  method: 'post',
  path: '/api/trust',
  summary: 'Trusts what was shown, until any of it changes.',
  who: 'person',
  body: z.object({ hash: z.string().describe('Of what was shown: nothing else is trusted') }),
  returns: trustState.extend({
    needsRestart: z.boolean().describe('Settings count when the workspace is opened the next time'),
  }),
  async run({ runtime }, { body }) {
    const { contents } = await runtime.settings.trust(body.hash);
    const needsRestart = contents.some(({ folder, isTrusted }) => folder === '.handrail' && !isTrusted);
    return { ...(await readState(runtime)), needsRestart };
  },
});

export const distrust = route({
  name: 'distrust',
  method: 'delete',
  path: '/api/trust',
  summary: 'Ends trust in all of it.',
  who: 'person',
  returns: z.object({ wasTrusted: z.boolean() }),
  run: async ({ runtime }) => ({ wasTrusted: await runtime.settings.distrust() }),
});

async function readState(runtime: RouteContext['runtime']): Promise<z.output<typeof trustState>> {
  const { contents, hash, problems } = await runtime.settings.trustOffer();
  return {
    workspace: runtime.workspace.root,
    hash,
    isTrusted: contents.every((content) => content.isTrusted),
    contents: contents.map(({ folder, isTrusted, files }) => ({
      folder,
      isTrusted,
      files: files.map(({ path, bytes, text, hash: ofFile }) => ({
        path,
        hash: ofFile,
        size: bytes.length,
        text: bytes.includes(0) ? null : text,
      })),
    })),
    problems: [...problems],
    settings: runtime.projectSettings,
  };
}
