// The names at which the gateway may be visited, and the Origins that its own page then has.
import type { PublicUrl } from './public-url.ts';

/** Names that are accepted as a Host, beside loopback and the address at which a visit arrived. */
export interface OwnNames {
  /** URL at which a trusted reverse proxy shows the page; null: none. */
  readonly publicUrl: PublicUrl | null;
  /** Names of the machine in the certificate of TLS, in lower case; IPv6 in brackets. */
  readonly certificate: readonly string[] | null;
}

/** Names that reach a loopback address. A page that rebinds its own name to us sends that name. */
const LOOPBACK = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** A Host in lower case: a name, an IPv4 address or a bracketed IPv6 address, and maybe a port. */
const HOST = /^(\[[\da-f:.]+\]|[^\s[\]:@/?#,]+)(?::\d{1,5})?$/;

/** Returns the only Origins that a page of ours can have with this Host; null for a Host that is not ours. */
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

/** A wildcard stands for exactly one label. */
const covers = (own: string, name: string): boolean =>
  own === name ||
  (own.startsWith('*.') && name.indexOf('.') > 0 && name.slice(name.indexOf('.')) === own.slice(1));

export const bracketed = (address: string): string => (address.includes(':') ? `[${address}]` : address);

/** Returns the plain IPv4 address of one that a socket for both families reports as IPv6. */
export const unmapped = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');
