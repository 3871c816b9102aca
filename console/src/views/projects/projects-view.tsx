/** Projects: switch, add, forget; and what a project brings of its own, which counts once a person trusts it. */
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { EmptyState, Trouble } from '../../parts/empty-state.tsx';
import { useServer } from '../../server/server.tsx';
import { useAct } from '../../server/use-act.ts';
import { type Project, useProjects } from '../../server/use-projects.ts';
import { ShownText } from '../../text/shown-text.tsx';
import { TrustDialog } from './trust-dialog.tsx';
import './projects.css';

export function ProjectsView(): ReactNode {
  const { client, project: current, lookAt, mayAnswer } = useServer();
  const { value, failure, reload } = useProjects();
  const [trusting, setTrusting] = useState<{ readonly project: string | undefined }>();
  const { act, trouble } = useAct(reload);
  const forget = (id: string): void => {
    if (id === current) lookAt(undefined);
    act(client.removeProject({ id }));
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by key
    <div className="projects" tabIndex={0} role="group" aria-label="Projects">
      {[failure, trouble].map((one, index) => one !== undefined && <Trouble key={index} failure={one} />)}
      <ul className="project-list">
        <li>
          <div>
            <strong>This workspace</strong> <span className="faint">the server's own</span>
          </div>
          <ProjectActions
            isCurrent={current === undefined}
            onLook={() => lookAt(undefined)}
            onTrust={mayAnswer ? () => setTrusting({ project: undefined }) : undefined}
          />
        </li>
        {value?.projects.map((project) => (
          <li key={project.id}>
            <ProjectFacts project={project} />
            <ProjectActions
              isCurrent={current === project.id}
              onLook={() => lookAt(project.id)}
              onTrust={mayAnswer ? () => setTrusting({ project: project.id }) : undefined}
              onForget={mayAnswer ? () => forget(project.id) : undefined}
            />
          </li>
        ))}
      </ul>
      {value?.projects.length === 0 && (
        <EmptyState title="No project is registered">
          A registered folder can be looked at here, and agents of this server can work in it by its id.
        </EmptyState>
      )}
      {mayAnswer && <AddProject onAdd={(folder) => act(client.addProject({ folder }))} />}
      {trusting !== undefined && (
        <TrustDialog project={trusting.project} onClose={() => setTrusting(undefined)} onChanged={reload} />
      )}
    </div>
  );
}

function ProjectFacts({ project: { id, name, root, settings } }: { readonly project: Project }): ReactNode {
  return (
    <div>
      <strong>
        <ShownText text={name} />
      </strong>{' '}
      {id !== name && <code className="faint">{id}</code>}{' '}
      {settings !== 'none' && <Badge tone={settings === 'trusted' ? 'good' : 'warn'}>{settings}</Badge>}
      <br />
      <code>
        <ShownText text={root} />
      </code>
    </div>
  );
}

function ProjectActions({
  isCurrent,
  onLook,
  onTrust,
  onForget,
}: {
  readonly isCurrent: boolean;
  readonly onLook: () => void;
  readonly onTrust?: (() => void) | undefined;
  readonly onForget?: (() => void) | undefined;
}): ReactNode {
  return (
    <div className="project-actions">
      {isCurrent ? <Badge tone="good">looked at</Badge> : <Button onClick={onLook}>Look at it</Button>}
      {onTrust !== undefined && <Button onClick={onTrust}>Trust…</Button>}
      {onForget !== undefined && (
        <Button kind="quiet" onClick={onForget}>
          Forget
        </Button>
      )}
    </div>
  );
}

function AddProject({ onAdd }: { readonly onAdd: (folder: string) => void }): ReactNode {
  const [folder, setFolder] = useState('');
  const id = useId();
  const add = (event: FormEvent): void => {
    event.preventDefault();
    onAdd(folder);
    setFolder('');
  };
  return (
    <form className="add-project" onSubmit={add}>
      <label htmlFor={id}>Add a folder of this machine</label>
      <div className="input-bar">
        <input
          id={id}
          type="text"
          className="mono"
          placeholder="/home/you/project"
          required
          value={folder}
          onChange={({ target }) => setFolder(target.value)}
        />
        <Button type="submit">Add</Button>
      </div>
    </form>
  );
}
