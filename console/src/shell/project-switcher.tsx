/** Which project is looked at: the server's own workspace, or a registered one. */
import type { ReactNode } from 'react';
import { Choice } from '../parts/choice.tsx';
import { useServer } from '../server/server.tsx';
import { useProjects } from '../server/use-projects.ts';

export function ProjectSwitcher(): ReactNode {
  const { project, lookAt } = useServer();
  const { value } = useProjects();
  return (
    <div className="project">
      <Choice
        label="Project"
        value={project ?? ''}
        options={[
          ['', 'this workspace'],
          ...(value?.projects ?? []).map(({ id, name }) => [id, name] as const),
        ]}
        onChoose={(id) => lookAt(id === '' ? undefined : id)}
      />
    </div>
  );
}
