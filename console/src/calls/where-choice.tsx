/** Whose calls are listed: those of the project that is looked at, or of all. */
import { type ReactNode, useState } from 'react';
import { Choice } from '../parts/choice.tsx';
import { useServer } from '../server/server.tsx';
import { useProjects } from '../server/use-projects.ts';

export type Where = 'all' | 'own';

export interface WhereChosen {
  readonly where: Where;
  readonly choose: (where: Where) => void;
}

/** Who has chosen a project means its calls, and says so when they mean more; who has chosen none sees all. */
export function useWhere(): WhereChosen {
  const { project } = useServer();
  const [chosen, setChosen] = useState<{ readonly project: string | undefined; readonly where: Where }>();
  const usual = project === undefined ? 'all' : 'own';
  return {
    where: chosen !== undefined && chosen.project === project ? chosen.where : usual,
    choose: (where) => setChosen({ project, where }),
  };
}

export function WhereChoice({ where, choose }: WhereChosen): ReactNode {
  const { project } = useServer();
  const { value } = useProjects();
  const name = value?.projects.find(({ id }) => id === project)?.name ?? 'this workspace';
  return (
    <Choice
      label="Whose calls"
      value={where}
      onChoose={choose}
      options={[
        ['all', 'all projects'],
        ['own', `only ${name}`],
      ]}
    />
  );
}
