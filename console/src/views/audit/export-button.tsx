/** The whole audit as a file, a record a line. */
import { type ReactNode, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Trouble } from '../../parts/empty-state.tsx';
import { useServer } from '../../server/server.tsx';

export function ExportButton(): ReactNode {
  const { client } = useServer();
  const [count, setCount] = useState<number>();
  const [failure, setFailure] = useState<Error>();
  const save = async (): Promise<void> => {
    setFailure(undefined);
    setCount(0);
    const lines: string[] = [];
    try {
      for await (const line of client.exportAudit()) {
        lines.push(`${JSON.stringify(line)}\n`);
        if (lines.length % 1_000 === 0) setCount(lines.length);
      }
      download(new Blob(lines, { type: 'application/x-ndjson' }), 'handrail-audit.ndjson');
    } catch (error) {
      setFailure(error as Error);
    }
    setCount(undefined);
  };
  return (
    <>
      <Button disabled={count !== undefined} onClick={() => void save()}>
        {count === undefined ? 'Export' : `${count.toLocaleString()} lines …`}
      </Button>
      {failure !== undefined && <Trouble failure={failure} />}
    </>
  );
}

function download(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
