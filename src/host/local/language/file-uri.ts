/** File URIs of a workspace's files, and back. */
import { fileURLToPath, pathToFileURL } from 'node:url';

export interface FileUris {
  readonly root: string;
  of(path: string): string;
  /** The workspace path; undefined for what is not in the workspace, or no file. */
  pathOf(uri: string): string | undefined;
}

/** URIs below a real root. */
export function fileUris(root: string): FileUris {
  return {
    root: pathToFileURL(root).href,
    of: (path) => pathToFileURL(path === '.' ? root : `${root}/${path}`).href,
    pathOf(uri) {
      try {
        const path = fileURLToPath(uri);
        const isClean = !path.split('/').includes('..') && !path.includes('\0');
        return isClean && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : undefined;
      } catch {
        return undefined;
      }
    },
  };
}
