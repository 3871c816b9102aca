/** Handrail's server over a folder, for as many requests a second as it can answer: its clock flies, which lifts the limit. */
import { recordsOf } from '../src/cli/serve.ts';
import { createRuntime } from '../src/create-runtime.ts';
import { localClock } from '../src/host/local/clock.ts';
import { openState } from '../src/open-state.ts';
import { startServer } from '../src/transports/http/server.ts';

const [workspace = '', state = '', token = ''] = process.argv.slice(2);
const locations = { home: state, state, config: state };
let now = 0;
const clock = { ...localClock, monotonic: () => (now += 1_000) };
const runtime = await createRuntime({ workspace, locations, mode: 'auto' });
const { port } = await startServer({
  runtime,
  records: recordsOf(openState(locations), clock, locations),
  agentsOf: () => Promise.reject(new Error('There are no agents here.')),
  clock,
  version: '0.0.0',
  credentials: { token, approvalKey: `${token}-of-the-person` },
  host: '127.0.0.1',
  port: 0,
});
console.log(port);
