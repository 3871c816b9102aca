/** What the command line offers: commands, arguments, options. Each command's work is loaded only when it is called. */
import { Command } from 'commander';
import { addChat } from './chat-commands.ts';
import { addFirstSteps } from './first-steps-commands.ts';
import { addKnowledge } from './knowledge-commands.ts';
import { dialectOption, jsonOption, modeOption, projectOption, workspaceOption } from './options.ts';
import { addProcesses } from './process-commands.ts';
import { addProjects } from './project-commands.ts';
import { readSurroundings } from './surroundings.ts';
import { ownVersion } from './version.ts';

/** The whole command line; `setExitCode` hears how a command ended. */
export function describeCommands(setExitCode: (code: number) => void): Command {
  const program = new Command('handrail')
    .description(
      'The tool runtime for coding agents: every tool behind one policy, one sandbox, one audit log and one undo.',
    )
    .version(ownVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .configureHelp({ showGlobalOptions: true })
    .showSuggestionAfterError(true)
    .showHelpAfterError('`handrail --help` lists the commands, `handrail COMMAND --help` what each takes.')
    .exitOverride()
    .hook('preAction', async (_program, command) => {
      const { project } = command.opts<{ project?: string }>();
      if (project === undefined) return;
      const { chooseProject } = await import('./choose-project.ts');
      await chooseProject(command, project, readSurroundings());
    });
  addChat(program, setExitCode);
  addCall(program, setExitCode);
  addTools(program);
  addAudit(program, setExitCode);
  addUndo(program, setExitCode);
  addProcesses(program, setExitCode);
  addKnowledge(program, setExitCode);
  addApprovals(program, setExitCode);
  addPolicy(program);
  addFirstSteps(program, setExitCode);
  addProjects(program);
  addMcp(program);
  addServe(program);
  program.addHelpText(
    'after',
    '\nTry: handrail chat · handrail chat --demo · handrail tools · handrail call read \'{"path":"README.md"}\' · handrail audit list',
  );
  return program;
}

function addCall(program: Command, setExitCode: (code: number) => void): void {
  program
    .command('call')
    .description('call one tool; prints the reply of the dialect as JSON')
    .argument('<tool>', 'the tool, or - for a whole ToolCallRequest on stdin')
    .argument('[json]', 'its arguments as a JSON object, or - to read them from stdin', '{}')
    .addOption(dialectOption())
    .addOption(workspaceOption())
    .addOption(projectOption())
    .addOption(modeOption())
    .option('--yes', "answer this call's question with yes, once; never overrides a deny")
    .option('--dry-run', 'say what the call would change and whether it may; change nothing')
    .option('--wait', 'wait for an answer from another terminal (`handrail approvals`)')
    .option('--session <id>', 'the session the call belongs to')
    .addHelpText(
      'after',
      '\nExit codes: 0 ok, 1 failed, 2 wrong usage, 3 denied.\nExample: handrail call write \'{"path":"notes.txt","content":"hello\\n"}\' --yes',
    )
    .action(async (tool: string, json: string, options) => {
      const { call } = await import('./call.ts');
      setExitCode(await call({ tool, json, ...options }, readSurroundings()));
    });
}

function addTools(program: Command): void {
  program
    .command('tools')
    .description('list the tools of a dialect')
    .addOption(dialectOption())
    .addOption(modeOption())
    .addOption(jsonOption())
    .action(async (options) => {
      const { tools } = await import('./tools.ts');
      await tools(options, readSurroundings());
    });
}

function addAudit(program: Command, setExitCode: (code: number) => void): void {
  const audit = program.command('audit').description('the record of every call');
  audit
    .command('list', { isDefault: true })
    .description('the newest calls of the workspace')
    .addOption(workspaceOption())
    .addOption(projectOption())
    .option('--all', 'of every workspace')
    .option('--limit <n>', 'how many', '20')
    .addOption(jsonOption())
    .action(async (options) => {
      const { auditList } = await import('./audit.ts');
      await auditList(options, readSurroundings());
    });
  audit
    .command('show')
    .description('all lines of one call')
    .argument('<call>', 'its id, as `audit list` prints it')
    .action(async (id: string) => {
      const { auditShow } = await import('./audit.ts');
      setExitCode(await auditShow(id, readSurroundings()));
    });
  audit
    .command('verify')
    .description('check every hash chain from its first line to its anchor')
    .addOption(jsonOption())
    .action(async (options) => {
      const { auditVerify } = await import('./audit.ts');
      setExitCode(await auditVerify(options, readSurroundings()));
    });
}

function addUndo(program: Command, setExitCode: (code: number) => void): void {
  program
    .command('turns')
    .description('what was changed in the workspace, turn by turn')
    .addOption(workspaceOption())
    .addOption(projectOption())
    .option('--limit <n>', 'how many', '20')
    .addOption(jsonOption())
    .action(async (options) => {
      const { turns } = await import('./undo.ts');
      await turns(options, readSurroundings());
    });
  program
    .command('undo')
    .description('take back the last turn, or others; what changed since is left alone')
    .argument('[turn]', 'its id, as `turns` prints it; also of an undo')
    .addOption(workspaceOption())
    .addOption(projectOption())
    .option('--call <id>', 'one call')
    .option('--last <n>', 'the last n turns')
    .option('--since <time>', 'all turns of the last 30s, 10m, 2h, 1d')
    .option('--session <id>', 'all turns of a session')
    .option('--dry-run', 'only say what would be done')
    .addOption(jsonOption())
    .action(async (turn: string | undefined, options) => {
      const { undoTurns } = await import('./undo.ts');
      setExitCode(await undoTurns({ turn, ...options }, readSurroundings()));
    });
}

function addApprovals(program: Command, setExitCode: (code: number) => void): void {
  const approvals = program
    .command('approvals')
    .description('open questions, from every process on this machine');
  approvals
    .command('list', { isDefault: true })
    .description('the open questions')
    .addOption(jsonOption())
    .action(async (options) => {
      const { approvalsList } = await import('./approvals.ts');
      await approvalsList(options, readSurroundings());
    });
  approvals
    .command('show')
    .description('one open question, whole')
    .argument('<id>', 'its id, as `approvals list` prints it')
    .action(async (id: string) => {
      const { approvalsShow } = await import('./approvals.ts');
      setExitCode(await approvalsShow(id, readSurroundings()));
    });
  approvals
    .command('answer')
    .description('answer one')
    .argument('<id>', 'its id, as `approvals list` prints it')
    .argument(
      '[answer]',
      'once, session, always, deny or edit; a choice or a text; chunks such as 1,3-5, all or none',
    )
    .option('--reason <text>', 'with deny or --decline: what the agent reads')
    .option('--args <json>', 'with edit: the changed arguments')
    .option('--decline', 'give a question of the agent no answer')
    .option('--comment <text>', 'on a chunk, as in "2: why"; may be repeated', collected)
    .action(async (id: string, answer: string | undefined, options) => {
      const { approvalsAnswer } = await import('./approvals.ts');
      setExitCode(await approvalsAnswer({ id, answer, ...options }, readSurroundings()));
    });
  approvals
    .command('watch')
    .description('show questions as they come, and answer them')
    .action(async () => {
      const { approvalsWatch } = await import('./approvals.ts');
      await approvalsWatch(readSurroundings());
    });
}

function collected(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

function addPolicy(program: Command): void {
  const policy = program.command('policy').description('why a call would be allowed, asked or denied');
  const withOptions = (command: Command): Command =>
    command
      .addOption(workspaceOption())
      .addOption(projectOption())
      .addOption(dialectOption())
      .addOption(modeOption())
      .addOption(jsonOption());
  withOptions(policy.command('explain'))
    .description('the decision on a call, with its rule and layer')
    .argument('<tool>')
    .argument('[json]', 'its arguments', '{}')
    .action(async (tool: string, json: string, options) => {
      const { policyExplain } = await import('./policy.ts');
      await policyExplain(tool, json, options, readSurroundings());
    });
  withOptions(policy.command('test'))
    .description('load every layer and run the examples of its rules')
    .action(async (options) => {
      const { policyTest } = await import('./policy.ts');
      await policyTest(options, readSurroundings());
    });
  withOptions(policy.command('replay'))
    .description('decide the recorded history anew and print what would differ')
    .action(async (options) => {
      const { policyReplay } = await import('./policy.ts');
      await policyReplay(options, readSurroundings());
    });
}

function addMcp(program: Command): void {
  program
    .command('mcp')
    .description('serve a client over MCP on stdin and stdout')
    .addOption(dialectOption())
    .addOption(workspaceOption("the client's, else the current folder"))
    .addOption(projectOption())
    .addOption(modeOption('reversible'))
    .action(async (options) => {
      const { mcp } = await import('./mcp.ts');
      await mcp(options, readSurroundings());
    });
}

function addServe(program: Command): void {
  program
    .command('serve')
    .description('serve the web console, the API, and MCP at /mcp; on loopback')
    .addOption(workspaceOption())
    .addOption(projectOption())
    .addOption(dialectOption())
    .addOption(modeOption('reversible'))
    .option('--port <n>', 'the port (default: 4870, or a free one where that is taken)')
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .addHelpText(
      'after',
      '\nAgents send the token with every request, as Authorization: Bearer. It is a new one at each start,\nor what HANDRAIL_TOKEN says. It does not let them answer questions.',
    )
    .action(async (options) => {
      const { serve } = await import('./serve.ts');
      await serve(options, readSurroundings());
    });
}
