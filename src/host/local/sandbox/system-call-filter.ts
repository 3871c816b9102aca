/**
 * The filter of system calls that every confined process runs under, as classic BPF. It takes away what can reach
 * around the name spaces: other mounts, other users' name spaces, sockets that are not the network's, typing into a
 * terminal. Everything else is let through, since the mounts and the missing capabilities hold it.
 */

/** Numbers of system calls by the name they have in Linux. */
interface Processor {
  readonly audit: number;
  readonly refused: readonly number[];
  readonly socket: number;
  readonly ioctl: number;
  readonly clone: number;
}

// Numbers from 424 on are the same everywhere.
const CLONE3 = 435;
const NEWER_REFUSED = [
  425,
  426,
  427, // io_uring_setup, io_uring_enter, io_uring_register
  428,
  429,
  430,
  431,
  432,
  433,
  442, // open_tree, move_mount, fsopen, fsconfig, fsmount, fspick, mount_setattr
  438, // pidfd_getfd
];

/**
 * In this order: ptrace, mount, umount2, pivot_root, unshare, setns, keyctl, add_key, request_key, bpf,
 * perf_event_open, userfaultfd, kexec_load, kexec_file_load, init_module, finit_module, delete_module,
 * open_by_handle_at, swapon, swapoff, reboot, acct.
 */
const PROCESSORS: Readonly<Record<string, Processor>> = {
  x64: {
    audit: 0xc000003e,
    refused: [
      101, 165, 166, 155, 272, 308, 250, 248, 249, 321, 298, 323, 246, 320, 175, 313, 176, 304, 167, 168, 169,
      163,
    ],
    socket: 41,
    ioctl: 16,
    clone: 56,
  },
  arm64: {
    audit: 0xc00000b7,
    refused: [
      117, 40, 39, 41, 97, 268, 219, 217, 218, 280, 241, 282, 104, 294, 105, 273, 106, 265, 224, 225, 142, 89,
    ],
    socket: 198,
    ioctl: 29,
    clone: 220,
  },
};

const X32_BIT = 0x40000000;
const AF_INET = 2;
const AF_INET6 = 10;
const AF_NETLINK = 16;
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. */
const CLONE_NAMESPACES = 0x7e020000;

const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

const LOAD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_AT_LEAST = 0x35;
const JUMP_IF_ANY_BIT = 0x45;
const RETURN = 0x06;

const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const answer = (errno: number): number => 0x00050000 | errno;

const NUMBER = 0;
const AUDIT = 4;
const FIRST_ARGUMENT = 16;
const SECOND_ARGUMENT = 24;

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

/** The filter for a processor, ready for the kernel; undefined for one whose numbers are not known here. */
export function systemCallFilter(processor: string): Buffer | undefined {
  const known = PROCESSORS[processor];
  if (known === undefined) return undefined;
  const instructions: Instruction[] = [
    load(AUDIT),
    // The 32-bit interface numbers its calls anew: none of them is let through.
    [JUMP_IF_EQUAL, 1, 0, known.audit],
    [RETURN, 0, 0, KILL],
    load(NUMBER),
    ...(processor === 'x64' ? when(JUMP_IF_AT_LEAST, X32_BIT, answer(ENOSYS)) : []),
    ...[...known.refused, ...NEWER_REFUSED].flatMap((number) => when(JUMP_IF_EQUAL, number, answer(EPERM))),
    // Its flags are in memory, where a filter can't look; libraries go back to clone.
    ...when(JUMP_IF_EQUAL, CLONE3, answer(ENOSYS)),
    ...onCall(known.clone, FIRST_ARGUMENT, when(JUMP_IF_ANY_BIT, CLONE_NAMESPACES, answer(EPERM))),
    ...onCall(known.ioctl, SECOND_ARGUMENT, [
      ...when(JUMP_IF_EQUAL, TIOCSTI, answer(EPERM)),
      ...when(JUMP_IF_EQUAL, TIOCLINUX, answer(EPERM)),
    ]),
    ...onCall(known.socket, FIRST_ARGUMENT, [
      ...[AF_INET, AF_INET6, AF_NETLINK].flatMap((family) => when(JUMP_IF_EQUAL, family, ALLOW)),
      [RETURN, 0, 0, answer(EAFNOSUPPORT)],
    ]),
    [RETURN, 0, 0, ALLOW],
  ];
  return encode(instructions);
}

function load(offset: number): Instruction {
  return [LOAD, 0, 0, offset];
}

function when(test: number, value: number, result: number): Instruction[] {
  return [
    [test, 0, 1, value],
    [RETURN, 0, 0, result],
  ];
}

/** Looks at an argument of one call, and answers there: what none of the tests is about is allowed. */
function onCall(number: number, argument: number, tests: readonly Instruction[]): Instruction[] {
  const body = [load(argument), ...tests, [RETURN, 0, 0, ALLOW] as const];
  return [[JUMP_IF_EQUAL, 0, body.length, number], ...body];
}

function encode(instructions: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(instructions.length * 8);
  for (const [index, [code, ifTrue, ifFalse, value]] of instructions.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(ifTrue, index * 8 + 2);
    bytes.writeUInt8(ifFalse, index * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4);
  }
  return bytes;
}
