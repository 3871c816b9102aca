/** The frame around the views: the navigation, the state of the server, and the view that is looked at. */
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { listenForKeys, useKeys } from './keys/keys.ts';
import { Button } from './parts/button.tsx';
import { goTo, useAddress } from './shell/address.ts';
import { ConnectionBadge, ConnectionBanner } from './shell/connection.tsx';
import { KeyList } from './shell/key-list.tsx';
import { Navigation } from './shell/navigation.tsx';
import { ProjectSwitcher } from './shell/project-switcher.tsx';
import { ThemeButton } from './shell/theme.tsx';
import { ViewToolsPlace } from './shell/view-tools.tsx';
import { Trouble } from './parts/empty-state.tsx';
import { FailureBoundary } from './shell/failure-boundary.tsx';
import { VIEWS } from './views/index.ts';
import './shell/shell.css';

export function App(): ReactNode {
  const { view } = useAddress();
  const current = VIEWS.find(({ path }) => path === view) ?? VIEWS[0]!;
  const counts = useCounts();
  const [isListed, setIsListed] = useState(false);
  useEffect(listenForKeys, []);
  useKeys('Views', [
    ...VIEWS.map(({ path, title, key }) => ({
      key: `g ${key}`,
      does: title,
      run: () => goTo(path),
    })),
    { key: '?', does: 'These keys', run: () => setIsListed(true) },
  ]);
  const title = useFocus(current.path);
  const View = current.component;
  return (
    <div className="console">
      <a className="skip" href="#main" onClick={skipTo(title)}>
        Skip to {current.title}
      </a>
      <header className="frame">
        <p className="brand">
          <img src="/icon.svg" alt="" width="20" height="20" /> Handrail
        </p>
        <ProjectSwitcher />
        <Navigation current={current} counts={counts} />
        <div className="frame-end">
          <ConnectionBadge />
          <ThemeButton />
          <Button kind="quiet" className="keys-button" onClick={() => setIsListed(true)}>
            keys <kbd>?</kbd>
          </Button>
        </div>
      </header>
      <main id="main">
        <ConnectionBanner />
        <div className="view-head">
          <h1 ref={title} tabIndex={-1}>
            {current.title}
          </h1>
          <ViewToolsPlace />
        </div>
        <div className="view" data-view={current.path}>
          <FailureBoundary key={current.path} fallback={(failure) => <Trouble failure={failure} />}>
            <Suspense fallback={<p className="faint view-loading">Loading …</p>}>
              <View />
            </Suspense>
          </FailureBoundary>
        </div>
      </main>
      {isListed && <KeyList onClose={() => setIsListed(false)} />}
    </div>
  );
}

/** What waits for the person, by the path of its view; all of it is in the title of the page. */
function useCounts(): Readonly<Record<string, number>> {
  // The views are always the same, and so are their hooks.
  const counts = Object.fromEntries(VIEWS.map(({ path, useCount }) => [path, useCount?.() ?? 0]));
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  useEffect(() => {
    document.title = total === 0 ? 'Handrail' : `(${total}) Handrail`;
  }, [total]);
  return counts;
}

/** Who goes to another view goes on from its title. */
function useFocus(view: string): React.RefObject<HTMLHeadingElement | null> {
  const title = useRef<HTMLHeadingElement>(null);
  const shown = useRef(view);
  useEffect(() => {
    if (shown.current === view) return;
    shown.current = view;
    title.current?.focus();
  }, [view]);
  return title;
}

/** The address says what is looked at, so a link within the page can't use it. */
function skipTo(title: React.RefObject<HTMLHeadingElement | null>): (event: React.MouseEvent) => void {
  return (event) => {
    event.preventDefault();
    title.current?.focus();
  };
}
