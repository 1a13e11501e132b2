// The bytes of the filter, run by a small interpreter of the kernel's BPF rules.
import { describe, expect, it } from 'vitest';
import { seccompFilter } from './seccomp.ts';

const X64 = 0xc000003e;
const ARM64 = 0xc00000b7;
const ALLOW = 0x7fff0000;
const EPERM = 0x00050001;
const KILL = 0x80000000;

function run(filter: Buffer, nr: number, arch: number, args: readonly bigint[]): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(nr, 0);
  data.writeUInt32LE(arch, 4);
  args.forEach((arg, index) => data.writeBigUInt64LE(arg, 16 + index * 8));
  let loaded = 0;
  for (let at = 0; at < filter.length; at += 8) {
    const value = filter.readUInt32LE(at + 4);
    const jump = (isTrue: boolean): number => filter.readUInt8(at + (isTrue ? 2 : 3)) * 8;
    const code = filter.readUInt16LE(at);
    if (code === 0x20) loaded = data.readUInt32LE(value);
    else if (code === 0x54) loaded &= value;
    else if (code === 0x15) at += jump(loaded === value);
    else if (code === 0x35) at += jump(loaded >= value);
    else if (code === 0x06) return value;
    else throw new Error(`unknown instruction ${code}`);
  }
  throw new Error('ran off its end');
}

it.each([
  ['ioctl TIOCSTI', 'x64', 16, X64, [0n, 0x5412n], EPERM],
  ['TIOCSTI with high bits', 'x64', 16, X64, [0n, 0xff00005412n], EPERM],
  ['TIOCLINUX', 'x64', 16, X64, [0n, 0x541cn], EPERM],
  ['TIOCGWINSZ', 'x64', 16, X64, [0n, 0x5413n], ALLOW],
  ['TIOCSTI on arm', 'arm64', 29, ARM64, [0n, 0x5412n], EPERM],
  ['socket(AF_UNIX)', 'x64', 41, X64, [1n], EPERM],
  ['AF_UNIX with high bits', 'x64', 41, X64, [0x100000001n], EPERM],
  ['socket(AF_INET)', 'x64', 41, X64, [2n], ALLOW],
  ['socket(AF_INET6)', 'x64', 41, X64, [10n], ALLOW],
  ['socket(AF_NETLINK)', 'x64', 41, X64, [16n], ALLOW],
  ['socket(AF_NETLINK) on arm', 'arm64', 198, ARM64, [16n], ALLOW],
  ['socket(AF_UNSPEC)', 'x64', 41, X64, [0n], EPERM],
  ['socket(AF_ALG)', 'x64', 41, X64, [38n], EPERM],
  ['socket(AF_VSOCK) on arm', 'arm64', 198, ARM64, [40n], EPERM],
  ['add_key', 'x64', 248, X64, [], EPERM],
  ['request_key', 'x64', 249, X64, [], EPERM],
  ['keyctl', 'x64', 250, X64, [], EPERM],
  ['the call after keyctl', 'x64', 251, X64, [], ALLOW],
  ['add_key on arm', 'arm64', 217, ARM64, [], EPERM],
  ['request_key on arm', 'arm64', 218, ARM64, [], EPERM],
  ['keyctl on arm', 'arm64', 219, ARM64, [], EPERM],
  ['socket(AF_UNIX) on arm', 'arm64', 198, ARM64, [1n], EPERM],
  ['socketpair of streams', 'x64', 53, X64, [1n, 1n], ALLOW],
  ['socketpair of streams with flags', 'x64', 53, X64, [1n, 0x80801n], ALLOW],
  ['socketpair of packets in order', 'x64', 53, X64, [1n, 5n], ALLOW],
  ['socketpair of datagrams', 'x64', 53, X64, [1n, 2n], EPERM],
  ['socketpair of datagrams with flags', 'x64', 53, X64, [1n, 0x80802n], EPERM],
  ['socketpair of datagrams on arm', 'arm64', 199, ARM64, [1n, 2n], EPERM],
  ['io_uring_setup', 'x64', 425, X64, [], EPERM],
  ['ptrace of the first process', 'x64', 101, X64, [0x4206n, 1n], EPERM],
  ['ptrace of the first process with high bits', 'x64', 101, X64, [16n, 0x100000001n], EPERM],
  ['ptrace of another process', 'x64', 101, X64, [1n, 2n], ALLOW],
  ['ptrace of the first process on arm', 'arm64', 117, ARM64, [16n, 1n], EPERM],
  ['process_vm_readv of the first process', 'x64', 310, X64, [1n, 2n], EPERM],
  ['process_vm_writev of the first process', 'x64', 311, X64, [1n, 2n], EPERM],
  ['process_vm_writev of another process', 'x64', 311, X64, [2n, 1n], ALLOW],
  ['process_vm_readv of the first process on arm', 'arm64', 270, ARM64, [1n], EPERM],
  ['process_vm_writev of the first process on arm', 'arm64', 271, ARM64, [1n], EPERM],
  ['pidfd_getfd', 'x64', 438, X64, [3n, 0n], EPERM],
  ['pidfd_getfd on arm', 'arm64', 438, ARM64, [3n, 0n], EPERM],
  ['x32', 'x64', 0x40000000 + 41, X64, [1n], EPERM],
  ['32-bit calls', 'x64', 102, 0x40000003, [1n], KILL],
  ['read', 'x64', 0, X64, [0n, 0x5412n], ALLOW],
] as const)('[SB6] the filter returns the right decision on %s', (_name, arch, nr, audit, args, expected) => {
  expect(run(seccompFilter(arch, 'restricted'), nr, audit, args)).toBe(expected);
});

describe.each([
  ['x64', 53, X64],
  ['arm64', 199, ARM64],
] as const)('[SB6] A pair of sockets on %s', (arch, nr, audit) => {
  const [stream, seqpacket] = [1, 5];
  const [cloexec, nonblock, high] = [0x80000n, 0x800n, 1n << 32n];
  const types = Array.from({ length: 16 }, (_, type) => type);

  it.each([0n, cloexec, nonblock, cloexec | nonblock, high, high | cloexec, 0x30n])(
    'must be of a permanently connected type without the network, with the flags %#x',
    (flags) => {
      const filter = seccompFilter(arch, 'restricted');
      for (const type of types) {
        const expected = type === stream || type === seqpacket ? ALLOW : EPERM;
        for (const family of [1n, 30n, 1n | high])
          expect(run(filter, nr, audit, [family, BigInt(type) | flags]), `type ${type}`).toBe(expected);
      }
    },
  );

  it('can be of any type with the network', () => {
    const filter = seccompFilter(arch, 'enabled');
    for (const type of types) expect(run(filter, nr, audit, [1n, BigInt(type) | cloexec])).toBe(ALLOW);
  });
});

it('[SB6] no other ABI of the kernel can create a socket or a pair', () => {
  for (const network of ['restricted', 'enabled'] as const) {
    const filter = seccompFilter('x64', network);
    for (const nr of [41, 53, 425, 514]) expect(run(filter, nr + 0x40000000, X64, [1n, 1n])).toBe(EPERM);
    for (const nr of [102, 359, 360]) expect(run(filter, nr, 0x40000003, [1n, 1n])).toBe(KILL);
    for (const nr of [281, 288])
      expect(run(seccompFilter('arm64', network), nr, 0x40000028, [1n])).toBe(KILL);
  }
});

describe('[SB15] The filter with the network enabled', () => {
  const filter = seccompFilter('x64', 'enabled');

  it.each([
    ['socket(AF_UNIX)', 41, 1n, ALLOW],
    ['socket(AF_INET)', 41, 2n, ALLOW],
    ['socket(AF_INET6)', 41, 10n, ALLOW],
    ['socket(AF_NETLINK)', 41, 16n, ALLOW],
    ['socketpair', 53, 1n, ALLOW],
    ['keyctl', 250, 0n, EPERM],
    ['io_uring_setup', 425, 0n, EPERM],
  ] as const)('returns the right decision on %s', (_name, nr, argument, expected) => {
    expect(run(filter, nr, X64, [argument])).toBe(expected);
  });

  it('rejects every other family of sockets', () => {
    const allowed = Array.from({ length: 64 }, (_, family) => family).filter(
      (family) => run(filter, 41, X64, [BigInt(family)]) === ALLOW,
    );
    expect(allowed).toEqual([1, 2, 10, 16]);
  });

  it('rejects typing into a terminal', () => {
    expect(run(filter, 16, X64, [0n, 0x5412n])).toBe(EPERM);
  });
});
