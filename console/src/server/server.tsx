/** The way to the server, for every view: the client, and the project that is looked at. */
import { createContext, type ReactNode, use, useMemo, useState } from 'react';
import { type Client, handrailClient } from '../../../src/client/index.ts';

export interface Server {
  readonly client: Client;
  /** Whether the person may answer questions and take turns back here. */
  readonly mayAnswer: boolean;
  /** The id of the project that is looked at; undefined for the server's own workspace. */
  readonly project: string | undefined;
  readonly lookAt: (project: string | undefined) => void;
}

const ServerContext = createContext<Server | undefined>(undefined);

export function ServerProvider({
  approvalKey,
  children,
}: {
  readonly approvalKey: string | undefined;
  readonly children: ReactNode;
}): ReactNode {
  const [project, lookAt] = useState<string>();
  const server = useMemo(
    () => ({
      client: handrailClient({ approvalKey, project }),
      mayAnswer: approvalKey !== undefined,
      project,
      lookAt,
    }),
    [approvalKey, project],
  );
  return <ServerContext value={server}>{children}</ServerContext>;
}

/** The server that the console talks to. */
export function useServer(): Server {
  const server = use(ServerContext);
  if (server === undefined) throw new Error('There is no ServerProvider around this.');
  return server;
}
