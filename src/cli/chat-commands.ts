/** `handrail chat` and its options. */
import { type Command, Option } from 'commander';
import { modeOption, projectOption, workspaceOption } from './options.ts';
import { readSurroundings } from './surroundings.ts';

export function addChat(program: Command, setExitCode: (code: number) => void): void {
  program
    .command('chat')
    .description('talk to the agent in this terminal; -p for one answer')
    .option('-p, --prompt <text>', 'answer this and leave; what is piped in goes with it')
    .addOption(
      new Option('--output <format>', 'with -p: what is printed')
        .choices(['text', 'json', 'stream-json'])
        .default('text'),
    )
    .option('--continue', 'go on with the last conversation of the workspace')
    .option('--session <id>', 'go on with this one')
    .option('--sessions', 'list the conversations of the workspace')
    .option('--model <name>', 'the model, as provider/model (default: HANDRAIL_MODEL, or the settings)')
    .option('--agent <name>', 'the agent: build, plan or one of the settings')
    .option('--yes', 'with -p: answer its questions with yes, each once; never overrides a deny')
    .option('--live', 'only watch: the calls of every session of the workspace, as they come')
    .option('--demo', 'see a recorded session replayed on a temporary project; needs no model')
    .addOption(workspaceOption())
    .addOption(projectOption())
    .addOption(modeOption())
    .addHelpText(
      'after',
      '\nA model: ANTHROPIC_API_KEY, OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own; with HANDRAIL_MODEL.\nExit codes of -p: 0 done, 1 failed, 2 wrong usage or no model, 3 done, but something it wanted was denied.\nExample: git diff | handrail chat -p "Write a commit message" --output json',
    )
    .action(async (options) => {
      const { chat } = await import('./chat/chat.ts');
      setExitCode(await chat(options, readSurroundings()));
    });
}
