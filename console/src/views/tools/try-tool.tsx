/** A form to try a tool: what would be decided first, then the call itself, which is asked about like any other. */
import { type FormEvent, type ReactNode, useId, useMemo, useState } from 'react';
import type { OutputOf } from '../../../../src/client/index.ts';
import { Answer } from '../../calls/answer.tsx';
import { Badge, OutcomeBadge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Trouble } from '../../parts/empty-state.tsx';
import { useServer } from '../../server/server.tsx';
import { Explained } from '../policy/explained.tsx';
import { argumentsOf, type Field, fieldsOf } from './fields.ts';
import type { Tool } from './tools-view.tsx';

type Answered =
  | { readonly kind: 'explained'; readonly explained: OutputOf<'explainCall'> }
  | { readonly kind: 'called'; readonly called: OutputOf<'makeCall'> };

export function TryTool({ tool, dialect }: { readonly tool: Tool; readonly dialect: string }): ReactNode {
  const { client } = useServer();
  const fields = useMemo(() => fieldsOf(tool.args_schema), [tool]);
  const [written, setWritten] = useState<Readonly<Record<string, string>>>({});
  const [answer, setAnswer] = useState<Answered>();
  const [failure, setFailure] = useState<Error>();
  const [isBusy, setIsBusy] = useState(false);
  const ask = async (work: (args: Record<string, unknown>) => Promise<Answered>): Promise<void> => {
    setIsBusy(true);
    setFailure(undefined);
    try {
      setAnswer(await work(argumentsOf(fields, written)));
    } catch (error) {
      setAnswer(undefined);
      setFailure(error as Error);
    } finally {
      setIsBusy(false);
    }
  };
  const call = { tool: tool.name, dialect };
  const explain = (): void =>
    void ask(async (args) => ({ kind: 'explained', explained: await client.explainCall({ ...call, args }) }));
  const run = (event: FormEvent): void => {
    event.preventDefault();
    // A session a try and dialect: nothing that is granted here reaches an agent.
    const session = `console-${dialect}`;
    void ask(async (args) => ({ kind: 'called', called: await client.makeCall({ ...call, session, args }) }));
  };
  return (
    <>
      <form className="try-tool" onSubmit={run}>
        {fields.map((field) => (
          <FieldRow
            key={field.name}
            field={field}
            value={written[field.name] ?? ''}
            onWrite={(value) => setWritten({ ...written, [field.name]: value })}
          />
        ))}
        <p className="try-actions">
          <Button onClick={explain} disabled={isBusy}>
            What would be decided
          </Button>
          <Button type="submit" kind="main" disabled={isBusy}>
            Call it
          </Button>
          <span role="status" className="faint">
            {isBusy ? 'It waits, or runs. Questions about it are under Approvals.' : ''}
          </span>
        </p>
      </form>
      {failure !== undefined && <Trouble failure={failure} />}
      {answer?.kind === 'explained' && <Explained explained={answer.explained} />}
      {answer?.kind === 'called' && <Called called={answer.called} />}
    </>
  );
}

function Called({
  called: { outcome, reply, effects },
}: {
  readonly called: OutputOf<'makeCall'>;
}): ReactNode {
  return (
    <section aria-label="How it ended">
      <p>
        <OutcomeBadge outcome={outcome} />{' '}
        {effects.map(({ path, change, reversible }) => (
          <Badge key={path} tone={reversible ? 'plain' : 'warn'}>
            {`${change} ${path}${reversible ? '' : ', for good'}`}
          </Badge>
        ))}
      </p>
      <Answer value={reply} />
    </section>
  );
}

/** A longer text is scrolled. */
const MAX_ROWS = 12;

function FieldRow({
  field: { name, kind, choices, isNeeded, description },
  value,
  onWrite,
}: {
  readonly field: Field;
  readonly value: string;
  readonly onWrite: (value: string) => void;
}): ReactNode {
  const id = useId();
  const options = kind === 'yes-no' ? ['true', 'false'] : choices;
  const common = { id, value, required: isNeeded && kind !== 'text' };
  return (
    <div className="field">
      <label htmlFor={id}>
        <code>{name}</code>
        {isNeeded && <span className="faint"> needed</span>}
      </label>
      {options.length > 0 ? (
        <select {...common} onChange={({ target }) => onWrite(target.value)}>
          <option value="" />
          {options.map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </select>
      ) : (
        <textarea
          {...common}
          className="mono"
          rows={Math.min(MAX_ROWS, Math.max(kind === 'json' ? 3 : 1, value.split('\n').length))}
          placeholder={kind === 'json' ? 'JSON' : ''}
          onChange={({ target }) => onWrite(target.value)}
        />
      )}
      {description !== '' && <p className="faint">{description}</p>}
    </div>
  );
}
