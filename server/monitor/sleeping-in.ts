// Detects whether a Linux process sleeps in a system call that ends when something is typed into its
// terminal.
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync, statSync } from 'node:fs';

/** Kinds of system calls that wait for input; the table below maps each processor's call numbers to them. */
type Sleep = 'read' | 'poll' | 'select' | 'epoll';

const CALLS: { readonly [arch: string]: { readonly [number: string]: Sleep } } = {
  x64: {
    0: 'read',
    19: 'read',
    7: 'poll',
    271: 'poll',
    23: 'select',
    270: 'select',
    232: 'epoll',
    281: 'epoll',
    441: 'epoll',
  },
  arm64: { 63: 'read', 65: 'read', 73: 'poll', 72: 'select', 22: 'epoll', 441: 'epoll' },
};

/** Maximum number of threads of a process, and of descriptors of one `poll` or `select`, that are checked. */
const MOST_THREADS = 64;
const MOST_DESCRIPTORS = 1024;
const POLLFD_BYTES = 8;
const POLLIN = 0x001;
const EPOLLIN = 0x001;
/** Device number of `/dev/tty`, every process's own terminal, through which programs ask for passwords. */
const OWN_TERMINAL = 0x500;

/**
 * Returns true when a thread of the process sleeps until the terminal with this device number, or `/dev/tty`, is
 * readable; always false for an `arch` that is not in `CALLS`.
 */
export function sleepsOnTerminal(pid: number, device: number, arch: string = process.arch): boolean {
  const calls = CALLS[arch];
  if (!calls) return false;
  return threadsOf(pid).some((thread) => {
    const line = read(`/proc/${pid}/task/${thread}/syscall`);
    // The file contains `running`, or the number of the call (-1 outside a call) and its arguments.
    const [number, ...args] = line?.split(' ') ?? [];
    const sleep = number === undefined ? undefined : calls[number];
    if (sleep === undefined) return false;
    const devices = waitedFor(pid, sleep, args).map((fd) => deviceOf(pid, fd));
    return devices.includes(device) || devices.includes(OWN_TERMINAL);
  });
}

function waitedFor(pid: number, sleep: Sleep, args: readonly string[]): readonly number[] {
  const [first = 0, second = 0] = args.map(Number);
  switch (sleep) {
    case 'read':
      return [first];
    case 'poll':
      return polled(memory(pid, first, Math.min(second, MOST_DESCRIPTORS) * POLLFD_BYTES));
    case 'select':
      return selected(memory(pid, second, Math.ceil(Math.min(first, MOST_DESCRIPTORS) / 8)));
    case 'epoll':
      return registered(read(`/proc/${pid}/fdinfo/${first}`) ?? '');
  }
}

/** Returns the descriptors of a `struct pollfd` array that are polled for reading. */
export function polled(bytes: Buffer): readonly number[] {
  const fds: number[] = [];
  for (let at = 0; at + POLLFD_BYTES <= bytes.length; at += POLLFD_BYTES) {
    if (bytes.readInt16LE(at + 4) & POLLIN) fds.push(bytes.readInt32LE(at));
  }
  return fds;
}

/** Returns the descriptors set in an `fd_set`. */
export function selected(bytes: Buffer): readonly number[] {
  return [...bytes].flatMap((byte, index) =>
    Array.from({ length: 8 }, (_, bit) => index * 8 + bit).filter((fd) => byte & (1 << (fd % 8))),
  );
}

/**
 * Returns the descriptors that an epoll descriptor waits to read, from the lines `tfd: 0 events: 19 …` of its fdinfo;
 * events are hexadecimal.
 */
export function registered(fdinfo: string): readonly number[] {
  return [...fdinfo.matchAll(/^tfd:\s*(\d+)\s+events:\s*([\da-f]+)/gm)]
    .filter(([, , events]) => Number.parseInt(events ?? '0', 16) & EPOLLIN)
    .map(([, fd]) => Number(fd));
}

/**
 * Returns memory of a process; an empty buffer when it cannot be read, so that the process does not count as
 * waiting.
 */
function memory(pid: number, address: number, length: number): Buffer {
  if (address === 0 || length === 0) return Buffer.alloc(0);
  let fd: number | null = null;
  try {
    fd = openSync(`/proc/${pid}/mem`, 'r');
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(fd, bytes, 0, length, address));
  } catch {
    return Buffer.alloc(0);
  } finally {
    if (fd !== null) closeSync(fd);
  }
}

/**
 * Returns the device number of the file that a descriptor refers to. It is read through `/proc/PID/fd`, which also
 * works for a process in another mount namespace. Null when it cannot be read, and for files outside `/dev`, because
 * `stat` may hang on their file systems.
 */
export function deviceOf(pid: number, fd: number): number | null {
  const place = `/proc/${pid}/fd/${fd}`;
  try {
    return readlinkSync(place).startsWith('/dev/') ? statSync(place).rdev : null;
  } catch {
    return null;
  }
}

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).slice(0, MOST_THREADS);
  } catch {
    return [];
  }
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
