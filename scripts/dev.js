// `npm run dev`: the command line straight from src/, restarted by `node --watch` when a file changes.
import { main } from '../src/cli/main.ts';

process.exitCode = await main(process.argv.slice(2));
