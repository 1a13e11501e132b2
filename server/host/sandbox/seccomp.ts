// Builds the system call filter of a sandbox, as a classic BPF program for the kernel.
import type { Policy } from './policy.ts';

const ABIS = {
  x64: {
    audit: 0xc000003e,
    ioctl: 16,
    socket: 41,
    socketpair: 53,
    keyrings: [248, 249, 250],
    ptrace: 101,
    memoryOf: [310, 311],
    x32: 0x40000000,
  },
  arm64: {
    audit: 0xc00000b7,
    ioctl: 29,
    socket: 198,
    socketpair: 199,
    keyrings: [217, 218, 219],
    ptrace: 117,
    memoryOf: [270, 271],
    x32: null,
  },
} as const;
export type FilteredArch = keyof typeof ABIS;

const IO_URING_SETUP = 425;
const PIDFD_GETFD = 438;
/** PID of bwrap inside the sandbox; the kernel ends the sandbox together with it. */
const INIT = 1;
const AF_UNIX = 1;
/** Allowed socket families: IP, and netlink, which programs use to read their own addresses and routes. */
const FAMILIES = { inet: 2, inet6: 10, netlink: 16 } as const;
/** Bits of a socket's type that are not flags. */
const TYPE_MASK = 0xf;
/** Socket types whose pairs are connected permanently. */
const CONNECTED = { stream: 1, seqpacket: 5 } as const;
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;

const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const EPERM = 0x00050001;

/** Offsets in struct seccomp_data, little-endian: the low half of an argument comes first. */
const NUMBER = 0;
const ARCH = 4;
const ARG0 = 16;
const ARG1 = 24;

const LOAD = 0x20;
const AND = 0x54;
const IF_EQUAL = 0x15;
const IF_AT_LEAST = 0x35;
const RETURN = 0x06;

type Step = readonly [code: number, then: number, otherwise: number, value: number];

export const isFiltered = (arch: string): arch is FilteredArch => arch in ABIS;

/**
 * Returns the filter. It refuses typing into a terminal (TIOCSTI, TIOCLINUX); the kernel's keyrings, which
 * namespaces do not separate; every socket family but IP and netlink (AF_UNIX is allowed with the network
 * enabled); and io_uring, which opens sockets without the system call. It also refuses tracing bwrap inside,
 * accessing its memory (ptrace, process_vm_readv, process_vm_writev) and taking a descriptor of another
 * process (pidfd_getfd), since a program that controls bwrap can keep the sandbox running after its leader
 * has ended. Without the network, socketpair is only allowed for permanently connected types: a pair of
 * datagram sockets, which SOCK_RAW also creates, can send to any named socket. Only the low 32 bits of
 * arguments are compared, as in the kernel.
 */
export function seccompFilter(arch: FilteredArch, network: Policy['network']): Buffer {
  const { audit, ioctl, socket, socketpair, keyrings, ptrace, memoryOf, x32 } = ABIS[arch];
  const families = [...Object.values(FAMILIES), ...(network === 'enabled' ? [AF_UNIX] : [])];
  const steps: Step[] = [
    [LOAD, 0, 0, ARCH],
    [IF_EQUAL, 1, 0, audit],
    [RETURN, 0, 0, KILL],
    [LOAD, 0, 0, NUMBER],
  ];
  if (x32 !== null) steps.push([IF_AT_LEAST, 0, 1, x32], [RETURN, 0, 0, EPERM]);
  for (const call of [IO_URING_SETUP, PIDFD_GETFD, ...keyrings]) {
    steps.push([IF_EQUAL, 0, 1, call], [RETURN, 0, 0, EPERM]);
  }
  const ofProcess = [[ptrace, ARG1] as const, ...memoryOf.map((call) => [call, ARG0] as const)];
  for (const [call, pid] of ofProcess) {
    steps.push([IF_EQUAL, 0, 4, call], [LOAD, 0, 0, pid]);
    steps.push([IF_EQUAL, 0, 1, INIT], [RETURN, 0, 0, EPERM], [RETURN, 0, 0, ALLOW]);
  }
  if (network === 'restricted') {
    steps.push([IF_EQUAL, 0, 6, socketpair], [LOAD, 0, 0, ARG1], [AND, 0, 0, TYPE_MASK]);
    steps.push([IF_EQUAL, 2, 0, CONNECTED.stream], [IF_EQUAL, 1, 0, CONNECTED.seqpacket]);
    steps.push([RETURN, 0, 0, EPERM], [RETURN, 0, 0, ALLOW]);
  }
  steps.push([IF_EQUAL, 0, families.length + 3, socket], [LOAD, 0, 0, ARG0]);
  families.forEach((family, index) => steps.push([IF_EQUAL, families.length - index, 0, family]));
  steps.push([RETURN, 0, 0, EPERM], [RETURN, 0, 0, ALLOW]);
  steps.push([IF_EQUAL, 0, 4, ioctl], [LOAD, 0, 0, ARG1]);
  steps.push([IF_EQUAL, 1, 0, TIOCSTI], [IF_EQUAL, 0, 1, TIOCLINUX]);
  steps.push([RETURN, 0, 0, EPERM], [RETURN, 0, 0, ALLOW]);
  const bytes = Buffer.alloc(steps.length * 8);
  steps.forEach(([code, then, otherwise, value], index) => {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(then, index * 8 + 2);
    bytes.writeUInt8(otherwise, index * 8 + 3);
    bytes.writeUInt32LE(value, index * 8 + 4);
  });
  return bytes;
}
