/** The page as it is sent: its frame, and the one line that starts its script. All else comes as data, and is shown as text. */
import { html } from 'hono/html';
import { START } from './scripts.ts';

export interface Shell {
  readonly version: string;
  readonly workspace: string;
  /** Without it no script and no style runs. */
  readonly nonce: string;
}

/** The page; everything shown is escaped by the template. */
export function pageShell({ version, workspace, nonce }: Shell): string {
  // Nothing in it is waited for, so it is a text already.
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Handrail</title>
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/style.css" nonce="${nonce}" />
      </head>
      <body>
        <header>
          <h1>Handrail <small>${version}</small></h1>
          <p class="workspace" title="The workspace of this server">${workspace}</p>
          <p class="connection" id="connection" role="status">connecting</p>
        </header>
        <main>
          <p class="banner" id="banner" role="alert" hidden></p>
          <section class="questions" aria-labelledby="questions-title">
            <h2 id="questions-title">Waiting for you <span class="count" id="question-count"></span></h2>
            <div id="questions"></div>
            <p class="empty" id="no-questions">No call waits for an answer.</p>
          </section>
          <section class="messages" aria-labelledby="messages-title">
            <h2 id="messages-title">Messages</h2>
            <div id="messages"></div>
            <p class="empty" id="no-messages">No agent has shown anything in this workspace today.</p>
          </section>
          <section aria-labelledby="calls-title">
            <h2 id="calls-title">Calls</h2>
            <table>
              <thead>
                <tr>
                  <th scope="col">Time</th>
                  <th scope="col">Tool</th>
                  <th scope="col">Outcome</th>
                  <th scope="col" class="wide">Decision</th>
                  <th scope="col" class="number">ms</th>
                </tr>
              </thead>
              <tbody id="calls"></tbody>
            </table>
            <p class="empty" id="no-calls">
              None in this workspace yet. Try <code>handrail call list</code> in it.
            </p>
          </section>
          <section aria-labelledby="turns-title">
            <h2 id="turns-title">Turns</h2>
            <p class="notice" id="turn-notice" role="status" hidden></p>
            <div id="turns"></div>
            <p class="empty" id="no-turns">Nothing was changed in this workspace yet.</p>
          </section>
        </main>
        <script type="module" nonce="${nonce}">
          import { start } from '${START}';
          start();
        </script>
      </body>
    </html>` as string;
}
