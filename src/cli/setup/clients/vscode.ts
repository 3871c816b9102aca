/** VS Code. */
import { type Client, CONFIG, serverAt, stdio } from '../client.ts';

const REMARKS = [
  "Not switched off: the file and terminal tools of VS Code's agent, which has no setting for it; they work past " +
    "Handrail. Take them out under Configure Tools, or use a custom agent with tools: ['handrail/*'].",
  'VS Code asks whether it may start the server, and about its tools; there you can allow all of them for good.',
];

export const vscode: Client = {
  title: 'VS Code',
  programs: ['code'],
  trace: { folder: CONFIG, name: 'Code' },
  workspace: (server) => ({
    files: [{ names: ['.vscode/mcp.json'], changes: [serverAt('servers', stdio(server))] }],
    remarks: REMARKS,
  }),
  user: (server) => ({
    files: [{ folder: CONFIG, names: ['Code/User/mcp.json'], changes: [serverAt('servers', stdio(server))] }],
    remarks: REMARKS,
  }),
};
