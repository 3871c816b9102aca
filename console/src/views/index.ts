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
    path: 'live',
    title: 'Live',
    key: 'l',
    icon: 'live',
    component: late(async () => (await import('./live/live-view.tsx')).LiveView),
  },
  {
    path: 'tools',
    title: 'Tools',
    key: 't',
    icon: 'tools',
    component: late(async () => (await import('./tools/tools-view.tsx')).ToolsView),
  },
  {
    path: 'audit',
    title: 'Audit',
    key: 'u',
    icon: 'audit',
    component: late(async () => (await import('./audit/audit-view.tsx')).AuditView),
  },
];

function late(load: () => Promise<ComponentType>): ComponentType {
  return lazy(async () => ({ default: await load() }));
}
