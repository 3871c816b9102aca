/** One process: what it is, what it prints as it prints it, a line to type into it, and its end. */
import { type FormEvent, type ReactNode, useMemo, useState } from 'react';
import { useKeys } from '../../keys/keys.ts';
import { Pane } from '../../panes/panes.tsx';
import { Button } from '../../parts/button.tsx';
import { Trouble } from '../../parts/empty-state.tsx';
import { Facts } from '../../parts/facts.tsx';
import { duration, Time } from '../../parts/time.tsx';
import { useServer } from '../../server/server.tsx';
import { useAct } from '../../server/use-act.ts';
import { TextBox } from '../../text/shown-text.tsx';
import { type Process, ProcessBadge } from './process-badge.tsx';
import { useOutput } from './use-output.ts';

export function ProcessPane({
  process,
  onChanged,
}: {
  readonly process: Process;
  readonly onChanged: () => void;
}): ReactNode {
  const { client } = useServer();
  const { id, command, workspace, directory, session, pid, tier, startedAt, isKept, ended } = process;
  const { text, isCut, failure } = useOutput(id, ended !== undefined);
  const shown = useMemo(() => withoutColours(text), [text]);
  const { act, trouble } = useAct(onChanged);
  const stop = (): void => act(client.stopProcess({ id }));
  useKeys('Process', ended === undefined ? [{ key: 'x', does: 'Stop the process', run: stop }] : []);
  return (
    <Pane
      of={id}
      label="The process"
      bar={
        ended === undefined && (
          <InputBar onSend={(line) => act(client.writeProcess({ id, text: `${line}\n` }))} onStop={stop} />
        )
      }
    >
      <header className="process-head">
        <h2>{process.name ?? id}</h2> <ProcessBadge process={process} />
      </header>
      <TextBox text={command} label="The command" />
      <Facts
        facts={[
          ['Workspace', [workspace]],
          ['Folder', [directory]],
          ['Session', [isKept ? `${session}; goes on without it` : session]],
          ['Started', <Time key="started" at={startedAt} />],
          ['Ran for', [ended === undefined ? undefined : duration(ended.at - startedAt)]],
          ['Process', [pid === undefined ? undefined : String(pid)]],
          ['Sandbox', [tier]],
          ['Reached', ended?.hosts ?? []],
        ]}
      />
      {[failure, trouble].map((one, index) => one !== undefined && <Trouble key={index} failure={one} />)}
      <h3>Output</h3>
      {isCut && <p className="faint">Only the newest of it is shown.</p>}
      <TextBox text={shown} label="What it prints" isFollowed />
    </Pane>
  );
}

/** Colours, and how terminals end lines: what a terminal would not show as text either. All else is shown as it is. */
const COLOURS = /\u001b\[[\d;:]*m|\r(?=\n)/g;

function withoutColours(text: string): string {
  return text.replaceAll(COLOURS, '');
}

/** Types a line, or ends the process. */
function InputBar({
  onSend,
  onStop,
}: {
  readonly onSend: (line: string) => void;
  readonly onStop: () => void;
}): ReactNode {
  const [line, setLine] = useState('');
  const send = (event: FormEvent): void => {
    event.preventDefault();
    onSend(line);
    setLine('');
  };
  return (
    <form className="input-bar" onSubmit={send}>
      <input
        type="text"
        className="mono"
        aria-label="A line to type into it"
        placeholder="A line to type into it"
        value={line}
        onChange={({ target }) => setLine(target.value)}
      />
      <Button type="submit">Send</Button>
      <Button kind="bad" shortcut="x" onClick={onStop}>
        Stop
      </Button>
    </form>
  );
}
