/** Every operation of the engine. Adding one is its file and a line here. */
import type { Operation } from '../runtime/operation.ts';
import { fsDelete } from './fs/delete.ts';
import { fsList } from './fs/list.ts';
import { fsMove } from './fs/move.ts';
import { fsRead } from './fs/read.ts';
import { fsReadWhole } from './fs/read-whole.ts';
import { fsWrite } from './fs/write.ts';
import { outputPage } from './output/page.ts';

export const operations = [
  fsDelete,
  fsList,
  fsMove,
  fsRead,
  fsReadWhole,
  fsWrite,
  outputPage,
] as readonly Operation[];
