/** A turn in words. */
import type { Turn } from './changes-view.tsx';

/** What became of it; empty where it stands. */
export function stateOf({ undoneBy, isEnded, process }: Turn): string {
  if (undoneBy !== undefined) return 'taken back';
  if (process !== undefined) return `under way in process ${process}`;
  return isEnded ? '' : 'cut short';
}

/** A number and what it counts. */
export function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}
