import { describe, expect, it } from 'vitest';
import { systemCallFilter } from '../../../../src/host/local/sandbox/system-call-filter.ts';

const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const errno = (number: number): number => 0x00050000 + number;
const AUDIT = { x64: 0xc000003e, arm64: 0xc00000b7, i386: 0x40000003 };

/** What the kernel would make of the filter for a call. */
function answer(filter: Buffer, audit: number, number: number, ...args: readonly number[]): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number, 0);
  data.writeUInt32LE(audit, 4);
  for (const [index, value] of args.entries()) data.writeBigUInt64LE(BigInt(value), 16 + 8 * index);
  let loaded = 0;
  for (let at = 0; ; at++) {
    const code = filter.readUInt16LE(at * 8);
    const [ifTrue, ifFalse, value] = [
      filter[at * 8 + 2]!,
      filter[at * 8 + 3]!,
      filter.readUInt32LE(at * 8 + 4),
    ];
    if (code === 0x06) return value;
    if (code === 0x20) loaded = data.readUInt32LE(value);
    else {
      const isTrue = { 0x15: loaded === value, 0x35: loaded >= value, 0x45: (loaded & value) !== 0 }[code];
      if (isTrue === undefined) throw new Error(`The instruction ${code} is not one of ours.`);
      at += isTrue ? ifTrue : ifFalse;
    }
  }
}

describe('systemCallFilter', () => {
  it.each([
    ['read', [0], ALLOW],
    ['execve', [59], ALLOW],
    ['ptrace', [101], errno(1)],
    ['mount', [165], errno(1)],
    ['unshare', [272, 0], errno(1)],
    ['io_uring_setup', [425], errno(1)],
    ['clone3', [435], errno(38)],
    ['clone for a thread', [56, 0x3d0f00], ALLOW],
    ['clone for a user name space', [56, 0x10000011], errno(1)],
    ['socket of the network', [41, 2], ALLOW],
    ['socket of netlink', [41, 16], ALLOW],
    ['socket of the machine', [41, 1], errno(97)],
    ['socket of a virtual machine', [41, 40], errno(97)],
    ['socketpair', [53, 1], ALLOW],
    ['ioctl for a window size', [16, 0, 0x5413], ALLOW],
    ['ioctl that types', [16, 0, 0x5412], errno(1)],
    ['ioctl that types, with upper bits set', [16, 0, 0x1_0000_5412], errno(1)],
    ['any call of x32', [0x40000000], errno(38)],
  ])('answers %s on x64', (_, [number = 0, ...args], expected) => {
    expect(answer(systemCallFilter('x64')!, AUDIT.x64, number, ...args)).toBe(expected);
  });

  it.each([
    ['read', [63], ALLOW],
    ['ptrace', [117], errno(1)],
    ['mount', [40], errno(1)],
    ['unshare', [97], errno(1)],
    ['clone for a user name space', [220, 0x10000011], errno(1)],
    ['socket of the machine', [198, 1], errno(97)],
    ['ioctl that types', [29, 0, 0x5412], errno(1)],
  ])('answers %s on arm64', (_, [number = 0, ...args], expected) => {
    expect(answer(systemCallFilter('arm64')!, AUDIT.arm64, number, ...args)).toBe(expected);
  });

  it('kills what calls by the numbers of another processor', () => {
    expect(answer(systemCallFilter('x64')!, AUDIT.i386, 11)).toBe(KILL);
    expect(answer(systemCallFilter('arm64')!, AUDIT.x64, 0)).toBe(KILL);
  });

  it('is not made for a processor whose numbers are not known', () => {
    expect(systemCallFilter('riscv64')).toBeUndefined();
  });
});
