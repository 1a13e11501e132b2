// The address under which a trusted reverse proxy shows the gateway to browsers, when there is one.

export interface PublicUrl {
  /** Ends with a slash. */
  readonly href: string;
  readonly origin: string;
  /** As a Host names it: with the port, also when that is the scheme's own. */
  readonly authorities: readonly string[];
}

const PORTS: { readonly [protocol: string]: string } = { 'http:': '80', 'https:': '443' };

/** Null when it is no http(s) URL, or says more than scheme, host, port and path. */
export function parsePublicUrl(text: string): PublicUrl | null {
  // A bare ? or # leaves nothing in the parsed URL but itself.
  if (!URL.canParse(text) || /[?#]/.test(text)) return null;
  const url = new URL(text);
  const { protocol, username, password, hostname, host, origin } = url;
  const port = PORTS[protocol];
  if (port === undefined || username || password) return null;
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return { href: url.href, origin, authorities: url.port ? [host] : [host, `${hostname}:${port}`] };
}
