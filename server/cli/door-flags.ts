// The flags of where the gateway listens, and to whom it opens there: never to others in the clear, or without proof.
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { parsePublicUrl, type PublicUrl } from '../policy/public-url.ts';
import { isLoopbackAddress, parseAddressRange, type AddressRange } from '../policy/served-peers.ts';
import { UsageError } from './usage-error.ts';

export const DEFAULT_PORT = 7420;
const DEFAULT_HOST = '127.0.0.1';

export const DOOR_FLAGS = {
  listen: { type: 'string' },
  host: { type: 'string' },
  port: { type: 'string' },
  'tls-cert': { type: 'string' },
  'tls-key': { type: 'string' },
  'trusted-proxy': { type: 'string', multiple: true },
  'public-url': { type: 'string' },
} as const;

export const DOOR_HELP = `  --listen ws://IP:PORT   where to listen, as the reference spells it; port 0 = any free one; wss://IP:PORT with TLS
  --listen stdio://       instead, for who spawns it: one message per line on stdin and stdout; ends with stdin
  --host IP               the same, friendlier: the address (default ${DEFAULT_HOST}). One that others can reach, as
                          0.0.0.0, only with TLS or for a trusted proxy; nothing turns the proof of identity off
  --port PORT             and the port (default ${DEFAULT_PORT}, or the next free one; a port that is named must be free)
  --tls-cert FILE         speak TLS, and nothing else, with this certificate (PEM, with what leads to its authority);
  --tls-key FILE          and its private key. Both are read again when they change
  --trusted-proxy ADDRESS[/PREFIX]
                          a reverse proxy of yours, on a machine of its own; may be repeated. Beside this machine it is
                          the only one that is served, and is believed who has asked it (X-Forwarded-For, for the
                          record). Needs --public-url
  --public-url URL        where a reverse proxy of yours shows the page, as https://host.example/console/. Its Host and
                          Origin are let in beside our own, and links name it. It strips the path, and passes
                          WebSockets on
`;

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

/** Throws UsageError. */
export function doorsOf(values: Values): Doors {
  const tls = tlsOf(values);
  const { flag, ...address } = addressOf(values, tls !== null);
  const publicUrl = publicUrlOf(values['public-url']);
  const trustedProxies = (values['trusted-proxy'] ?? []).map(trustedProxyOf);
  if (trustedProxies.length > 0 && !publicUrl) {
    throw new UsageError('--trusted-proxy needs --public-url: where that proxy shows the page');
  }
  if (!isLoopbackAddress(address.host) && !tls && trustedProxies.length === 0) {
    throw new UsageError(
      `${flag} ${address.host}: others can reach this address, so it is only served with TLS (--tls-cert and ` +
        '--tls-key) or for a reverse proxy of yours (--trusted-proxy and --public-url). ' +
        'Or leave it on loopback and use a tunnel, for example ssh -L',
    );
  }
  return { ...address, publicUrl, tls, trustedProxies };
}

function tlsOf({ 'tls-cert': cert, 'tls-key': key }: Values): Doors['tls'] {
  if (cert === undefined && key === undefined) return null;
  if (key === undefined) throw new UsageError('--tls-cert needs --tls-key: the file with its private key');
  if (cert === undefined) throw new UsageError('--tls-key needs --tls-cert: the file with its certificate');
  return { certPath: resolve(cert), keyPath: resolve(key) };
}

function trustedProxyOf(text: string): AddressRange {
  const range = parseAddressRange(text);
  if (range) return range;
  throw new UsageError(
    `--trusted-proxy ${text}: expected an IP address, or a network of at least 8 bits, for example 10.0.0.2 or 10.0.0.0/24`,
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
    throw new UsageError('give either --listen or --host and --port, not both');
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
        ? `--listen ${listen}: with --tls-cert it is wss://, since TLS is all that is spoken`
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
