/** Every view of the console, in the order of the navigation. A view is its own chunk, loaded when it is looked at. */
import { type ComponentType, lazy } from 'react';
import type { IconName } from '../parts/icon.tsx';

export interface View {
  /** What stands behind `#/` in the address. */
  readonly path: string;
  readonly title: string;
  /** The key that leads to it, after `g`. */
  readonly key: string;
  readonly icon?: IconName;
  /** A hook: how many things in it wait for the person. They are in the navigation and in the title of the page. */
  readonly useCount?: () => number;
  readonly component: ComponentType;
}

export const VIEWS: readonly View[] = [
  {
    path: 'tools',
    title: 'Tools',
    key: 't',
    icon: 'tools',
    component: late(async () => (await import('./tools/tools-view.tsx')).ToolsView),
  },
];

function late(load: () => Promise<ComponentType>): ComponentType {
  return lazy(async () => ({ default: await load() }));
}
