// Handshake of one connection, and dispatch of its requests. States: new → initialized → ready. The loss of the
// connection detaches or ends the session.
import { randomBytes } from 'node:crypto';
import { headOf } from '../../text/cut.ts';
import type { Identity } from '../policy/identity.ts';
import { ConnectionTurn, type TurnLimits } from '../delivery/connection-turn.ts';
import { decoders, isMethod } from '../../protocol/records.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { ErrorCode } from '../../protocol/jsonrpc.ts';
import type { RequestMethod, Requests } from '../../protocol/methods.ts';
import type { Connection, Answerer } from '../rpc/connection.ts';
import {
  invalidParams,
  invalidRequest,
  methodNotFound,
  ProtocolViolation,
  RpcError,
} from '../rpc/rpc-error.ts';
import { Parking } from './parking.ts';
import type { SessionRegistry } from './registry.ts';
import type { Session } from './session.ts';

/**
 * Handler of one method. It takes effect, or begins to, before it returns, so requests that need a decision are parked
 * before it is called (PK1).
 */
export type Method<M extends RequestMethod> = (
  params: Requests[M]['params'],
  peer: Peer,
) => Requests[M]['result'] | JsonText | Promise<Requests[M]['result'] | JsonText>;
/**
 * Decides whether a request takes effect. Returns null when the request needs no decision; otherwise a promise that
 * resolves when the request is allowed, and rejects with an RpcError when it is not. `signal` aborts when the request
 * can no longer take effect.
 */
export type Decide = (
  peer: Peer,
  method: RequestMethod,
  params: unknown,
  signal?: AbortSignal,
) => Promise<void> | null;

export type Methods = { readonly [M in Exclude<RequestMethod, 'initialize'>]: Method<M> };

/** Alternative methods for a client's processes. A connection that has used a dialect cannot use another. */
export interface Dialect {
  request(method: string, params: unknown): unknown;
}

export interface PeerOptions {
  readonly connection: Connection;
  readonly identity: Identity;
  readonly sessions: SessionRegistry;
  readonly methods: Methods;
  /** Creates the dialect of the first exec-servers (`command/*`), which cannot resume sessions. */
  readonly firstDialect: (peer: Peer) => Dialect;
  /** URL of the page; null when there is none. */
  readonly pageUrl: string | null;
  readonly mayCall: (role: Identity['role'], method: RequestMethod, isBeyondOwn: boolean) => boolean;
  /** Returns the params, limited to what this identity may use; throws for a forbidden request. */
  readonly paramsFor: (identity: Identity, method: RequestMethod, params: unknown) => unknown;
  /** Filters results for this peer; null means no filter. */
  readonly seen: ((peer: Peer, method: RequestMethod, result: object) => object) | null;
  readonly describe: (peer: Peer, session: Session) => Requests['initialize']['result'];
  /** Called when a peer joins or leaves a session. */
  readonly visited: (event: SessionVisit, session: Session, peer: Peer) => void;
  readonly decide: Decide;
  readonly limits: TurnLimits;
  /** Receives the connection's beginning and end, and requests that took effect, failed, or were refused. */
  readonly audit: PeerAudit;
}

export type SessionVisit = 'sessionMade' | 'sessionResumed' | 'sessionDetached';

export interface PeerAudit {
  began(peer: Peer): void;
  called(peer: Peer, method: RequestMethod, params: unknown, result: unknown): void;
  failed(peer: Peer, method: RequestMethod, params: unknown, error: unknown): void;
  refused(peer: Peer, method: RequestMethod, params: unknown): void;
  ended(peer: Peer): void;
}

type State =
  | { readonly kind: 'new' }
  | { readonly kind: 'initialized'; readonly session: Session }
  | { readonly kind: 'ready'; readonly session: Session };

export class Peer implements Answerer {
  /** Public label of this connection. */
  readonly label = `c-${randomBytes(6).toString('base64url')}`;
  readonly connection: Connection;
  readonly identity: Identity;
  readonly pageUrl: string | null;
  readonly turn: ConnectionTurn;
  readonly #options: PeerOptions;
  readonly #parking: Parking;
  #state: State = { kind: 'new' };
  /** Null until the connection resumes a session, or calls a method that belongs to one dialect. */
  #dialect: Dialect | 'present' | null = null;

  constructor(options: PeerOptions) {
    this.#options = options;
    this.connection = options.connection;
    this.identity = options.identity;
    this.pageUrl = options.pageUrl;
    this.turn = new ConnectionTurn(options.connection, options.limits);
    this.#parking = new Parking(options.connection);
  }

  /** Session of the peer; throws before `initialize`. */
  get session(): Session {
    if (this.#state.kind === 'new') throw new Error('invariant violation: a session before initialize');
    return this.#state.session;
  }

  /**
   * Handles a request. The checks are those of the reference server, in its order (method known, params,
   * handshake), and then the role.
   */
  request(method: string, params: unknown): unknown {
    const first = this.#firstDialect(method);
    if (first && method !== 'initialize') return first.request(method, params);
    if (!isMethod(method)) throw methodNotFound(`unknown method ${JSON.stringify(headOf(method, 200))}`);
    const decoded = decoders[method](params);
    if (!decoded.ok) throw invalidParams(`${method}: ${decoded.reason}`);
    if (method === 'initialize')
      return this.#seen(method, this.#initialize(decoded.params as Requests['initialize']['params']));
    this.checkHandshake(method);
    this.checkRole(method, decoded.params);
    const allowed = this.#allowed(method, decoded.params);
    // The decoder of this method has produced these params.
    const call = this.#options.methods[method] as (params: unknown, peer: Peer) => object | Promise<object>;
    return this.decided(method, allowed, () => this.#seen(method, call(allowed, this)));
  }

  /**
   * Runs `act` once the request is allowed. A request of the first dialect is decided like its counterpart in
   * the current dialect.
   */
  decided(method: RequestMethod, params: unknown, act: () => unknown): unknown {
    const { audit, decide } = this.#options;
    const decision = decide(this, method, params);
    if (!decision && !this.#parking.isBefore(params)) return this.#onRecord(method, params, act);
    let last = decision;
    let hasActed = false;
    const acts = (): unknown => {
      hasActed = true;
      return this.#onRecord(method, params, act);
    };
    const result = this.#parking.inTurn(params, decision, acts, () => (last = decide(this, method, params)));
    result.catch((error: unknown) => {
      if (last && !hasActed) audit.failed(this, method, params, error);
    });
    return result;
  }

  /** Resolves when all requests about a process of this session that are parked now have taken effect or failed. */
  whenPast(processId: string): Promise<void> {
    return this.#parking.whenPast({ processId });
  }

  /** Runs `act`, and records its result or failure in the audit log. */
  #onRecord(method: RequestMethod, params: unknown, act: () => unknown): unknown {
    const { audit } = this.#options;
    let result;
    try {
      result = act();
    } catch (error) {
      audit.failed(this, method, params, error);
      throw error;
    }
    const called = (answer: unknown): void => audit.called(this, method, params, answer);
    const failed = (error: unknown): void => audit.failed(this, method, params, error);
    const isStart = method === 'process/start' || method === 'process/restart';
    // A process that starts asynchronously has no key yet. Every other act is recorded at once, since an act that fails
    // later may have taken effect in part: a copied folder, a request whose reply did not arrive.
    if (!isStart || !(result instanceof Promise)) called(result);
    if (result instanceof Promise) result.then(isStart ? called : () => {}, failed);
    return result;
  }

  #seen(method: RequestMethod, result: object | Promise<object>): object | Promise<object> {
    const { seen } = this.#options;
    if (!seen) return result;
    return result instanceof Promise
      ? result.then((settled) => seen(this, method, settled))
      : seen(this, method, result);
  }

  notification(method: string): void {
    if (method !== 'initialized')
      throw new ProtocolViolation(`unexpected notification ${headOf(method, 80)}`);
    if (this.#state.kind === 'new')
      throw new ProtocolViolation('the notification initialized arrived before initialize');
    this.#state = { kind: 'ready', session: this.#state.session };
  }

  malformed(reason: string): void {
    if (typeof this.#dialect === 'object' && this.#dialect)
      throw new ProtocolViolation(`malformed message: ${reason}`);
  }

  closed(): void {
    this.#options.audit.ended(this);
    if (this.#state.kind === 'new') return;
    const { sessions, visited } = this.#options;
    visited('sessionDetached', this.#state.session, this);
    const isOfFirstDialect = typeof this.#dialect === 'object' && this.#dialect;
    // Resuming is impossible in the first dialect, and useless when the session can have no processes, or loses all
    // of them with its connection.
    const { session } = this.#state;
    const isOver = isOfFirstDialect || !this.mayCall('process/start', false) || session.endsWithConnection;
    if (isOver) sessions.end(session);
    else sessions.detach(session);
  }

  /**
   * Returns the first dialect if this connection uses it, otherwise null. The first method that belongs to one dialect
   * decides that, unless a session was resumed.
   */
  #firstDialect(method: string): Dialect | null {
    if (method.startsWith('process/')) this.#dialect ??= 'present';
    if (method.startsWith('command/')) this.#dialect ??= this.#options.firstDialect(this);
    return this.#dialect === 'present' ? null : this.#dialect;
  }

  #initialize(params: Requests['initialize']['params']): Requests['initialize']['result'] {
    if (this.#state.kind !== 'new')
      throw invalidRequest('initialize may be called only once on a connection');
    const { sessions, visited } = this.#options;
    const { clientName, resumeSessionId } = params;
    const session =
      typeof resumeSessionId === 'string'
        ? sessions.resume(resumeSessionId, this.identity)
        : sessions.create(clientName, this.identity);
    // A resumed session has processes of the current dialect, so this connection cannot use the first one.
    if (typeof resumeSessionId === 'string') this.#dialect = 'present';
    this.#state = { kind: 'initialized', session };
    session.attach(this.turn);
    visited(typeof resumeSessionId === 'string' ? 'sessionResumed' : 'sessionMade', session, this);
    return this.#options.describe(this, session);
  }

  checkHandshake(method: string): void {
    if (this.#state.kind === 'ready') return;
    const missing = this.#state.kind === 'new' ? 'call initialize' : 'send initialized';
    throw invalidRequest(`client must ${missing} before using ${family(method)} methods`);
  }

  /** Returns true when the role permits the method, for any session's processes if `isBeyondOwn`. */
  mayCall(method: RequestMethod, isBeyondOwn: boolean): boolean {
    return this.#options.mayCall(this.identity.role, method, isBeyondOwn);
  }

  #allowed(method: RequestMethod, params: unknown): unknown {
    try {
      return this.#options.paramsFor(this.identity, method, params);
    } catch (error) {
      this.#options.audit.refused(this, method, params);
      throw error;
    }
  }

  checkRole(method: RequestMethod, params: unknown): void {
    const isBeyondOwn = reachesBeyondOwn(params);
    if (this.mayCall(method, isBeyondOwn)) return;
    this.#options.audit.refused(this, method, params);
    const where = isBeyondOwn ? ' outside its own session' : '';
    throw new RpcError(
      ErrorCode.forbidden,
      `the role ${this.identity.role} is not allowed to call ${method}${where}`,
    );
  }
}

/** Returns true when a request is about a process of any session, or starts one in the console's. */
function reachesBeyondOwn(params: unknown): boolean {
  if (typeof params !== 'object' || params === null) return false;
  return 'key' in params || ('session' in params && params.session === 'console');
}

/** Returns the group of methods that the reference server names in its error about a missing handshake. */
function family(method: string): string {
  if (method.startsWith('fs/')) return 'filesystem';
  if (method.startsWith('http/')) return 'http';
  if (method === 'environment/status') return 'environment status';
  if (method.startsWith('environment')) return 'environment info';
  return 'exec';
}
