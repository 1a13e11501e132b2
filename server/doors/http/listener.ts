// The HTTP server of the gateway's port: serves the page, sign-in, health and metrics, and passes on MCP and upgrades.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { admit, checkOrigin, queryOf, proofUse, type Admitted, type Proof } from '../../policy/admission.ts';
import type { Identity, Verified } from '../../policy/identity.ts';
import type { Link } from '../../policy/link-codes.ts';
import type { OwnNames } from '../../policy/own-names.ts';
import { answerOn, end, refuse, sendFile, sendJson, sendWorker, setSecurityHeaders } from './answers.ts';
import type { Certificate } from './certificate.ts';
import { Refusals, type Refused, type RefusedVisit } from './refusals.ts';
import type { DoorAct, ListenerOptions } from './listener-options.ts';
import { sendMetrics } from './metrics.ts';
import { shown, visitOf, type DoorVisit } from './visit.ts';
import { UnprovenSockets } from './unproven-sockets.ts';
import { Pipelined } from './pipelined.ts';
import { exchangeCode } from './code-exchange.ts';
import { giveLink } from './fresh-link.ts';
import { linkAuthority } from './shown-address.ts';

/** Number of ports tried after the default one when it is in use. */
const PORTS_TRIED = 20;

/** Script sent for every service worker, whatever its path, so that it also replaces a worker of another program. */
const WORKER = '/notifications/worker.js';

export class Listener {
  readonly #options: ListenerOptions;
  readonly #server: Server | TlsServer;
  readonly #refusals: Refusals;
  readonly #unproven: UnprovenSockets;
  readonly #pipelined: Pipelined;
  /** Sockets that are not reused after a refusal, since a proxy may disagree about where the next request begins. */
  readonly #ended = new WeakSet<Duplex>();
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
    this.#pipelined = new Pipelined(options.limits.pipelinedRequests);
    this.#server.prependListener('connection', (socket: Socket) => this.#meet(socket));
    this.#server.on('request', (request, response) =>
      this.#guarded(response, () => this.#request(request, response)),
    );
    this.#server.on('upgrade', (request, socket, head) =>
      this.#guarded(socket, () => this.#upgrade(request, socket, head)),
    );
  }

  /** Listens; unless `portIsFixed`, tries up to PORTS_TRIED further ports while one is in use. Errors name the port. */
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
        const why = code === 'EADDRINUSE' ? 'the port is in use; choose another with --port' : message;
        throw new Error(`cannot listen on ${host}:${candidate}: ${why}`, { cause });
      }
    }
  }

  /** Number of refusals since the start, by status; `connection`: sockets closed before a request. */
  get refused(): Readonly<Record<string, number>> {
    return this.#refusals.counts;
  }

  /** Replaces the certificate for later handshakes. */
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

  /** Runs before any data is read; with a declared proxy, direct clients on other machines are disconnected. */
  #meet(socket: Socket): void {
    const { peers } = this.#options;
    if (peers.isServed(socket)) {
      this.#unproven.add(socket);
      return;
    }
    const from = peers.sourceOf(socket, undefined);
    socket.destroy();
    this.#refusals.add({ from, reason: 'the address is not a trusted proxy', status: null, request: null });
  }

  /** Limits the effect of a defect to one connection. */
  #guarded(visitor: { destroy(): unknown }, answer: () => void): void {
    try {
      answer();
    } catch (error) {
      this.#options.reportDefect('an HTTP request', error);
      visitor.destroy();
    }
  }

  get #names(): OwnNames {
    return { publicUrl: this.#options.publicUrl, certificate: this.#certificate?.names ?? null };
  }

  #request(request: IncomingMessage, response: ServerResponse): void {
    if (this.#ended.has(request.socket)) return;
    if (!this.#pipelined.begin(request.socket, response)) {
      this.#ended.add(request.socket);
      const reason = 'too many pipelined requests';
      this.#record(visitOf(request, this.#options.peers, false), { status: null, reason });
      request.socket.destroy();
      return;
    }
    const isTls = this.#certificate !== null;
    setSecurityHeaders(response, { host: request.headers.host, isTls });
    const visit = visitOf(request, this.#options.peers, false);
    const refusal = checkOrigin(visit, this.#names);
    const [path = ''] = visit.url.split('?');
    if (path === '/auth/exchange' && visit.method === 'POST' && !refusal) {
      const exchanged = (identity: Identity, link: Link | null): void =>
        this.#audit(visit, 'signIn', identity, {
          ...(identity.share && { share: identity.share.id }),
          ...(link && { link: link.id, giver: link.giver?.tokenId ?? '' }),
        });
      const refused = (why: Refused): Refused => this.#refusal(visit, why);
      const { port } = this.#listensOn;
      const options = { ...this.#options.exchange, port, exchanged, refused };
      exchangeCode(request, response, options).catch((error: unknown) => {
        this.#options.reportDefect('POST /auth/exchange', error);
        response.destroy();
      });
      return;
    }
    if (path === '/mcp' && !refusal) {
      this.#passToMcp(visit, request, response);
      return;
    }
    request.resume();
    if (refusal) {
      this.#record(visit, refusal);
      this.#ended.add(request.socket);
      response.setHeader('connection', 'close');
      end(response, refusal.status, refusal.reason);
    } else if (path === '/auth/identity') this.#identify(visit, response);
    else if (path === '/auth/challenge') this.#challenge(visit, response);
    else if (path === '/status' || path === '/metrics') this.#report(path, visit, response);
    else if (path === '/auth/link' && visit.method === 'POST') this.#giveLink(visit, response);
    else this.#answer(request, response, path);
  }

  /** Sends a client the identity of its proof, or the reason for a refusal, which a WebSocket does not report. */
  #identify(visit: DoorVisit, response: ServerResponse): void {
    const identity = this.#demandProof(visit, response)?.identity;
    if (!identity) return;
    const { name, role, expiresAtMs } = identity;
    sendJson(response, { name, role, expiresAtMs });
  }

  /**
   * Sends a challenge to a client that will prove a credential without sending it; 401 for an unknown id or a malformed
   * nonce.
   */
  #challenge(visit: DoorVisit, response: ServerResponse): void {
    const asked = queryOf(visit.url);
    const result = this.#options.challenges.challenge(asked.get('id') ?? '', asked.get('nonce') ?? '');
    if (visit.method !== 'GET') end(response, 405);
    else if (result) sendJson(response, result);
    else {
      const { status, reason } = this.#refusal(visit, {
        status: 401,
        reason: 'this gateway has no token with this id',
      });
      end(response, status, reason);
    }
  }

  /** Verifies the token or proof of a request; a page's key is accepted only on the port for which it was created. */
  #verify(visit: DoorVisit, { text, way }: Proof): Verified {
    const { challenges, verify } = this.#options;
    const place = { port: this.#listensOn.port, use: proofUse(visit) };
    return way === 'proof' ? challenges.verify(text, place) : verify(text);
  }

  #report(what: '/status' | '/metrics', visit: DoorVisit, response: ServerResponse): void {
    const { statusFor, metricsFor, reportDefect } = this.#options;
    if (visit.method !== 'GET' && visit.method !== 'HEAD') {
      end(response, 405);
      return;
    }
    const identity = this.#demandProof(visit, response)?.identity;
    if (!identity) return;
    if (what === '/status') sendJson(response, statusFor(identity));
    else void sendMetrics(response, metricsFor(identity), reportDefect);
  }

  #giveLink(visit: DoorVisit, response: ServerResponse): void {
    const identity = this.#demandProof(visit, response)?.identity;
    if (!identity) return;
    const { exchange, codeTtlMs } = this.#options;
    const asked = queryOf(visit.url);
    const [role, name] = [asked.get('role'), asked.get('name')];
    const options = { identity, role, name, base: this.#pageUrl(visit), codes: exchange.codes, codeTtlMs };
    const { act, details } = giveLink(response, options);
    this.#audit(visit, act, identity, details);
  }

  #passToMcp(visit: DoorVisit, request: IncomingMessage, response: ServerResponse): void {
    // No other scheme is listed, so that clients use their configured token.
    response.setHeader('www-authenticate', 'Bearer');
    const admitted = this.#demandProof(visit, response);
    if (!admitted) {
      request.resume();
      return;
    }
    response.removeHeader('www-authenticate');
    this.#options.challenges.bringNext(admitted.proof, visit.headers, response);
    this.#unproven.proved(request.socket);
    this.#options.mcp(request, response, admitted.identity).catch((error: unknown) => {
      this.#options.reportDefect(`${visit.method} /mcp`, error);
      response.destroy();
    });
  }

  /**
   * Returns the page's URL: that of the proxy, or one with the host and port that `linkAuthority` chooses.
   */
  #pageUrl({ headers: { host = '' } }: DoorVisit): string {
    const { publicUrl } = this.#options;
    if (publicUrl) return publicUrl.href;
    const certificate = this.#certificate;
    return `${certificate ? 'https' : 'http'}://${linkAuthority(host, this.#listensOn, certificate?.names ?? null)}/`;
  }

  /** Returns the admission of a request with a valid proof; otherwise sends the refusal, and returns null. */
  #demandProof(visit: DoorVisit, response: ServerResponse): Admitted | null {
    const admission = admit(visit, (proof) => this.#verify(visit, proof), this.#names);
    if (admission.admitted) return admission;
    const { status, reason } = this.#refusal(visit, admission);
    end(response, status, reason);
    return null;
  }

  #answer(request: IncomingMessage, response: ServerResponse, path: string): void {
    const { page } = this.#options;
    const worker = page.get(WORKER);
    // Browsers mark requests for service worker scripts with this header, which pages cannot set.
    if (request.headers['service-worker'] === 'script' && worker) {
      sendWorker(request, response, worker);
      return;
    }
    const isHealth = path === '/healthz' || path === '/readyz';
    const file = page.get(path);
    if (!isHealth && !file) end(response, 404);
    else if (request.method !== 'GET' && request.method !== 'HEAD') end(response, 405);
    else if (file) sendFile(request, response, file);
    else end(response, 200);
  }

  /** Returns the reply to send, which is 429 beyond a rate of wrong proofs; logs any other refusal. */
  #refusal(visit: DoorVisit, { status, reason }: Refused): Refused {
    if (status === 401 && !this.#refusals.takeProof()) {
      return { status: 429, reason: 'too many failed sign-ins; try again in a minute' };
    }
    this.#record(visit, { status, reason });
    return { status, reason };
  }

  #record({ from, ...visit }: DoorVisit, { status, reason }: Pick<RefusedVisit, 'status' | 'reason'>): void {
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
    if (this.#ended.has(request.socket)) return;
    // Some clients offer HTTP/2 with every request; the offer is ignored.
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && request.headers.upgrade?.toLowerCase() !== 'websocket') {
      this.#request(request, answerOn(request, socket));
      return;
    }
    const visit = visitOf(request, this.#options.peers, true);
    const admission = admit(visit, (proof) => this.#verify(visit, proof), this.#names);
    const [path = ''] = visit.url.split('?');
    // Proof comes before the path, so that unauthenticated callers cannot probe paths.
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
      const [{ from }, pageUrl] = [visit, this.#pageUrl(visit)];
      const { identity, subprotocol, proof } = admission;
      const greeting = proof === null ? null : this.#options.challenges.greeting(proof);
      this.#options.onUpgrade({ request, socket, head, from, identity, subprotocol, greeting, pageUrl });
    }
  }
}

const pairOf = ({ cert, key }: Certificate) => ({ cert, key });
