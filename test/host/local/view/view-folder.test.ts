import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ViewFolder } from '../../../../src/host/local/view/view-folder.ts';
import { tempWorkspace } from '../../../support/temp-workspace.ts';

/** Writes for a while into a folder that is taken away under it, as a command does that is about to die. */
const WRITER = `cd "$1"; echo begun
round=0; while [ $round -lt 5000 ] && echo x > many/new$round; do round=$((round + 1)); done 2>&-`;
/** So that the folder is written to while it is being emptied. */
const FILES = 3_000;

describe('ViewFolder', () => {
  it('is removed while a command that was killed still writes to it', async () => {
    await using workspace = tempWorkspace();
    const views = join(workspace.outside, 'views');
    const folder = new ViewFolder(views, 'view_left');
    mkdirSync(join(folder.path, 'upper/many'), { recursive: true });
    for (let file = 0; file < FILES; file++) writeFileSync(join(folder.path, `upper/many/${file}`), '');
    const writer = spawn('/bin/sh', ['-c', WRITER, 'sh', join(folder.path, 'upper')], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = once(writer, 'exit');
    await once(writer.stdout, 'data');
    await folder.remove();
    await ended;
    expect(readdirSync(views)).toEqual([]);
  });
});
