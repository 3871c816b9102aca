/** Lets the person be told of questions while the page is hidden. */
import type { ReactNode } from 'react';
import { Button } from '../../parts/button.tsx';
import { useNotifications } from '../../questions/notifications.ts';

export function NotificationSwitch(): ReactNode {
  const { permission, ask } = useNotifications();
  if (permission === undefined) return null;
  return (
    <div className="notification-switch">
      {permission === 'default' ? (
        <Button kind="quiet" onClick={ask}>
          Tell me on the desktop
        </Button>
      ) : (
        <span className="faint">
          {permission === 'granted'
            ? 'You are told on the desktop while this page is hidden.'
            : 'The browser does not allow notifications of this page.'}
        </span>
      )}
    </div>
  );
}
