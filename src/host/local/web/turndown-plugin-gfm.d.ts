/** What the package does not say of itself. */
declare module '@joplin/turndown-plugin-gfm' {
  import type { Plugin } from 'turndown';

  export const gfm: Plugin;
}
