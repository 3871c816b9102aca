/** Which recorded calls other settings would have decided otherwise. */
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import type { OutputOf } from '../../../../src/client/index.ts';
import { Button } from '../../parts/button.tsx';
import { Trouble } from '../../parts/empty-state.tsx';
import { useServer } from '../../server/server.tsx';
import { ShownText } from '../../text/shown-text.tsx';

const EXAMPLE = `{
  "rules": [
    // { "permission": "proc.exec", "command": "npm test", "action": "allow" }
  ]
}`;

export function Replay(): ReactNode {
  const { client } = useServer();
  const id = useId();
  const [settings, setSettings] = useState(EXAMPLE);
  const [replayed, setReplayed] = useState<OutputOf<'replayPolicy'>>();
  const [failure, setFailure] = useState<Error>();
  const [isBusy, setIsBusy] = useState(false);
  const replay = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setIsBusy(true);
    setFailure(undefined);
    try {
      setReplayed(await client.replayPolicy({ settings }));
    } catch (error) {
      setReplayed(undefined);
      setFailure(error as Error);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <>
      <form className="explain-form" onSubmit={(event) => void replay(event)}>
        <label htmlFor={id}>Your settings, as they could be</label>
        <textarea
          id={id}
          className="mono"
          rows={6}
          value={settings}
          onChange={({ target }) => setSettings(target.value)}
        />
        <Button type="submit" disabled={isBusy}>
          Replay the last 10,000 calls
        </Button>
      </form>
      {failure !== undefined && <Trouble failure={failure} />}
      {replayed !== undefined && <Differences replayed={replayed} />}
    </>
  );
}

function Differences({
  replayed: { calls, changed, differences },
}: {
  readonly replayed: OutputOf<'replayPolicy'>;
}): ReactNode {
  return (
    <>
      <p role="status">
        {calls.toLocaleString()} calls were decided anew; {changed.toLocaleString()} would be decided
        otherwise
        {differences.length < changed &&
          `, of which the first ${differences.length.toLocaleString()} are listed`}
        .
      </p>
      {differences.length > 0 && (
        <table className="differences">
          <thead>
            <tr>
              <th scope="col">Call</th>
              <th scope="col">Tool</th>
              <th scope="col">Was</th>
              <th scope="col">Would be</th>
              <th scope="col">By</th>
            </tr>
          </thead>
          <tbody>
            {differences.map((one) => (
              <tr key={one.call_id}>
                <td>
                  <a href={`#/audit/${one.call_id}`}>{one.call_id}</a>
                </td>
                <td>
                  <ShownText text={one.tool} />
                </td>
                <td>{one.before}</td>
                <td>{one.after}</td>
                <td>
                  <ShownText text={one.rule} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
