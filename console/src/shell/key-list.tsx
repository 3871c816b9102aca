/** All keys that count now. */
import type { ReactNode } from 'react';
import { keyGroups } from '../keys/keys.ts';
import { Dialog } from '../parts/dialog.tsx';

export function KeyList({ onClose }: { readonly onClose: () => void }): ReactNode {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <div className="key-groups">
        {keyGroups().map(({ title, keys }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {keys.map(({ key, does }) => (
                <div key={key}>
                  <dt>
                    {key.split(' ').map((part) => (
                      <kbd key={part}>{part}</kbd>
                    ))}
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
