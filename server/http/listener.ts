// The HTTP server of the one port: the page, the code exchange, health; upgrades are checked and handed over.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { admit, checkOrigin, withoutQuery, type Refusal, type Visit } from '../auth/admission.ts';
import type { Identity } from '../auth/identity.ts';
import type { Link } from '../auth/link-codes.ts';
import type { OwnNames } from '../auth/own-names.ts';
import type { PublicUrl } from '../auth/public-url.ts';
import type { ServedPeers } from '../auth/served-peers.ts';
import { answerOn, end, refuse, sendFile, sendJson, setSecurityHeaders } from './answers.ts';
import type { Certificate } from './certificate.ts';
import { Refusals, type Refused } from './refusals.ts';
import { tellMetrics, type Exposition, type ReportDefect } from './metrics.ts';
import { UnprovenSockets } from './unproven-sockets.ts';
import { exchangeCode, type CodeExchangeOptions } from './code-exchange.ts';
import { giveLink } from './fresh-link.ts';
import type { GatewayHealth } from '../protocol/console.ts';
import { linkAuthority } from './shown-address.ts';
import type { StaticFile } from './static-files.ts';

interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly subprotocol: string | null;
  readonly identity: Identity;
  /** Who asks, as it goes on record. */
  readonly from: string;
  /** Of the page, as this visitor reaches it; ends with a slash. */
  readonly pageUrl: string;
}

export interface ListenerLimits {
  /** What somebody has for the head of a request, or for the handshake of TLS … */
  readonly requestHeadMs: number;
  /** … and for a whole request. */
  readonly requestMs: number;
  readonly requestHeadBytes: number;
  readonly unprovenSockets: number;
}

export interface ListenerOptions {
  readonly limits: ListenerLimits;
  /** With one, TLS is all that is spoken. */
  readonly certificate: Certificate | null;
  readonly peers: ServedPeers;
  /** Where a trusted reverse proxy shows the page, if one does. */
  readonly publicUrl: PublicUrl | null;
  readonly page: ReadonlyMap<string, StaticFile>;
  readonly exchange: CodeExchangeOptions;
  /** How long a fresh link is good. */
  readonly codeTtlMs: number;
  /** What this identity may know of it. */
  /** For scripts; the page is told by its connection. */
  readonly statusFor: (identity: Identity) => GatewayHealth;
  /** For who watches many gateways; null for those who may not know. */
  readonly metricsFor: (identity: Identity) => Promise<Exposition> | null;
  readonly verify: (token: string) => Identity | null;
  /** Why this identity gets no further connection for now; null when it does. */
  readonly whyFull: (identity: Identity) => string | null;
  readonly onUpgrade: (upgrade: Upgrade) => void;
  readonly reportDefect: ReportDefect;
  readonly audit: (act: DoorAct) => void;
}

/** What happens at the door, for the record. */
export interface DoorAct {
  readonly act: 'refused' | 'signIn' | 'link';
  /** Whose proof it was, if anybody's. */
  readonly identity: Identity | null;
  readonly from: string;
  readonly details: Readonly<Record<string, string | number>>;
}

/** Of an address that was asked for, in the log. */
const LONGEST_PATH = 200;

/** How many ports after the default one are tried when it is busy. */
const PORTS_TRIED = 20;

export class Listener {
  readonly #options: ListenerOptions;
  readonly #server: Server | TlsServer;
  readonly #refusals: Refusals;
  readonly #unproven: UnprovenSockets;
  #certificate: Certificate | null;
  #listensOn = { host: '', port: 0 };

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#certificate = options.certificate;
    this.#refusals = new Refusals((from, details) => {
      options.audit({ act: 'refused', identity: null, from, details });
    });
    const { requestHeadMs, requestMs, requestHeadBytes } = options.limits;
    const limits = {
      headersTimeout: requestHeadMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: requestHeadMs / 2,
      maxHeaderSize: requestHeadBytes,
    };
    this.#server = options.certificate
      ? createTlsServer({ ...limits, ...pairOf(options.certificate), handshakeTimeout: requestHeadMs })
      : createServer(limits);
    this.#unproven = new UnprovenSockets(options.limits.unprovenSockets);
    this.#server.prependListener('connection', (socket: Socket) => this.#meet(socket));
    this.#server.on('request', (request, response) =>
      this.#guarded(response, () => this.#request(request, response)),
    );
    this.#server.on('upgrade', (request, socket, head) =>
      this.#guarded(socket, () => this.#upgrade(request, socket, head)),
    );
  }

  /** Binds; with a port that was only a default the next free one will do. Throws what a person can act on. */
  async listen(host: string, port: number, portIsFixed: boolean): Promise<AddressInfo> {
    const last = portIsFixed || port === 0 ? port : port + PORTS_TRIED;
    for (let candidate = port; ; candidate += 1) {
      try {
        const address = await this.#bind(host, candidate);
        this.#listensOn = { host, port: address.port };
        return address;
      } catch (cause) {
        const { code, message } = cause as NodeJS.ErrnoException;
        if (code === 'EADDRINUSE' && candidate < last) continue;
        const why = code === 'EADDRINUSE' ? 'the port is in use' : message;
        throw new Error(`cannot listen on ${host}:${candidate}: ${why}`, { cause });
      }
    }
  }

  /** Visits that were refused since the start, by the status that they were answered with. */
  get refused(): Readonly<Record<string, number>> {
    return this.#refusals.counts;
  }

  /** For handshakes from now on. */
  replaceCertificate(certificate: Certificate): void {
    this.#certificate = certificate;
    if ('setSecureContext' in this.#server) this.#server.setSecureContext(pairOf(certificate));
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

  /** Before a byte is read: with a declared proxy nobody else has any business here. */
  #meet(socket: Socket): void {
    const { peers } = this.#options;
    if (peers.isServed(socket)) {
      this.#unproven.add(socket);
      return;
    }
    const from = peers.sourceOf(socket, undefined);
    socket.destroy();
    this.#refusals.add({ from, reason: 'this is not a trusted proxy', status: null, request: null });
  }

  /** What fails inside is one visitor's loss. */
  #guarded(visitor: { destroy(): unknown }, answer: () => void): void {
    try {
      answer();
    } catch (error) {
      this.#options.reportDefect('a visit', error);
      visitor.destroy();
    }
  }

  get #names(): OwnNames {
    return { publicUrl: this.#options.publicUrl, certificate: this.#certificate?.names ?? null };
  }

  #request(request: IncomingMessage, response: ServerResponse): void {
    const isTls = this.#certificate !== null;
    setSecurityHeaders(response, { host: request.headers.host, isTls });
    const visit = this.#visitOf(request, false);
    const refusal = checkOrigin(visit, this.#names);
    const [path = ''] = visit.url.split('?');
    if (path === '/auth/exchange' && visit.method === 'POST' && !refusal) {
      const exchanged = (identity: Identity, link: Link | null): void =>
        this.#audit(visit, 'signIn', identity, {
          ...(identity.share && { share: identity.share.id }),
          ...(link && { link: link.id, giver: link.giver?.tokenId ?? '' }),
        });
      const refused = (why: Refused): void => this.#record(visit, why);
      const options = { ...this.#options.exchange, exchanged, refused };
      exchangeCode(request, response, options).catch((error: unknown) => {
        this.#options.reportDefect('POST /auth/exchange', error);
        response.destroy();
      });
      return;
    }
    request.resume();
    if (refusal) {
      this.#record(visit, refusal);
      end(response, refusal.status, refusal.reason);
    } else if (path === '/auth/identity') this.#identify(visit, response);
    else if (path === '/status' || path === '/metrics') this.#tell(path, visit, response);
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

  #tell(what: '/status' | '/metrics', visit: DoorVisit, response: ServerResponse): void {
    const { statusFor, metricsFor, reportDefect } = this.#options;
    if (visit.method !== 'GET' && visit.method !== 'HEAD') {
      end(response, 405);
      return;
    }
    const identity = this.#demandProof(visit, response);
    if (!identity) return;
    if (what === '/status') sendJson(response, statusFor(identity));
    else void tellMetrics(response, metricsFor(identity), reportDefect);
  }

  #giveLink(visit: DoorVisit, response: ServerResponse): void {
    const identity = this.#demandProof(visit, response);
    if (!identity) return;
    const { exchange, codeTtlMs } = this.#options;
    const asked = new URLSearchParams(visit.url.split('?')[1] ?? '');
    const [role, name] = [asked.get('role'), asked.get('name')];
    const options = { identity, role, name, base: this.#pageUrl(visit), codes: exchange.codes, codeTtlMs };
    const link = giveLink(response, options);
    const given = link && { link: link.id, role: link.role, ...(name !== null && { name }) };
    this.#audit(visit, link ? 'link' : 'refused', identity, given ?? { reason: 'may not make such a link' });
  }

  /** Without a proxy: by the name under which the one who asks reaches the gateway, tunnel or not. */
  #pageUrl({ headers: { host = '' } }: DoorVisit): string {
    const { publicUrl } = this.#options;
    if (publicUrl) return publicUrl.href;
    const certificate = this.#certificate;
    return `${certificate ? 'https' : 'http'}://${linkAuthority(host, this.#listensOn, certificate?.names ?? null)}/`;
  }

  /** Null when it has been answered already, with a refusal. */
  #demandProof(visit: DoorVisit, response: ServerResponse): Identity | null {
    const admission = admit(visit, this.#options.verify, this.#names);
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
    else if (file) sendFile(request, response, file);
    else end(response, 200);
  }

  /** Whoever tries wrong proofs in bulk gets no verdict on each. */
  #refusal(visit: DoorVisit, { status, reason }: Refusal): { status: number; reason: string } {
    if (status === 401 && !this.#refusals.takeProof()) {
      return { status: 429, reason: 'too many wrong proofs; try again in a minute' };
    }
    this.#record(visit, { status, reason });
    return { status, reason };
  }

  #record({ from, ...visit }: DoorVisit, { status, reason }: Refused): void {
    this.#refusals.add({ from, reason, status, request: shown(visit) });
  }

  #audit(
    { from, ...visit }: DoorVisit,
    act: DoorAct['act'],
    identity: Identity,
    more: Readonly<Record<string, string>> = {},
  ): void {
    this.#options.audit({ act, identity, from, details: { ...shown(visit), ...more } });
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => {});
    // Some offer HTTP/2 with whatever they ask for.
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && request.headers.upgrade?.toLowerCase() !== 'websocket') {
      this.#request(request, answerOn(request, socket));
      return;
    }
    const visit = this.#visitOf(request, true);
    const admission = admit(visit, this.#options.verify, this.#names);
    const [path = ''] = visit.url.split('?');
    // Also for whom the path exists or not is nobody's business without proof.
    if (!admission.admitted) {
      const { status, reason } = this.#refusal(visit, admission);
      refuse(socket, status, reason);
      return;
    }
    const whyFull = this.#options.whyFull(admission.identity);
    if (path !== '/') refuse(socket, 404, '');
    else if (whyFull !== null) {
      this.#record(visit, { status: 429, reason: whyFull });
      refuse(socket, 429, whyFull);
    } else {
      this.#unproven.proved(request.socket);
      const pageUrl = this.#pageUrl(visit);
      this.#options.onUpgrade({ request, socket, head, from: visit.from, ...admission, pageUrl });
    }
  }

  #visitOf(request: IncomingMessage, isUpgrade: boolean): DoorVisit {
    const { method = 'GET', url = '/', headers, socket } = request;
    const forwardedFor = headers['x-forwarded-for'];
    const hosts = request.headersDistinct['host']?.length ?? 0;
    const from = this.#options.peers.sourceOf(socket, forwardedFor?.toString());
    return { method, url, headers, hosts, localAddress: socket.localAddress ?? '', isUpgrade, from };
  }
}

interface DoorVisit extends Visit {
  /** As `127.0.0.1:51234`. */
  readonly from: string;
}

/** Of where a visit goes: what may be logged. */
const shown = ({ method, url }: Pick<Visit, 'method' | 'url'>) => ({
  method,
  path: withoutQuery(url).slice(0, LONGEST_PATH),
});

const pairOf = ({ cert, key }: Certificate) => ({ cert, key });
