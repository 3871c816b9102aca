/** The status page: what this Handrail is, and what was called last. Everything shown is escaped by the template. */
import { html } from 'hono/html';
import type { AuditCalls } from '../../store/tables.ts';

export interface Status {
  readonly version: string;
  readonly workspace: string;
  readonly containment: string;
  readonly dialects: readonly { readonly name: string; readonly tools: number }[];
  readonly calls: readonly AuditCalls[];
}

/** The page. */
export function statusPage({ version, workspace, containment, dialects, calls }: Status): unknown {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Handrail</title>
        <link rel="stylesheet" href="/style.css" />
      </head>
      <body>
        <h1>Handrail <small>${version}</small></h1>
        <dl>
          <dt>Workspace</dt>
          <dd>${workspace}</dd>
          <dt>Files contained by</dt>
          <dd>${containment}</dd>
          <dt>Dialects</dt>
          <dd>${dialects.map(({ name, tools }) => `${name} (${tools} tools)`).join(', ')}</dd>
        </dl>
        <h2>Last calls</h2>
        ${
          calls.length === 0
            ? html`<p>
                None yet. Try <code>handrail call list</code> in the workspace, then load this page again.
              </p>`
            : callTable(calls)
        }
      </body>
    </html>`;
}

function callTable(calls: readonly AuditCalls[]): unknown {
  return html`<div class="scroll">
    <table>
      <thead>
        <tr>
          <th>Time</th>
          <th>Tool</th>
          <th>Outcome</th>
          <th>Decision</th>
          <th>ms</th>
        </tr>
      </thead>
      <tbody>
        ${calls.map(
          (call) =>
            html`<tr>
              <td><time>${new Date(call.at).toISOString().slice(0, 19).replace('T', ' ')}</time></td>
              <td>${call.dialect}:${call.name}</td>
              <td class="${call.outcome ?? 'running'}">${call.error_code ?? call.outcome ?? 'running'}</td>
              <td>${call.decision ?? ''} <small>${call.rule ?? ''}</small></td>
              <td>${call.duration_ms?.toFixed(1) ?? ''}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

export const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 small, td small { opacity: .6; font-weight: normal; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; }
dt { opacity: .7; } dd { margin: 0; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .3rem .6rem; }
tr { border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
td:last-child, th:last-child { text-align: right; font-variant-numeric: tabular-nums; }
.ok { color: light-dark(#1a7f37, #57d37c); } .failed { color: light-dark(#9a6700, #e0b050); }
.denied, .interrupted { color: light-dark(#cf222e, #ff7b72); }
`;
