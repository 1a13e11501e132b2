// Determines whether a process of this gateway is at the other end of a connection, on Linux.
import { readFileSync, readlinkSync } from 'node:fs';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { unmappedAddress } from '../../text/mapped-ipv4.ts';
import { isConfined, markOf } from './lineage.ts';
import { osProcess, osProcesses, type OsProcess } from './os-process.ts';
import { HiddenDescriptors } from './hidden-descriptors.ts';
import { hasOpen, openOrHidden } from './os-session.ts';

/**
 * Matches a socket in the kernel's table: its own and its peer's address and port, user and inode, in any state,
 * since a closed socket may still have data.
 */
const ROW =
  /^\s*\d+: ([0-9A-F]+):([0-9A-F]{4}) ([0-9A-F]+):([0-9A-F]{4}) [0-9A-F]{2} (?:\S+ +){3}(\d+) +\S+ +(\d+) /gm;

/** Inode shown for a socket that no process has open any more. */
const NONE = '0';

/** Both ends of a connection, such as `127.0.0.1:51234`. */
export interface SocketEnds {
  readonly own: string;
  readonly peer: string;
}

/**
 * Returns true when a process of this gateway, or its descendant, holds the peer's end of a connection, and false when
 * only another process is seen to hold that end. `leaders`: live processes of this gateway.
 * When no process is seen to hold that end, returns true if one of the gateway's processes may hold it unseen, or if no
 * other process can. When the end has no socket, since it was closed or redirected, returns true if its address is one
 * of this machine's. Returns false for invalid addresses, and when the sockets cannot be read.
 */
export function isOfOurs(ends: SocketEnds, leaders: ReadonlySet<number>): boolean {
  const [own, peer] = [endOf(ends.own), endOf(ends.peer)];
  if (!own || !peer || process.platform !== 'linux') return false;
  const table = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap(socketsOf);
  // An empty table could not be read; otherwise, it would contain at least the gateway's own sockets.
  if (table.length === 0) return false;
  // Another program may have a socket with the same address and port and another peer.
  const sockets = table.filter(
    ({ name, local, remote }) => name !== nameOf(NONE) && isAt(local, peer) && isAt(remote, own),
  );
  if (sockets.length === 0) return isOwnAddress(peer.address);
  const names = sockets.map(({ name }) => name);
  const all = osProcesses(performance.now());
  const ours = new Set(all.filter((each) => isStartedHere(each, leaders)));
  if ([...ours].some(({ pid }) => hasOpen(pid, names))) return true;
  const others = all.filter((each) => !ours.has(each));
  if (others.some(({ pid }) => hasOpen(pid, names))) return false;
  const hidden = new HiddenDescriptors(names);
  const mayHold = [...ours].some((each) => mayBeOf(usersOf(each.pid), sockets) && hidden.mayBeIn(each.pid));
  return mayHold || (seesAll() && !others.some(({ pid }) => isHiddenHolder(pid, names, sockets)));
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
 * Returns true when a process with these user ids runs as the gateway's user and may have opened one of the
 * sockets.
 */
const mayBeOf = (users: readonly string[], sockets: readonly Socket[]): boolean =>
  users[0] === String(process.getuid?.()) && sockets.some(({ user }) => users.includes(user));

interface TableEnd {
  /** Address in the format of the kernel's table. */
  readonly address: string;
  readonly port: number;
}

interface Socket {
  readonly local: TableEnd;
  readonly remote: TableEnd;
  /** Name of the socket in /proc. */
  readonly name: string;
  readonly user: string;
}

const isAt = (found: TableEnd, end: End): boolean =>
  found.port === end.port && addressOf(found.address) === end.address;

const nameOf = (inode: string): string => `socket:[${inode}]`;

/** Returns true for a process that may have opened one of the sockets and whose descriptors cannot be read. */
const isHiddenHolder = (pid: number, names: readonly string[], sockets: readonly Socket[]): boolean =>
  openOrHidden(pid, names) === null && sockets.some(({ user }) => usersOf(pid).includes(user));

/** The initial process namespace of the system. */
const FIRST_NAMESPACE = 'pid:[4026531836]';

/** Returns false when processes of the machine may be invisible, such as in a container. */
function seesAll(): boolean {
  try {
    return readlinkSync('/proc/self/ns/pid') === FIRST_NAMESPACE && osProcess(1) !== null;
  } catch {
    return false;
  }
}

const isOwnAddress = (address: string): boolean =>
  address.startsWith('127.') ||
  Object.values(networkInterfaces()).some((all) => all?.some((each) => canonical(each.address) === address));

/** Returns the user ids of a process: real, effective, saved, and for files. */
function usersOf(pid: number): readonly string[] {
  try {
    return /^Uid:\s+(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]?.split(/\s+/) ?? [];
  } catch {
    return [];
  }
}

function socketsOf(table: string): Socket[] {
  let text: string;
  try {
    text = readFileSync(table, 'latin1');
  } catch {
    return [];
  }
  return [...text.matchAll(ROW)].map(
    ([, address = '', port = '', to = '', toPort = '', user = '', inode = '']) => ({
      local: { address, port: Number.parseInt(port, 16) },
      remote: { address: to, port: Number.parseInt(toPort, 16) },
      name: nameOf(inode),
      user,
    }),
  );
}

/** Decodes an address of the kernel's table: words of four bytes, each in reverse byte order. */
function addressOf(hex: string): string {
  const bytes = (hex.match(/.{8}/g) ?? []).flatMap((word) => (word.match(/../g) ?? []).toReversed());
  if (bytes.length === 4) return bytes.map((byte) => Number.parseInt(byte, 16)).join('.');
  const groups = Array.from({ length: 8 }, (_, at) => `${bytes[2 * at] ?? '0'}${bytes[2 * at + 1] ?? '0'}`);
  return canonical(groups.join(':'));
}

/** Returns the canonical form of an address; an IPv4-mapped IPv6 address becomes IPv4. */
function canonical(address: string): string {
  if (isIP(address) === 4) return address;
  return unmappedAddress(new URL(`http://[${address}]`).hostname.slice(1, -1));
}

/** Maximum number of ancestors that are checked. */
const DEEPEST = 100;

function hasAncestor(parent: number, leaders: ReadonlySet<number>): boolean {
  let pid = parent;
  for (let depth = 0; depth < DEEPEST && pid > 1; depth += 1) {
    if (leaders.has(pid)) return true;
    pid = osProcess(pid)?.parent ?? 0;
  }
  return false;
}
