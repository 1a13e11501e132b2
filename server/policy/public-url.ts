// URL at which a trusted reverse proxy shows the gateway to browsers.

export interface PublicUrl {
  /** The URL; ends with a slash. */
  readonly href: string;
  readonly origin: string;
  /** Accepted Host headers: with the port, and without it when it is the scheme's default. */
  readonly authorities: readonly string[];
}

const PORTS: { readonly [protocol: string]: string } = { 'http:': '80', 'https:': '443' };

/** Parses the URL; returns null for anything but an http(s) URL with only scheme, host, port and path. */
export function parsePublicUrl(text: string): PublicUrl | null {
  // A bare ? or # is not visible in the parsed URL.
  if (!URL.canParse(text) || /[?#]/.test(text)) return null;
  const url = new URL(text);
  const { protocol, username, password, hostname, host, origin } = url;
  const port = PORTS[protocol];
  if (port === undefined || username || password) return null;
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return { href: url.href, origin, authorities: url.port ? [host] : [host, `${hostname}:${port}`] };
}
