/** One tool: what it is for, what it takes and gives, and a form to try it. */
import type { ReactNode } from 'react';
import { Pane } from '../../panes/panes.tsx';
import { Facts } from '../../parts/facts.tsx';
import { ReadOnly } from '../../questions/read-only.tsx';
import { useServer } from '../../server/server.tsx';
import { visibleJson } from '../../text/escapes.ts';
import { TextBox } from '../../text/shown-text.tsx';
import type { Tool } from './tools-view.tsx';
import { TryTool } from './try-tool.tsx';

export function ToolPane({ tool, dialect }: { readonly tool: Tool; readonly dialect: string }): ReactNode {
  const { mayAnswer } = useServer();
  const { name, version, description, operation, required_permissions, side_effects, needsApproval } = tool;
  return (
    <Pane of={name} label={`The tool ${name}`}>
      <h2 className="tool-name">{name}</h2>
      <p className="tool-description">{description}</p>
      <Facts
        facts={[
          ['Version', [version]],
          ['Operation', [operation]],
          ['Permissions', required_permissions],
          ['Effects', side_effects],
          ['Asks', [needsApproval ? 'for an ordinary call' : 'not for an ordinary call']],
        ]}
      />
      <h3>Try it</h3>
      {mayAnswer ? <TryTool tool={tool} dialect={dialect} /> : <ReadOnly />}
      <h3>Arguments</h3>
      <TextBox text={visibleJson(tool.args_schema)} label="The schema of its arguments" />
      <h3>Result</h3>
      <TextBox text={visibleJson(tool.return_schema)} label="The schema of its result" />
    </Pane>
  );
}
