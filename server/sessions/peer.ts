// One connection's way through the handshake, and the way of each of its requests to its method.
//
//   new ──initialize──▶ initialized ──initialized──▶ ready ──connection lost──▶ (its session is detached)
import { randomBytes } from 'node:crypto';
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
 * One method: takes effect before it returns; a promise is only the wait for its answer. A request that needs a decision is
 * parked before (PK1).
 */
export type Method<M extends RequestMethod> = (
  params: Requests[M]['params'],
  peer: Peer,
) => Requests[M]['result'] | JsonText | Promise<Requests[M]['result'] | JsonText>;
/**
 * Decides whether a request takes effect: a promise that rejects with an RpcError when it must not. Null for a request that
 * takes effect at once.
 */
export type Decide = (peer: Peer, method: RequestMethod, params: unknown) => Promise<void> | null;

export type Methods = { readonly [M in Exclude<RequestMethod, 'initialize'>]: Method<M> };

/** Another set of methods for a client's processes. A connection that has begun to use it uses nothing else. */
export interface Dialect {
  request(method: string, params: unknown): unknown;
}

export interface PeerOptions {
  readonly connection: Connection;
  readonly identity: Identity;
  readonly sessions: SessionRegistry;
  readonly methods: Methods;
  /** The first exec-servers' `command/*`, which knows no resume. */
  readonly firstDialect: (peer: Peer) => Dialect;
  /** Address of the page; null where there is none. */
  readonly pageUrl: string | null;
  readonly mayCall: (role: Identity['role'], method: RequestMethod, isBeyondOwn: boolean) => boolean;
  /** The params as this identity may mean them. Throws for what it may not know of. */
  readonly paramsFor: (identity: Identity, method: RequestMethod, params: unknown) => unknown;
  /** The filter of results for this peer; null: results pass whole. */
  readonly seen: ((peer: Peer, method: RequestMethod, result: object) => object) | null;
  readonly describe: (peer: Peer, session: Session) => Requests['initialize']['result'];
  /** Called when a peer joins or leaves a session. */
  readonly visited: (event: SessionVisit, session: Session, peer: Peer) => void;
  readonly decide: Decide;
  readonly limits: TurnLimits;
  /** Receives every request that took effect, that failed, and that the role forbids. */
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
  /** Null until a method has told. */
  #dialect: Dialect | 'present' | null = null;

  constructor(options: PeerOptions) {
    this.#options = options;
    this.connection = options.connection;
    this.identity = options.identity;
    this.pageUrl = options.pageUrl;
    this.turn = new ConnectionTurn(options.connection, options.limits);
    this.#parking = new Parking(options.connection);
  }

  /** Session of the peer; only methods use it, and those run only after the handshake. */
  get session(): Session {
    if (this.#state.kind === 'new') throw new Error('invariant violation: a session before initialize');
    return this.#state.session;
  }

  /** The order of the checks is the reference's: method known, params, handshake, and then ours: the role. */
  request(method: string, params: unknown): unknown {
    const first = this.#firstDialect(method);
    if (first && method !== 'initialize') return first.request(method, params);
    if (!isMethod(method)) throw methodNotFound(`unknown method ${JSON.stringify(method.slice(0, 200))}`);
    const decoded = decoders[method](params);
    if (!decoded.ok) throw invalidParams(`${method}: ${decoded.reason}`);
    if (method === 'initialize')
      return this.#seen(method, this.#initialize(decoded.params as Requests['initialize']['params']));
    this.checkHandshake(method);
    this.checkRole(method, decoded.params);
    const allowed = this.#allowed(method, decoded.params);
    // The decoder of this very method has made these params.
    const call = this.#options.methods[method] as (params: unknown, peer: Peer) => object | Promise<object>;
    return this.decided(
      method,
      () => allowed,
      () => this.#seen(method, call(allowed, this)),
    );
  }

  /** Acts when that is decided; the first dialect's requests as what they are in the present, when they are asked. */
  decided(method: RequestMethod, params: () => unknown, act: () => unknown): unknown {
    const { audit, decide } = this.#options;
    const asked = params();
    const decision = decide(this, method, asked);
    if (!decision && !this.#parking.isBefore(asked)) return this.#onRecord(method, asked, act);
    let hasActed = false;
    const result = this.#parking.inTurn(asked, decision, () => {
      hasActed = true;
      return this.#onRecord(method, params(), act);
    });
    if (decision)
      result.catch((error: unknown) => {
        if (!hasActed) audit.failed(this, method, asked, error);
      });
    return result;
  }

  /** Does it and has it in the audit, also when it fails. */
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
    // A process that is yet to be started elsewhere has no key until then; every other act has taken effect.
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
      throw new ProtocolViolation(`unexpected notification ${method.slice(0, 80)}`);
    if (this.#state.kind === 'new') throw new ProtocolViolation('initialized before initialize');
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
    // Without processes of its own there is no reason to resume the session.
    const { session } = this.#state;
    const isOver = isOfFirstDialect || !this.mayCall('process/start', false) || session.endsWithConnection;
    if (isOver) sessions.end(session);
    else sessions.detach(session);
  }

  /** The first dialect, if this connection speaks it; the first method that is of one dialect only decides. */
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
    // A resumed session has processes of the present dialect.
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

  /** Returns true when its role permits the method, on processes of any session or only on its own. */
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
    throw new RpcError(ErrorCode.forbidden, `the role ${this.identity.role} may not call ${method}${where}`);
  }
}

/** Returns true when a request concerns a process of any session, or puts one into the console's. */
function reachesBeyondOwn(params: unknown): boolean {
  if (typeof params !== 'object' || params === null) return false;
  return 'key' in params || ('session' in params && params.session === 'console');
}

/** Name of a group of methods in the reference's message about a missing handshake. */
function family(method: string): string {
  if (method.startsWith('fs/')) return 'filesystem';
  if (method.startsWith('http/')) return 'http';
  if (method === 'environment/status') return 'environment status';
  if (method.startsWith('environment')) return 'environment info';
  return 'exec';
}
