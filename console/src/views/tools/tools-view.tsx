/** The catalogue of tools. */
import { type ReactNode, useEffect, useState } from 'react';
import { useServer } from '../../server/server.tsx';

export function ToolsView(): ReactNode {
  const { client } = useServer();
  const [names, setNames] = useState<readonly string[]>([]);
  useEffect(() => {
    void client.listTools().then(({ tools }) => setNames(tools.map(({ name }) => name)));
  }, [client]);
  return (
    <ul>
      {names.map((name) => (
        <li key={name}>{name}</li>
      ))}
    </ul>
  );
}
