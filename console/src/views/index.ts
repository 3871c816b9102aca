/** Every view of the console, in the order of the navigation. A view is its own chunk, loaded when it is looked at. */
import { type ComponentType, lazy } from 'react';
import type { IconName } from '../parts/icon.tsx';
import { useWaiting } from '../questions/use-waiting.ts';

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
    path: 'approvals',
    title: 'Approvals',
    key: 'a',
    icon: 'approvals',
    useCount: useWaiting,
    component: late(async () => (await import('./approvals/approvals-view.tsx')).ApprovalsView),
  },
  {
    path: 'review',
    title: 'Review',
    key: 'r',
    icon: 'review',
    component: late(async () => (await import('./review/review-view.tsx')).ReviewView),
  },
  {
    path: 'changes',
    title: 'Changes',
    key: 'c',
    icon: 'changes',
    component: late(async () => (await import('./changes/changes-view.tsx')).ChangesView),
  },
  {
    path: 'processes',
    title: 'Processes',
    key: 'p',
    icon: 'processes',
    component: late(async () => (await import('./processes/processes-view.tsx')).ProcessesView),
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
  {
    path: 'policy',
    title: 'Policy',
    key: 'o',
    icon: 'policy',
    component: late(async () => (await import('./policy/policy-view.tsx')).PolicyView),
  },
  {
    path: 'chat',
    title: 'Chat',
    key: 'h',
    icon: 'chat',
    component: late(async () => (await import('./chat/chat-view.tsx')).ChatView),
  },
  {
    path: 'projects',
    title: 'Projects',
    key: 'j',
    icon: 'projects',
    component: late(async () => (await import('./projects/projects-view.tsx')).ProjectsView),
  },
];

function late(load: () => Promise<ComponentType>): ComponentType {
  return lazy(async () => ({ default: await load() }));
}
