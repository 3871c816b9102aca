/** Tools that tell about the machine, and such that only count or wait. */
import type { ListedReader } from './listed.ts';

export const SYSTEM_TOOLS: Readonly<Record<string, ListedReader>> = {
  arch: { options: '', operands: 'none' },
  cal: { options: '-1 -3 -m -s -y', operands: 'text' },
  // Any operand that is no format sets the clock.
  date: {
    options: '-d= -I? -R -u -r=< --date= --iso-8601? --reference=< --rfc-3339= --rfc-email --universal --utc',
    operands: 'formats',
  },
  env: { options: '-0 --null', operands: 'none' },
  expr: { options: '', operands: 'text', isTolerant: true },
  free: { options: '-b -g -h -k -l -m -t -w --human --total', operands: 'none' },
  getconf: { options: '-a', operands: 'text' },
  groups: { options: '', operands: 'text' },
  // An operand sets the name.
  hostname: { options: '-d -f -i -I -s', operands: 'none' },
  id: { options: '-a -g -G -n -r -u -z --group --groups --name --real --user --zero', operands: 'text' },
  locale: { options: '-a -c -k -m', operands: 'text' },
  logname: { options: '', operands: 'none' },
  lscpu: { options: '-a -b -c -e? -J -p? -x', operands: 'none' },
  nproc: { options: '--all --ignore=', operands: 'none' },
  numfmt: {
    options: '--from= --to= --suffix= --field= --padding= --format= --header? --invalid= --round=',
    operands: 'text',
  },
  printenv: { options: '-0 --null', operands: 'text' },
  ps: {
    options:
      '-A -a -C= -d -e -f -F -g= -H -j -l -L -N -n -o= -O= -p= -s= -t= -T -u= -U= -w -x -y --deselect --forest --format= --no-headers --pid= --ppid= --sort= --user=',
    operands: 'text',
  },
  seq: { options: '-f= -s= -w --equal-width --format= --separator=', operands: 'text', isTolerant: true },
  sleep: { options: '', operands: 'text', isTolerant: true },
  tty: { options: '-s', operands: 'none' },
  uname: {
    options: '-a -i -m -n -o -p -r -s -v --all --machine --kernel-name --kernel-release --operating-system',
    operands: 'none',
  },
  uptime: { options: '-p -s --pretty --since', operands: 'none' },
  users: { options: '', operands: 'none' },
  whoami: { options: '', operands: 'none' },
};
