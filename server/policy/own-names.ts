// Host names that the gateway accepts, and the resulting Origins of its own page.
import type { PublicUrl } from './public-url.ts';

/** Names that are accepted as a Host, besides loopback and the address at which a request arrived. */
export interface OwnNames {
  /** URL at which a trusted reverse proxy shows the page; null for none. */
  readonly publicUrl: PublicUrl | null;
  /** Names in the TLS certificate, in lower case; IPv6 addresses in brackets. Null without TLS. */
  readonly certificate: readonly string[] | null;
}

/** Loopback names, which are safe as a Host: a page whose own name is rebound to loopback sends that name as Host. */
const LOOPBACK = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** A Host in lower case: a name, an IPv4 address or a bracketed IPv6 address, with an optional port. */
const HOST = /^(\[[\da-f:.]+\]|[^\s[\]:@/?#,]+)(?::\d{1,5})?$/;

/** Returns the only Origins that our page can have with this Host; null for a Host that is not ours. */
export function ownOrigins(
  host: string,
  localAddress: string,
  { publicUrl, certificate }: OwnNames,
): readonly string[] | null {
  const [, name] = HOST.exec(host) ?? [];
  const isDirect =
    name !== undefined &&
    (isLoopbackName(name) ||
      name === bracketed(unmapped(localAddress)) ||
      isNamedBy(certificate ?? [], name));
  if (!isDirect && !publicUrl?.authorities.includes(host)) return null;
  return [
    ...(isDirect ? [`${certificate ? 'https' : 'http'}://${host}`] : []),
    ...(publicUrl ? [publicUrl.origin] : []),
  ];
}

export const isLoopbackName = (name: string): boolean => LOOPBACK.test(name);

export const isNamedBy = (names: readonly string[], name: string): boolean =>
  names.some((own) => covers(own, name));

/** Returns true when `own` covers `name`; a wildcard covers exactly one label. */
const covers = (own: string, name: string): boolean =>
  own === name ||
  (own.startsWith('*.') && name.indexOf('.') > 0 && name.slice(name.indexOf('.')) === own.slice(1));

export const bracketed = (address: string): string => (address.includes(':') ? `[${address}]` : address);

/**
 * Returns the IPv4 address of an IPv4-mapped IPv6 address, as dual-stack sockets report it; any other address
 * as it is.
 */
export const unmapped = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');
