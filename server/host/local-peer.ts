// The local processes at the other end of a connection, on Linux.
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { isConfined, markOf } from './lineage.ts';
import { osProcess, osProcesses, type OsProcess } from './os-process.ts';
import { hasOpen, openOrHidden } from './os-session.ts';

/** An open connection in the kernel's table of sockets: address, port, user and inode. */
const ROW = /^\s*\d+: ([0-9A-F]+):([0-9A-F]{4}) [0-9A-F]+:[0-9A-F]{4} 01 (?:\S+ +){3}(\d+) +\S+ +(\d+) /gm;

/**
 * True when a process that was started here, or a descendant of one, holds the other end of a connection from this
 * address, such as `127.0.0.1:51234`. `leaders`: the live processes that were started here. True also when one of them,
 * of the same user, hides its descriptors and no other process is seen to hold the connection; false when it cannot be
 * determined.
 */
export function isOfOurs(from: string, leaders: ReadonlySet<number>): boolean {
  const end = endOf(from);
  if (!end || process.platform !== 'linux') return false;
  const sockets = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => socketsOf(table, end));
  if (sockets.length === 0) return false;
  const names = sockets.map(({ name }) => name);
  const all = osProcesses(performance.now());
  const ours = new Set(all.filter((each) => isStartedHere(each, leaders)));
  const looks = new Map([...ours].map((each) => [each, openOrHidden(each.pid, names)]));
  if ([...looks.values()].includes(true)) return true;
  const mayHold = [...ours].some((each) => looks.get(each) === null && mayBeOf(usersOf(each.pid), sockets));
  return mayHold && !all.some((each) => !ours.has(each) && hasOpen(each.pid, names));
}

const isStartedHere = (each: OsProcess, leaders: ReadonlySet<number>): boolean =>
  markOf(each) !== null || leaders.has(each.pid) || hasAncestor(each.parent, leaders) || isConfined(each.pid);

interface End {
  readonly address: string;
  readonly port: number;
}

function endOf(from: string): End | null {
  const [, address = '', port = ''] = /^(.*):(\d+)$/.exec(from) ?? [];
  return isIP(address) > 0 ? { address: canonical(address), port: Number(port) } : null;
}

/**
 * True for a process that this process's user has started, and that may have opened one of the sockets as one of its
 * users.
 */
const mayBeOf = (users: readonly string[], sockets: readonly Socket[]): boolean =>
  users[0] === String(process.getuid?.()) && sockets.some(({ user }) => users.includes(user));

interface Socket {
  /** Name of the socket in /proc. */
  readonly name: string;
  readonly user: string;
}

/** Returns the users that a process runs as: real, effective, saved, and for files. */
function usersOf(pid: number): readonly string[] {
  try {
    return /^Uid:\s+(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]?.split(/\s+/) ?? [];
  } catch {
    return [];
  }
}

function socketsOf(table: string, { address, port }: End): Socket[] {
  let text: string;
  try {
    text = readFileSync(table, 'latin1');
  } catch {
    return [];
  }
  return [...text.matchAll(ROW)].flatMap(([, host = '', hexPort = '', user = '', inode = '']) =>
    Number.parseInt(hexPort, 16) === port && addressOf(host) === address
      ? { name: `socket:[${inode}]`, user }
      : [],
  );
}

/** Converts from words of four bytes, each in reverse order. */
function addressOf(hex: string): string {
  const bytes = (hex.match(/.{8}/g) ?? []).flatMap((word) => (word.match(/../g) ?? []).toReversed());
  if (bytes.length === 4) return bytes.map((byte) => Number.parseInt(byte, 16)).join('.');
  const groups = Array.from({ length: 8 }, (_, at) => `${bytes[2 * at] ?? '0'}${bytes[2 * at + 1] ?? '0'}`);
  return canonical(groups.join(':'));
}

/** Returns the one canonical spelling of an address; an IPv4 address as such. */
function canonical(address: string): string {
  if (isIP(address) === 4) return address;
  const plain = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [, high = '', low = ''] = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(plain) ?? [];
  if (high === '') return plain;
  const [one, two] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [one >> 8, one & 255, two >> 8, two & 255].join('.');
}

/** Limit of a chain of parents; a longer one is no chain. */
const DEEPEST = 100;

function hasAncestor(parent: number, leaders: ReadonlySet<number>): boolean {
  let pid = parent;
  for (let depth = 0; depth < DEEPEST && pid > 1; depth += 1) {
    if (leaders.has(pid)) return true;
    pid = osProcess(pid)?.parent ?? 0;
  }
  return false;
}
