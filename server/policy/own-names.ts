// Under which names the gateway may be visited, and which Origin its own page has then.
import type { PublicUrl } from './public-url.ts';

/** What decides over a Host, beside loopback and the address that a visit came to. */
export interface OwnNames {
  /** Where a trusted reverse proxy shows the page, if one does. */
  readonly publicUrl: PublicUrl | null;
  /** With TLS: what the certificate says that this machine is called, in lower case; IPv6 in brackets. */
  readonly certificate: readonly string[] | null;
}

/** Names under which a loopback address is reached. A page that rebinds its own name to us says that name. */
const LOOPBACK = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** A Host in lower case: a name, an IPv4 address or a bracketed IPv6 address, and maybe a port. */
const HOST = /^(\[[\da-f:.]+\]|[^\s[\]:@/?#,]+)(?::\d{1,5})?$/;

/** Of a Host that is ours: the only Origins that a page of ours can have under it. Null of any other Host. */
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

/** What a socket for both families calls an IPv4 address, as it is. */
export const unmapped = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');
