/** The frame around the views: the navigation, and the one that is looked at. */
import { type ReactNode, Suspense } from 'react';
import { useAddress } from './shell/address.ts';
import { VIEWS } from './views/index.ts';

export function App(): ReactNode {
  const { view } = useAddress();
  const current = VIEWS.find(({ path }) => path === view) ?? VIEWS[0]!;
  const View = current.component;
  return (
    <div className="console">
      <nav aria-label="Views">
        <ul>
          {VIEWS.map(({ path, title }) => (
            <li key={path}>
              <a href={`#/${path}`} aria-current={path === current.path ? 'page' : undefined}>
                {title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <main>
        <h1>{current.title}</h1>
        <Suspense fallback={<p>Loading …</p>}>
          <View />
        </Suspense>
      </main>
    </div>
  );
}
