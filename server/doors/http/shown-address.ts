// Chooses the gateway's name in links: if possible, one that its certificate contains and that other machines can use.
import { isIP } from 'node:net';
import { bracketed, isLoopbackName, isNamedBy } from '../../policy/own-names.ts';
import { isLoopbackAddress } from '../../policy/served-peers.ts';

/** Returns the name with which this machine reaches a server that listens on `host`. */
export const localName = (host: string): string =>
  bracketed({ '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host);

/** Returns the name for links, if possible one for other machines. `names`: those in the certificate, or null. */
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
 * Returns the host and port of a link to the page for a client that reached the gateway as `visited`: the
 * same if possible, even in a tunnel. With TLS, the certificate must contain the name; and if other machines
 * can reach the gateway, the link must not point to loopback.
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
