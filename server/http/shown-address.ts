// What the gateway calls itself in links: a name that its certificate has, and that leads to where it listens.
import { isIP } from 'node:net';
import { bracketed } from '../auth/own-names.ts';
import { isLoopbackAddress } from '../auth/served-peers.ts';

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
