/** The console: starts it in the page. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { takeApprovalKey } from './server/approval-key.ts';
import { ServerProvider } from './server/server.tsx';
import { applyTheme } from './shell/theme.tsx';
import './style.css';

applyTheme();
const approvalKey = takeApprovalKey();
createRoot(document.querySelector('#console')!).render(
  <StrictMode>
    <ServerProvider approvalKey={approvalKey}>
      <App />
    </ServerProvider>
  </StrictMode>,
);
