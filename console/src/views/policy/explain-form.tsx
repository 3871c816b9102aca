/** Asks what would be decided about a call that nobody makes. */
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import type { OutputOf } from '../../../../src/client/index.ts';
import { Button } from '../../parts/button.tsx';
import { Trouble } from '../../parts/empty-state.tsx';
import { useServer } from '../../server/server.tsx';
import { useLive } from '../../server/use-live.ts';
import { Explained } from './explained.tsx';

export function ExplainForm({ dialect }: { readonly dialect: string }): ReactNode {
  const { client } = useServer();
  const id = useId();
  const [tool, setTool] = useState('');
  const [args, setArgs] = useState('{}');
  const [explained, setExplained] = useState<OutputOf<'explainCall'>>();
  const [failure, setFailure] = useState<Error>();
  const { value } = useLive(
    `tools ${dialect}`,
    (from, signal) => from.listTools({ dialect }, { signal }),
    [],
  );
  const explain = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setFailure(undefined);
    setExplained(undefined);
    try {
      const given = JSON.parse(args) as Record<string, unknown>;
      setExplained(await client.explainCall({ tool, args: given, dialect }));
    } catch (error) {
      setFailure(error instanceof SyntaxError ? new Error('The arguments are not JSON.') : (error as Error));
    }
  };
  return (
    <>
      <form className="explain-form" onSubmit={(event) => void explain(event)}>
        <label htmlFor={`${id}-tool`}>Tool</label>
        <input
          id={`${id}-tool`}
          type="text"
          className="mono"
          list={`${id}-tools`}
          required
          value={tool}
          onChange={({ target }) => setTool(target.value)}
        />
        <datalist id={`${id}-tools`}>
          {value?.tools.map(({ name }) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <label htmlFor={`${id}-args`}>Arguments</label>
        <textarea
          id={`${id}-args`}
          className="mono"
          rows={3}
          value={args}
          onChange={({ target }) => setArgs(target.value)}
        />
        <Button type="submit">Explain</Button>
      </form>
      {failure !== undefined && <Trouble failure={failure} />}
      {explained !== undefined && <Explained explained={explained} />}
    </>
  );
}
