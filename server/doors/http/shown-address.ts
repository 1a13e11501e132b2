// The gateway's name in links: one that its certificate has, and that leads to its listening address.
import { isIP } from 'node:net';
import { bracketed, isLoopbackName, isNamedBy } from '../../policy/own-names.ts';
import { isLoopbackAddress } from '../../policy/served-peers.ts';

/** Returns the name by which this machine itself reaches a server that listens on `host`. */
export const localName = (host: string): string =>
  bracketed({ '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host);

/** Returns the name for other machines; `names` are the certificate's, or null without one. */
export function shownName(host: string, names: readonly string[] | null): string {
  const local = localName(host);
  const exact = (names ?? []).filter((name) => !name.startsWith('*.'));
  const isEverywhere = local !== bracketed(host);
  if (!isEverywhere && exact.includes(local)) return local;
  if (isLoopbackAddress(host) && exact.includes('localhost')) return 'localhost';
  const isElsewhere = (name: string): boolean => name !== 'localhost' && !/^127\.|^\[::1\]$/.test(name);
  const known = exact.filter(isElsewhere);
  const isAddress = (name: string): boolean => isIP(name) > 0 || name.startsWith('[');
  return known.find((name) => !isAddress(name)) ?? (isEverywhere ? known[0] : undefined) ?? local;
}

interface Listening {
  readonly host: string;
  readonly port: number;
}

/**
 * Returns the host and port of a link to the page, for a client that has reached the gateway as `visited`: exactly
 * that, tunnel or not. With TLS it must be a name that browsers accept, and for a client on loopback, when other
 * machines can reach the gateway, a name that works there, too.
 */
export function linkAuthority(
  visited: string,
  { host, port }: Listening,
  names: readonly string[] | null,
): string {
  if (!names) return visited;
  const shown = shownName(host, names);
  const name = visited.toLowerCase().replace(/:\d+$/, '');
  const isGood = isNamedBy(names, name) && (!isLoopbackName(name) || isLoopbackName(shown));
  return isGood ? visited : `${shown}:${port}`;
}
