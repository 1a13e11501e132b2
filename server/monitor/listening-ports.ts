// Reads the TCP ports on which processes listen from Linux's socket tables; called in a worker thread.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface ListeningPort {
  readonly port: number;
  /** IP address such as `127.0.0.1`, `0.0.0.0` or `::`. */
  readonly address: string;
}

/** Returns the TCP ports on which these processes listen, by PID; a process without any is absent. */
export function listeningPorts(pids: readonly number[]): Map<number, ListeningPort[]> {
  const byInode = new Map([...sockets('/proc/net/tcp'), ...sockets('/proc/net/tcp6')]);
  const ports = new Map<number, ListeningPort[]>();
  if (byInode.size === 0) return ports;
  for (const pid of pids) {
    const own = new Map(socketInodes(pid).flatMap((inode) => toPort(byInode.get(inode))));
    if (own.size > 0) ports.set(pid, [...own.values()]);
  }
  return ports;
}

const toPort = (port: ListeningPort | undefined): [string, ListeningPort][] =>
  port ? [[`${port.address}:${port.port}`, port]] : [];

const LISTEN = '0A';

/** Returns the listening rows of /proc/net/tcp or tcp6: inode → address and port. */
export function parseSockets(table: string): [string, ListeningPort][] {
  return table
    .split('\n')
    .slice(1)
    .flatMap((row): [string, ListeningPort][] => {
      const columns = row.trim().split(/\s+/);
      const [address = '', port = ''] = columns[1]?.split(':') ?? [];
      const inode = columns[9];
      if (columns[3] !== LISTEN || inode === undefined) return [];
      return [[inode, { port: Number.parseInt(port, 16), address: parseAddress(address) }]];
    });
}

/**
 * The kernel writes each 32-bit word in the machine's byte order, which is little-endian on supported
 * machines.
 */
function parseAddress(hex: string): string {
  const bytes = [...hex.matchAll(/(..)(..)(..)(..)/g)].flatMap(([, a, b, c, d]) => [d, c, b, a]);
  const numbers = bytes.map((byte) => Number.parseInt(byte ?? '0', 16));
  if (numbers.length === 4) return numbers.join('.');
  const mapped =
    numbers.slice(0, 10).every((byte) => byte === 0) && numbers[10] === 0xff && numbers[11] === 0xff;
  if (mapped) return numbers.slice(12).join('.');
  if (numbers.every((byte) => byte === 0)) return '::';
  if (numbers.slice(0, 15).every((byte) => byte === 0) && numbers[15] === 1) return '::1';
  const words = Array.from({ length: 8 }, (_, i) => ((numbers[2 * i] ?? 0) << 8) | (numbers[2 * i + 1] ?? 0));
  return words.map((word) => word.toString(16)).join(':');
}

const sockets = (path: string): [string, ListeningPort][] => parseSockets(read(path) ?? '');

function socketInodes(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      const [, inode] = /^socket:\[(\d+)\]$/.exec(link(`/proc/${pid}/fd/${fd}`)) ?? [];
      return inode === undefined ? [] : [inode];
    });
  } catch {
    // The process has ended, or belongs to another user.
    return [];
  }
}

function link(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
