// The HTTP server of the one port: the page, the code exchange, health; upgrades are checked and handed over.
import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { admit, checkOrigin, withoutToken, type Refusal, type Visit } from '../auth/admission.ts';
import type { PublicUrl } from '../auth/public-url.ts';
import { FailedProofs } from '../auth/failed-proofs.ts';
import type { Identity } from '../auth/identity.ts';
import { exchangeCode, type CodeExchangeOptions } from './code-exchange.ts';
import { giveLink } from './fresh-link.ts';
import type { GatewayHealth } from '../protocol/console.ts';
import type { StaticFile } from './static-files.ts';

interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly subprotocol: string | null;
  readonly identity: Identity;
}

export interface ListenerOptions {
  /** Where a trusted reverse proxy shows the page, if one does. */
  readonly publicUrl: PublicUrl | null;
  readonly page: ReadonlyMap<string, StaticFile>;
  readonly exchange: CodeExchangeOptions;
  /** How long a fresh link is good. */
  readonly codeTtlMs: number;
  readonly health: () => GatewayHealth;
  readonly verify: (token: string) => Identity | null;
  /** Why this identity gets no further connection for now; null when it does. */
  readonly whyFull: (identity: Identity) => string | null;
  readonly onUpgrade: (upgrade: Upgrade) => void;
  readonly log: (line: string) => void;
  readonly audit: (act: DoorAct) => void;
}

/** What happens at the door, for the record. */
export interface DoorAct {
  readonly act: 'refused' | 'signIn' | 'link';
  /** Whose proof it was, if anybody's. */
  readonly identity: Identity | null;
  readonly from: string;
  readonly details: Readonly<Record<string, string>>;
}

/** Of an address that was asked for, in the log. */
const LONGEST_PATH = 200;

/** How many ports after the default one are tried when it is busy. */
const PORTS_TRIED = 20;

const SECURITY_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    // xterm.js sets styles on its own elements.
    "style-src 'self' 'unsafe-inline'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    // Nothing on the page makes code or markup of text, so nothing may.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

export class Listener {
  readonly #options: ListenerOptions;
  readonly #server: Server;
  readonly #failedProofs = new FailedProofs();

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000, maxHeaderSize: 16 * 1024 });
    this.#server.on('request', (request, response) => this.#request(request, response));
    this.#server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
  }

  /** Binds; with a port that was only a default the next free one will do. Throws what a person can act on. */
  async listen(host: string, port: number, portIsFixed: boolean): Promise<AddressInfo> {
    const last = portIsFixed || port === 0 ? port : port + PORTS_TRIED;
    for (let candidate = port; ; candidate += 1) {
      try {
        return await this.#bind(host, candidate);
      } catch (cause) {
        const { code, message } = cause as NodeJS.ErrnoException;
        if (code === 'EADDRINUSE' && candidate < last) continue;
        const why = code === 'EADDRINUSE' ? 'the port is in use' : message;
        throw new Error(`cannot listen on ${host}:${candidate}: ${why}`, { cause });
      }
    }
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  #bind(host: string, port: number): Promise<AddressInfo> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, () => {
        this.#server.off('error', reject);
        resolve(this.#server.address() as AddressInfo);
      });
    });
  }

  #request(request: IncomingMessage, response: ServerResponse): void {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
    const visit = visitOf(request, false);
    const refusal = checkOrigin(visit, this.#options.publicUrl);
    const [path = ''] = visit.url.split('?');
    if (path === '/auth/exchange' && visit.method === 'POST' && !refusal) {
      const exchanged = (identity: Identity): void => this.#audit(visit, 'signIn', identity);
      exchangeCode(request, response, { ...this.#options.exchange, exchanged }).catch((error: unknown) => {
        this.#options.log(`POST /auth/exchange failed: ${String(error)}`);
        response.destroy();
      });
      return;
    }
    request.resume();
    if (refusal) {
      this.#audit(visit, 'refused', null, refusal.reason);
      end(response, refusal.status, refusal.reason);
    } else if (path === '/auth/identity') this.#identify(visit, response);
    else if (path === '/status') this.#tellHealth(visit, response);
    else if (path === '/auth/link' && visit.method === 'POST') this.#giveLink(visit, response);
    else this.#answer(request, response, path);
  }

  /** Whose proof this is: for a page whose socket was refused, since a browser does not tell it why. */
  #identify(visit: DoorVisit, response: ServerResponse): void {
    const identity = this.#demandProof(visit, response);
    if (!identity) return;
    const { name, role, expiresAtMs } = identity;
    sendJson(response, { name, role, expiresAtMs });
  }

  /** For scripts; the page is told by its connection. */
  #tellHealth(visit: DoorVisit, response: ServerResponse): void {
    if (visit.method !== 'GET' && visit.method !== 'HEAD') end(response, 405);
    else if (this.#demandProof(visit, response)) sendJson(response, this.#options.health());
  }

  #giveLink(visit: DoorVisit, response: ServerResponse): void {
    const identity = this.#demandProof(visit, response);
    if (!identity) return;
    const { exchange, codeTtlMs, publicUrl } = this.#options;
    // Without a proxy: the name by which the one who asks reaches the gateway, tunnel or not.
    const base = publicUrl?.href ?? `http://${visit.headers.host}/`;
    if (giveLink(response, { identity, base, codes: exchange.codes, codeTtlMs }))
      this.#audit(visit, 'link', identity);
  }

  /** Null when it has been answered already, with a refusal. */
  #demandProof(visit: DoorVisit, response: ServerResponse): Identity | null {
    const admission = admit(visit, this.#options.verify, this.#options.publicUrl);
    if (admission.admitted) return admission.identity;
    const { status, reason } = this.#refusal(visit, admission);
    end(response, status, reason);
    return null;
  }

  #answer(request: IncomingMessage, response: ServerResponse, path: string): void {
    const isHealth = path === '/healthz' || path === '/readyz';
    const file = this.#options.page.get(path);
    if (!isHealth && !file) end(response, 404);
    else if (request.method !== 'GET' && request.method !== 'HEAD') end(response, 405);
    else if (file) send(request, response, file);
    else end(response, 200);
  }

  /** Logs a refusal; whoever tries wrong proofs in bulk gets neither lines in the log nor a verdict on each. */
  #refusal(visit: DoorVisit, { status, reason }: Refusal): { status: number; reason: string } {
    if (status === 401 && !this.#failedProofs.add(performance.now())) {
      return { status: 429, reason: 'too many wrong proofs; try again in a minute' };
    }
    this.#options.log(`refused ${withoutToken(visit.url).slice(0, LONGEST_PATH)}: ${reason}`);
    this.#audit(visit, 'refused', null, reason);
    return { status, reason };
  }

  #audit(
    { url, method, from }: DoorVisit,
    act: DoorAct['act'],
    identity: Identity | null,
    reason?: string,
  ): void {
    const details = {
      method,
      path: withoutToken(url).slice(0, LONGEST_PATH),
      ...(reason !== undefined && { reason }),
    };
    this.#options.audit({ act, identity, from, details });
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => {});
    const visit = visitOf(request, true);
    const admission = admit(visit, this.#options.verify, this.#options.publicUrl);
    const [path = ''] = visit.url.split('?');
    // Also for whom the path exists or not is nobody's business without proof.
    if (!admission.admitted) {
      const { status, reason } = this.#refusal(visit, admission);
      refuse(socket, status, reason);
      return;
    }
    const whyFull = this.#options.whyFull(admission.identity);
    if (path !== '/') refuse(socket, 404, '');
    else if (whyFull !== null) refuse(socket, 429, whyFull);
    else this.#options.onUpgrade({ request, socket, head, ...admission });
  }
}

interface DoorVisit extends Visit {
  /** As `127.0.0.1:51234`. */
  readonly from: string;
}

const visitOf = (
  { method = 'GET', url = '/', headers, socket }: IncomingMessage,
  isUpgrade: boolean,
): DoorVisit => ({
  method,
  url,
  headers,
  isUpgrade,
  from: `${socket.remoteAddress ?? 'unknown'}:${socket.remotePort ?? 0}`,
});

function sendJson(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}

function end(response: ServerResponse, status: number, text = ''): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
}

function send(request: IncomingMessage, response: ServerResponse, file: StaticFile): void {
  response.setHeader('content-type', file.type);
  response.setHeader('etag', file.etag);
  response.setHeader('cache-control', file.cacheControl);
  response.setHeader('vary', 'accept-encoding');
  if (request.headers['if-none-match'] === file.etag) {
    response.writeHead(304).end();
    return;
  }
  const accepts = /\bbr\b/.test(request.headers['accept-encoding'] ?? '');
  const body = (accepts && file.compressed) || file.body;
  if (body === file.compressed) response.setHeader('content-encoding', 'br');
  response.writeHead(200, { 'content-length': body.length });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** A refusal on a socket that was to be upgraded. */
function refuse(socket: Duplex, status: number, text: string): void {
  const headers = {
    ...SECURITY_HEADERS,
    connection: 'close',
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  // Whoever was refused is not waited for.
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`);
}
