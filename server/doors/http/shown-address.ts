// What the gateway calls itself in links: a name that its certificate has, and that leads to where it listens.
import { isIP } from 'node:net';
import { bracketed, isLoopbackName, isNamedBy } from '../../policy/own-names.ts';
import { isLoopbackAddress } from '../../policy/served-peers.ts';

/** Where this machine itself reaches what listens on `host`. */
export const localName = (host: string): string =>
  bracketed({ '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host);

/** For others; `names` are the certificate's, or null without one. */
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
 * What a link to the page calls the gateway, for whoever has come to it as `visited`: just so, tunnel or not. With
 * TLS it must be a name that browsers accept, and for who has come by loopback to a gateway that others can reach, one
 * that is good elsewhere, too.
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
