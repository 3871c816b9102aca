/** The way to the server, for every view: the client, what happens there, and the project that is looked at. */
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import { type Client, handrailClient } from '../../../src/client/index.ts';
import { CallStream } from './call-stream.ts';
import { Feed } from './feed.ts';
import type { Resource } from './resource.ts';

export interface Server {
  readonly client: Client;
  /** Undefined where the page was opened without it. */
  readonly approvalKey: string | undefined;
  /** Whether the person may answer questions and take turns back here. */
  readonly mayAnswer: boolean;
  /** The id of the project that is looked at; undefined for the server's own workspace. */
  readonly project: string | undefined;
  readonly lookAt: (project: string | undefined) => void;
  readonly feed: Feed;
  readonly calls: CallStream;
  /** What was loaded of the project, by name. */
  readonly resources: Map<string, Resource<unknown>>;
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
  // Whatever project is looked at, the stream is of all of them.
  const feed = useMemo(() => new Feed(handrailClient({ approvalKey })), [approvalKey]);
  const calls = useMemo(() => new CallStream(feed), [feed]);
  useEffect(() => feed.follow(), [feed]);
  const server = useMemo(
    () => ({
      client: handrailClient({ approvalKey, project }),
      approvalKey,
      mayAnswer: approvalKey !== undefined,
      project,
      lookAt,
      feed,
      calls,
      resources: new Map<string, Resource<unknown>>(),
    }),
    [approvalKey, project, feed, calls],
  );
  return <ServerContext value={server}>{children}</ServerContext>;
}

/** The server that the console talks to. */
export function useServer(): Server {
  const server = use(ServerContext);
  if (server === undefined) throw new Error('There is no ServerProvider around this.');
  return server;
}
