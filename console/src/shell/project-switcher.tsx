/** Which project is looked at. */
import type { ReactNode } from 'react';
import { useServer } from '../server/server.tsx';
import { ShownText } from '../text/shown-text.tsx';

export function ProjectSwitcher(): ReactNode {
  const { project } = useServer();
  return (
    <p className="project">
      <ShownText text={project ?? 'this workspace'} />
    </p>
  );
}
