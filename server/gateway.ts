// The exec-server itself, without HTTP and WebSocket: transports and tests connect to it through channels.
import { startCircumstances } from './approvals/answering-first.ts';
import { Approvals } from './approvals/approvals.ts';
import type { ApprovalsOptions } from './approvals/approvals-options.ts';
import { OnWaiting } from './approvals/on-waiting.ts';
import { accessMethods, type AccessOptions } from './methods/access-handlers.ts';
import { approvalMethods } from './methods/approval-handlers.ts';
import { shortCommand } from './audit/acts.ts';
import type { Audit } from './audit/audit.ts';
import { approvalEvents } from './methods/approval-events.ts';
import { peerAudit } from './methods/peer-audit.ts';
import { whenExpired } from './policy/expiry.ts';
import type { Identity } from './policy/identity.ts';
import { mayCall } from './policy/roles.ts';
import type { Limits } from './config.ts';
import { Console } from './console/console.ts';
import { consoleMethods } from './methods/console-handlers.ts';
import { processMethods } from './methods/process-handlers.ts';
import { paramsFor } from './console/guests.ts';
import { seesSecrets } from './console/redacted.ts';
import { seenResult } from './console/viewers.ts';
import { CommandDialect } from './sessions/command-dialect.ts';
import { fileMethods } from './methods/files/files-handlers.ts';
import { tryHelperAs } from './methods/files/helper.ts';
import { readyDecoders } from '../protocol/records.ts';
import type { User } from './host/user.ts';
import type { Channel } from './rpc/channel.ts';
import { Backlog } from './rpc/backlog.ts';
import { Connection } from './rpc/connection.ts';
import { CloseCode, SANDBOX_REFUSED } from '../protocol/console-constants.ts';
import { descriptorBudget } from './descriptor-budget.ts';
import { Budget, divided } from './limits/budget.ts';
import { expose, type Exposition, type Figures } from './ops/exposition.ts';
import { environmentInfo } from './sessions/environment-info.ts';
import type { History } from './history/history.ts';
import { openAudit, openHistory, openOnWaiting, openUnifiedRoom, type Recordings } from './gateway-rooms.ts';
import { recordingIn, withPast } from './methods/past.ts';
import { historyMethods } from './methods/history-handlers.ts';
import { initializeResult } from './sessions/initialize-result.ts';
import { Health } from './ops/health.ts';
import { closedForLine, defectLine, logHealth, sessionLine } from './ops/lines.ts';
import type { Log } from './ops/log.ts';
import type { StatusPages } from './ops/status-pages.ts';
import { takeOver } from './adoption/adopt.ts';
import type { KeeperHome } from './adoption/keeper-home.ts';
import { environmentMethods } from './methods/environment/environment-handlers.ts';
import { outboundMethods } from './methods/http/outbound-handlers.ts';
import type { Sandboxes } from './host/sandbox/sandboxes.ts';
import type { UnifiedRoom } from './unified/room.ts';
import { afterStarts } from './sessions/parking.ts';
import { Peer, type Decide, type Methods, type PeerAudit } from './sessions/peer.ts';

/** Number of audit entries returned by default. */
const AUDIT_LIMIT = 200;

export interface GatewayOptions {
  readonly limits: Limits;
  readonly version: string;
  readonly sandboxes: Sandboxes;
  /** User for children and file operations; null: the gateway's user. */
  readonly user: User | null;
  readonly log: Log;
  /** Path of the audit log; null when there is only one user. */
  readonly auditPath: string | null;
  /** Recordings; null, the default, for a gateway without a history. */
  readonly recordings?: Recordings | null;
  /** Tokens and shares; null when only the program that spawned the gateway has access. */
  readonly access: Pick<AccessOptions, 'tokens' | 'shares'> | null;
  /** Options of approvals; null when there are no people to ask. */
  readonly approvals?:
    | (Pick<ApprovalsOptions, 'stateDir' | 'policy' | 'ruleFiles'> & { readonly onWaiting: string | null })
    | null;
  /** Status pages, which report outages of the services behind agents; by default, none are requested. */
  readonly statusPages?: Pick<StatusPages, 'started' | 'warnings'>;
  /** Keeper of processes that outlive the gateway; by default, processes run in this program and end with it. */
  readonly home?: KeeperHome | null;
  /** Decides on requests before they take effect; by default, `approvals` does if it is set. */
  readonly decide?: Decide;
}

export class Gateway {
  readonly console: Console;
  readonly health = new Health();
  /** History of recordings; null without the option `recordings`. */
  readonly history: History | null;
  readonly audit: Audit;
  /** Unified exec, for agents that connect over MCP. */
  readonly unified: UnifiedRoom;
  readonly #options: GatewayOptions;
  readonly #methods: Methods;
  readonly #peerAudit: PeerAudit;
  readonly #environment;
  readonly #connections = new Map<Connection, Identity>();
  readonly #backlog: Backlog;
  readonly descriptors: Budget;
  readonly #approvals: Approvals | null;
  readonly #decide: Decide;
  readonly #onWaiting: OnWaiting | null;

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#backlog = new Backlog(options.limits);
    logHealth(this.health, options.log);
    this.descriptors = descriptorBudget(options.limits);
    const { home = null, recordings } = options;
    this.history = recordings ? openHistory(this, recordings, options.limits, home) : null;
    this.console = new Console(options.limits, {
      health: this.health,
      log: options.log,
      descriptors: this.descriptors,
      approvals: () => this.#approvals,
      started: (agent) => options.statusPages?.started(agent),
      history: this.history && recordingIn(this.history, options.recordings?.isOn ?? false),
      home,
      notes: home?.sessions ?? null,
      forgotten: (key) => home?.forget(key),
    });
    this.#environment = environmentInfo(options.version, options.user);
    this.unified = openUnifiedRoom(this, {
      approval: (session, processId) =>
        this.#approvals?.waiting.findLast((each) => each.session === session && each.processId === processId),
      notes: home?.agents ?? null,
      policyOf: (agent) => this.#approvals?.policyOf(agent) ?? 'never',
      outages: (agent) => options.statusPages?.warnings(agent) ?? [],
      hasFloor: options.sandboxes.floor !== 'none',
      shell: this.#environment.shell.path,
    });
    this.audit = openAudit(this, options);
    this.#peerAudit = peerAudit(this.audit, options.limits);
    this.#onWaiting = openOnWaiting(options.approvals?.onWaiting ?? null, options.log);
    const events = approvalEvents(this.console, this.audit, this.#onWaiting);
    const settingsChanged = (): void => {
      events.settingsChanged();
      this.health.report('rules', this.#approvals?.settings.tightened ?? null);
    };
    this.#approvals = options.approvals
      ? new Approvals({
          ...options.approvals,
          ...startCircumstances(options),
          isGivenBy: (...tokens) => options.access?.tokens.isGivenBy(...tokens) ?? false,
          isValid: (id) => !options.access || options.access.tokens.identityWith(id) !== null,
          events: { ...events, settingsChanged },
        })
      : null;
    settingsChanged();
    const approvals = this.#approvals;
    const decide = options.decide ?? approvals?.decide ?? (() => null);
    this.#decide = afterStarts(decide, Boolean(options.home ?? options.user));
    this.#methods = {
      ...approvalMethods(this.#approvals, this.console),
      ...environmentMethods(this.#environment, options.user),
      ...outboundMethods(options.limits, {
        isForbidden: options.sandboxes.floor !== 'none',
        descriptors: this.descriptors,
        decide: (peer, ...redirect) => this.#decide(peer, 'http/request', ...redirect),
        audit: this.#peerAudit,
      }),
      ...fileMethods(options.limits, {
        sandboxes: options.sandboxes,
        user: options.user,
        descriptors: this.descriptors,
        turns: new Budget('file requests', {
          all: options.limits.fileTurns + 1,
          perToken: options.limits.fileTurnsPerToken,
          reserve: 1,
        }),
        helpers: new Budget('files open in helpers', divided(options.limits.fileHelpers)),
      }),
      ...withPast(
        processMethods(this.console, options, (params) => approvals?.runsWithoutSandbox(params) ?? false),
        this.history,
        this.console,
      ),
      ...historyMethods(this.history, this.console),
      ...consoleMethods(this.console),
      ...accessMethods(
        options.access && {
          ...options.access,
          console: this.console,
          connectedWith: (tokenId) => this.connectedWith(tokenId),
        },
      ),
      'console/audit': ({ limit = AUDIT_LIMIT, ...filter }) => ({ entries: this.audit.read(filter, limit) }),
    };
  }

  /**
   * Detects what this host supports, and takes over the processes of an earlier gateway; await it before
   * serving. Throws when the configured user cannot run the file helper.
   */
  async prepare(): Promise<void> {
    const { sandboxes, limits, user, home, access, log } = this.#options;
    readyDecoders();
    if (user) await tryHelperAs(user, limits);
    await sandboxes.prepare();
    const { failure } = sandboxes;
    this.health.report('sandbox', failure === null ? null : `${SANDBOX_REFUSED}: ${failure}`);
    // Takeover comes before serving, because a client does not retry a refused resume.
    if (home) await takeOver(home, this.console, limits, access?.tokens ?? null, log);
    // The gateway before this one has written its last entries by now.
    this.audit.lookBack();
    this.#approvals?.restore(() => this.audit.earlierActs);
  }

  /** Serves one authenticated peer; `pageUrl` is the URL of the page, if there is one. */
  serve(channel: Channel, identity: Identity, pageUrl: string | null = null): void {
    const { limits, log } = this.#options;
    const connection = new Connection(channel, limits, this.#backlog, (method, error) =>
      log(...defectLine(method, error)),
    );
    this.#connections.set(connection, identity);
    this.console.tally.connections[identity.role] += 1;
    if (!seesSecrets(identity)) this.console.screens.drawRedacted();
    const stopExpiry = whenExpired(identity, () =>
      connection.close(CloseCode.unauthorized, 'the token has expired'),
    );
    const peer = new Peer({
      connection,
      identity,
      sessions: this.console.sessions,
      methods: this.#methods,
      firstDialect: (peer) =>
        new CommandDialect(peer, this.#options, () => this.console.checkRoom(peer.session, peer.identity)),
      pageUrl,
      mayCall,
      paramsFor: (who, method, params) => paramsFor(who, method, params, this.console.directory),
      seen: seesSecrets(identity)
        ? null
        : (peer, method, result) => seenResult(peer, method, result, (key) => this.console.find(key)),
      describe: (peer, session) => {
        const [environment, version] = [this.#environment, this.#options.version];
        return initializeResult(peer, session, { environment, version });
      },
      visited: (event, session, visitor) => {
        if (event === 'sessionMade') this.console.tally.sessions.made += 1;
        if (event === 'sessionResumed') this.console.tally.sessions.resumed += 1;
        log(...sessionLine(event, session, visitor));
      },
      decide: this.#decide,
      limits,
      audit: this.#peerAudit,
    });
    const giveBack = this.descriptors.take(identity);
    const forget = (): void => {
      stopExpiry();
      giveBack();
      this.#connections.delete(connection);
      if (connection.closedFor) log(...closedForLine(connection.closedFor, peer));
    };
    connection.onEnding(forget);
    this.#peerAudit.began(peer);
    connection.serve(peer, (method, outcome, ms) => this.console.tally.answered(method, outcome, ms));
  }

  /** Returns the reason why this identity cannot open another connection now; null when it can. */
  whyFull(identity: Identity): string | null {
    const { connectionsPerToken, connectionsPerGuest } = this.#options.limits;
    const most = identity.share ? connectionsPerGuest : connectionsPerToken;
    return this.connectedWith(identity.tokenId) < most
      ? this.descriptors.whyNot(identity)
      : `${most} connections with this token are open, which is the limit; close one first`;
  }

  /** Returns the number of open connections with this token. */
  connectedWith(id: string): number {
    return [...this.#connections.values()].filter(({ tokenId }) => tokenId === id).length;
  }

  metrics(around: Pick<Figures, 'vitals' | 'refused'>): Promise<Exposition> {
    const connections = { agent: 0, observer: 0, operator: 0, admin: 0 };
    for (const { role } of this.#connections.values()) connections[role] += 1;
    return expose({
      ...around,
      ...this.console.figures(),
      version: this.#options.version,
      tally: this.console.tally,
      connections,
      isDegraded: this.health.state.status !== 'ok',
    });
  }

  /**
   * Applies a decision that was made in the agent's own client, if the agent's token allows that. Requests
   * held by a pause are excluded.
   */
  decideInClient(identity: Identity, id: string, decision: 'accept' | 'decline'): void {
    const approvals = this.#approvals;
    const [approval] = approvals?.list({ id }).approvals ?? [];
    if (!approvals || identity.mayElicit !== true || approval?.state !== 'waiting' || approval.pause !== null)
      return;
    const { name, tokenId, role } = identity;
    const by = `${name} (in its client)`;
    approvals.answer({ id, decision }, { name: by, tokenId, isOwnClient: true });
    const details = { id, decision, argv: shortCommand(approval.argv), agent: approval.startedBy };
    const act = decision === 'accept' ? 'approve' : 'decline';
    this.audit.record({
      who: by,
      role,
      token: tokenId,
      connection: '',
      from: 'mcp',
      act,
      key: null,
      details,
    });
  }

  /** Closes the connections that authenticated with this token. */
  revoke(tokenId: string): void {
    for (const [connection, identity] of this.#connections) {
      if (identity.tokenId === tokenId) connection.close(CloseCode.unauthorized, 'the token was revoked');
    }
  }

  /** Ends every process group with a grace period, then every connection. */
  async close(graceMs = this.#options.limits.shutdownGraceMs): Promise<void> {
    this.unified.close();
    this.#onWaiting?.close();
    this.#approvals?.close();
    await this.console.endProcesses(graceMs);
    await this.#options.home?.stop(graceMs);
    await this.history?.close();
    await this.#closeConnections();
  }

  /** Stops the gateway but not its processes, which a later gateway takes over. */
  async leave(): Promise<void> {
    this.unified.close();
    this.#onWaiting?.close();
    this.#approvals?.close();
    await this.history?.leave();
    this.#options.home?.retire();
    await this.#closeConnections();
    this.#options.home?.leave();
  }

  async #closeConnections(): Promise<void> {
    // Exits are sent before the connections close.
    this.console.changes.flush();
    await new Promise((resolve) => setImmediate(resolve));
    for (const connection of this.#connections.keys())
      connection.close(CloseCode.goingAway, 'the gateway is stopping');
    this.console.close();
    this.audit.close();
    await this.#options.sandboxes.close();
  }
}
