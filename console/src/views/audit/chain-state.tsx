/** Whether the record holds: every line of every chain, checked by the server. */
import { type ReactNode, useState } from 'react';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Trouble } from '../../parts/empty-state.tsx';
import { useLive } from '../../server/use-live.ts';

export function ChainState(): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  // Every line is read for it, so it is not done again with every call.
  const { value, failure, reload } = useLive(
    'chain',
    (client, signal) => client.verifyAudit({}, { signal }),
    [],
  );
  if (failure !== undefined) return <Trouble failure={failure} />;
  if (value === undefined) return <Badge tone="busy">checking the chain</Badge>;
  const { holds, chains } = value;
  const total = chains.reduce((sum, { lines }) => sum + lines, 0);
  return (
    <>
      <Button kind="quiet" onClick={() => setIsOpen(true)}>
        <Badge tone={holds ? 'good' : 'bad'}>
          {holds ? 'The chain holds' : 'The chain does not hold'}, {total.toLocaleString()} lines
        </Badge>
      </Button>
      {isOpen && (
        <Dialog
          title="The chains of the audit"
          onClose={() => setIsOpen(false)}
          actions={<Button onClick={reload}>Check again</Button>}
        >
          <table className="data-table">
            <thead>
              <tr>
                <th scope="col">Chain</th>
                <th scope="col">State</th>
                <th scope="col" className="number">
                  Lines that hold
                </th>
              </tr>
            </thead>
            <tbody>
              {chains.map(({ chain, state, lines, problem }) => (
                <tr key={chain}>
                  <td className="mono">{chain}</td>
                  <td>
                    <Badge tone={state === 'fine' ? 'good' : 'bad'}>{state}</Badge>
                    {problem !== undefined && ` Line ${problem.line}: ${problem.what}`}
                  </td>
                  <td className="number">{lines.toLocaleString()}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Dialog>
      )}
    </>
  );
}
