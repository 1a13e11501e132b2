// Flags for the gateway's address, TLS and reverse proxy; an address that other machines can reach needs TLS or a
// trusted proxy.
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { parsePublicUrl, type PublicUrl } from '../policy/public-url.ts';
import { isLoopbackAddress, parseAddressRange, type AddressRange } from '../policy/served-peers.ts';
import type { FlagSpecs } from './arguments.ts';
import { UsageError } from './usage-error.ts';

export const DEFAULT_PORT = 7420;
const DEFAULT_HOST = '127.0.0.1';

export const DOOR_FLAGS = {
  listen: {
    type: 'string',
    value: 'ws://IP:PORT',
    about:
      'Address to listen on, in the syntax of codex exec-server; port 0 picks a free port, wss:// needs TLS. stdio:// serves only the program that starts the gateway: one message per line, until stdin ends',
  },
  host: {
    type: 'string',
    value: 'IP',
    about: `Address to listen on (default: ${DEFAULT_HOST}). An address that other machines can reach, such as 0.0.0.0, needs TLS or a trusted proxy`,
  },
  port: {
    type: 'string',
    value: 'PORT',
    about: `Port to listen on (default: ${DEFAULT_PORT}, or the next free one); a port that is set here must be free`,
  },
  'tls-cert': {
    type: 'string',
    value: 'FILE',
    about: 'Certificate (PEM, with its chain); the port then accepts only TLS. Reloaded when it changes',
    completes: 'file',
  },
  'tls-key': {
    type: 'string',
    value: 'FILE',
    about: 'Private key of the certificate',
    completes: 'file',
  },
  'public-url': {
    type: 'string',
    value: 'URL',
    about:
      'Public URL of your reverse proxy, such as https://host.example/console/. Its Host and Origin are accepted and links use it; the proxy must strip the path and forward WebSockets',
  },
  'trusted-proxy': {
    type: 'string',
    multiple: true,
    value: 'ADDRESS[/PREFIX]',
    about:
      'Address of your reverse proxy on another machine; only this proxy and this machine are then served. Its X-Forwarded-For is used for the audit log. Needs --public-url; may be repeated',
  },
} as const satisfies FlagSpecs;

export interface Doors {
  readonly host: string;
  readonly port: number;
  readonly portIsFixed: boolean;
  readonly publicUrl: PublicUrl | null;
  readonly tls: { readonly certPath: string; readonly keyPath: string } | null;
  readonly trustedProxies: readonly AddressRange[];
}

interface Values {
  readonly listen?: string;
  readonly host?: string;
  readonly port?: string;
  readonly 'tls-cert'?: string;
  readonly 'tls-key'?: string;
  readonly 'trusted-proxy'?: readonly string[];
  readonly 'public-url'?: string;
}

/** Parses the flags. Throws UsageError. */
export function doorsOf(values: Values): Doors {
  const tls = tlsOf(values);
  const { flag, ...address } = addressOf(values, tls !== null);
  const publicUrl = publicUrlOf(values['public-url']);
  const trustedProxies = (values['trusted-proxy'] ?? []).map(trustedProxyOf);
  if (trustedProxies.length > 0 && !publicUrl) {
    throw new UsageError('--trusted-proxy needs --public-url, the URL at which the proxy serves the page');
  }
  if (!isLoopbackAddress(address.host) && !tls && trustedProxies.length === 0) {
    throw new UsageError(
      `${flag} ${address.host}: other machines can reach this address, so it needs TLS (--tls-cert and ` +
        '--tls-key) or a reverse proxy (--trusted-proxy and --public-url). ' +
        'To reach a loopback address from elsewhere, use a tunnel, such as ssh -L',
    );
  }
  return { ...address, publicUrl, tls, trustedProxies };
}

function tlsOf({ 'tls-cert': cert, 'tls-key': key }: Values): Doors['tls'] {
  if (cert === undefined && key === undefined) return null;
  if (key === undefined) throw new UsageError('--tls-cert needs --tls-key, the file with its private key');
  if (cert === undefined) throw new UsageError('--tls-key needs --tls-cert, the file with its certificate');
  return { certPath: resolve(cert), keyPath: resolve(key) };
}

function trustedProxyOf(text: string): AddressRange {
  const range = parseAddressRange(text);
  if (range) return range;
  throw new UsageError(
    `--trusted-proxy ${text}: expected an IP address, or a network with a prefix of at least 8 bits, for example 10.0.0.2 or 10.0.0.0/24`,
  );
}

function publicUrlOf(text: string | undefined): PublicUrl | null {
  if (text === undefined) return null;
  const parsed = parsePublicUrl(text);
  if (parsed) return parsed;
  throw new UsageError(`--public-url ${text}: expected http(s)://HOST[:PORT][/PATH/], and nothing else`);
}

type Address = Pick<Doors, 'host' | 'port' | 'portIsFixed'> & { readonly flag: string };

function addressOf({ listen, host, port }: Values, isTls: boolean): Address {
  if (listen === undefined) {
    return {
      flag: '--host',
      host: checkHost(host ?? DEFAULT_HOST, '--host'),
      port: port === undefined ? DEFAULT_PORT : checkPort(port, '--port'),
      portIsFixed: port !== undefined,
    };
  }
  if (host !== undefined || port !== undefined) {
    throw new UsageError('use either --listen or --host and --port, not both');
  }
  const [, scheme, ip, bracketed, listenPort] =
    /^(wss?):\/\/(?:([\d.]+)|\[([\da-f:]+)\]):(\d+)\/?$/i.exec(listen) ?? [];
  if (scheme === undefined || listenPort === undefined) {
    throw new UsageError(
      `--listen ${listen}: expected ws://IP:PORT, for example ws://${DEFAULT_HOST}:${DEFAULT_PORT}, or stdio://`,
    );
  }
  if ((scheme.toLowerCase() === 'wss') !== isTls) {
    throw new UsageError(
      isTls
        ? `--listen ${listen}: use wss:// with --tls-cert, since the port accepts only TLS`
        : `--listen ${listen}: wss:// needs --tls-cert and --tls-key`,
    );
  }
  return {
    flag: '--listen',
    host: checkHost(ip ?? bracketed ?? '', '--listen'),
    port: checkPort(listenPort, '--listen'),
    portIsFixed: true,
  };
}

function checkHost(host: string, flag: string): string {
  const ip = host === 'localhost' ? DEFAULT_HOST : host;
  if (isIP(ip) === 0)
    throw new UsageError(`${flag} ${host}: expected an IP address, for example ${DEFAULT_HOST}`);
  return ip;
}

function checkPort(port: string, flag: string): number {
  const number = Number(port);
  if (!/^\d{1,5}$/.test(port) || number > 65_535)
    throw new UsageError(`${flag} ${port}: expected a port from 0 to 65535`);
  return number;
}
