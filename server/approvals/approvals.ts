// Approvals: each request of an agent runs at once, waits for a person, or is refused.
import type {
  Approval,
  ApprovalSettings,
  ApprovalsResult,
  AskResult,
  DecideParams,
  Pause,
} from '../../protocol/approvals.ts';
import type { AuditEntry } from '../../protocol/audit.ts';
import type { RequestMethod } from '../../protocol/methods.ts';
import type { ApprovalPolicy, RuleCheck } from '../../protocol/rules.ts';
import { internal, invalidRequest } from '../rpc/rpc-error.ts';
import { ApprovalStore } from '../policy/approval-store.ts';
import { checked } from '../policy/rules/check.ts';
import { isBanned } from '../policy/rules/proposal.ts';
import type { Verdict } from '../policy/rules/verdict.ts';
import type { Decide, Peer } from '../sessions/peer.ts';
import type { Session } from '../sessions/session.ts';
import { refusalByPerson } from '../../text/refusals.ts';
import { visible } from '../../text/visible.ts';
import { afterAnswers } from './answering-first.ts';
import { AppliedRules } from './applied-rules.ts';
import type { ApprovalsOptions } from './approvals-options.ts';
import { whyOf, type Asked } from './asked.ts';
import { offeredRules } from './offered-rules.ts';
import { storeChange } from './store-change.ts';
import { otherThreads, Pauses, pauseReason } from './pauses.ts';
import { pack } from './packed.ts';
import { pastRequests } from './past-requests.ts';
import { Policies } from './policies.ts';
import { Reconsidering } from './reconsidering.ts';
import { Remembered } from './remembered.ts';
import { current, goOnAsShown, waitAsShown } from './as-shown.ts';
import { raised } from './raised.ts';
import { AskedStart } from './start-question.ts';
import { ToolAsks, type AskParams } from './tool-asks.ts';
import { isFor, WaitingQueue, type Asking, type CurrentLook, type Decider, type Waiter } from './waiting.ts';

/** Verdict on requests that a remembered approval covers. */
const RUNS: Verdict = { kind: 'run' };

export class Approvals {
  readonly #options: ApprovalsOptions;
  readonly #store: ApprovalStore;
  readonly #queue: WaitingQueue;
  readonly #reconsidering: Reconsidering;
  readonly #tools: ToolAsks;
  readonly #pauses: Pauses;
  readonly rules: AppliedRules;
  readonly #policies: Policies;
  readonly #remembered: Remembered;
  /** Starts that wait for a decision, or whose files are inspected; each with its agent's connection. */
  readonly #starts = new Map<AskedStart, Peer>();
  /** Params of starts that were approved although the requested sandbox is not available. */
  readonly #withoutSandbox = new WeakSet<object>();
  /** True while no policy, pause, or changed or broken rule file requires approval, and no rule forbids anything. */
  #isIdle = false;
  /** Returns null for a request that runs at once; else resolves when it may run, and rejects if it is refused. */
  readonly decide: Decide;

  constructor(options: ApprovalsOptions) {
    this.#options = options;
    this.#remembered = new Remembered(() => this.rules.restrictionsVersion, options.isValid);
    this.#store = new ApprovalStore(options.stateDir);
    this.#policies = new Policies(this.#store, options.policy);
    this.#pauses = new Pauses(this.#store);
    this.#queue = new WaitingQueue(options.limits, options.events, options.isGivenBy);
    this.#reconsidering = new Reconsidering(this.#queue);
    this.rules = new AppliedRules({
      stateDir: options.stateDir,
      others: options.ruleFiles,
      store: this.#store,
      path: process.env['PATH'],
      changed: (by) => this.#settingsChanged(by),
    });
    this.#tools = new ToolAsks(options, this.#queue, (peer, asked) => this.#look(peer, asked));
    this.#isIdle = this.#findIdle();
    const isIdle = (): boolean => this.#isIdle && this.#queue.isEmpty && this.#starts.size === 0;
    this.decide = afterAnswers((...request) => this.#decide(...request), options.user, isIdle);
  }

  #decide(peer: Peer, method: RequestMethod, params: unknown, signal?: AbortSignal): Promise<void> | null {
    if (method === 'process/terminate') this.#withdraw(peer, params as { readonly processId?: string });
    try {
      const asked = raised({ peer, method, params, signal }, this.#options, this.#queue.waiters);
      return asked && this.#ask(peer, asked, params as object);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Asks for approval of an agent's tool call, without starting anything. */
  ask(peer: Peer, params: AskParams): Promise<AskResult> {
    return this.#tools.ask(peer, params);
  }

  /** Returns true when a start with these params was approved to run without its requested sandbox. */
  runsWithoutSandbox(params: object): boolean {
    return this.#withoutSandbox.has(params);
  }

  get settings(): ApprovalSettings {
    return {
      ...this.#policies.settings,
      pauses: this.#pauses.all,
      tightened: this.rules.tightened,
      forbids: this.rules.set.forbids,
    };
  }

  list(wanted: { readonly all?: boolean | undefined; readonly id?: string | undefined }): ApprovalsResult {
    const { id } = wanted;
    if (id !== undefined) {
      const one = this.#queue.find(id);
      return { approvals: one ? [one] : [], settings: this.settings };
    }
    const { waiting } = this;
    const approvals = wanted.all ? [...this.#queue.over, ...waiting] : waiting;
    return { approvals, settings: this.settings };
  }

  /**
   * Adds the finished requests of the audit log, and applies the pauses and policies that the previous gateway has
   * stored since this one started. `acts` returns the audit log, oldest entry first.
   */
  restore(acts: () => readonly AuditEntry[]): void {
    this.#queue.restore(() => pastRequests(acts()));
    this.#store.reload();
    this.#policies.restore();
    this.#pauses.restore();
    this.#settingsChanged('the earlier gateway');
  }

  get waiting(): readonly Approval[] {
    return this.#queue.waiters.map(({ approval }) => approval);
  }

  policyOf(agent: string): ApprovalPolicy {
    return this.#policies.of(agent);
  }

  check(argv: readonly string[]): RuleCheck {
    return checked(this.rules.set, argv, this.rules.tightened);
  }

  /** Decides a request. Throws, for example, when the request is not waiting, or `by` is not allowed to decide it. */
  answer({ id, decision, message, rules }: DecideParams, by: Decider): Approval {
    const waiter = this.#queue.open(id, by);
    const outcome = { decision, by: by.name, message: message ?? null };
    const refusal = (act: 'declined' | 'aborted'): string =>
      refusalByPerson(act, visible(by.name), message ?? '');
    switch (decision) {
      case 'acceptForSession':
        if (!waiter.remember)
          throw invalidRequest('this request can only be approved once, not for the session');
        waiter.remember(by);
        break;
      case 'acceptWithRule':
        this.rules.add(offeredRules(this.#queue, waiter, rules), by.name);
        break;
      case 'decline':
        waiter.settle({ ...outcome, state: 'declined', refusal: refusal('declined') });
        return waiter.approval;
      case 'abort':
        // The thread is paused first, so that its next starts are held.
        this.#abort(waiter, by.name);
        waiter.settle({ ...outcome, state: 'aborted', refusal: refusal('aborted') });
        return waiter.approval;
      case 'accept':
        if (waiter.asksOnce) waiter.remember?.(by);
        break;
    }
    waiter.settle({ ...outcome, state: 'accepted', refusal: null });
    if (decision === 'acceptWithRule') this.#reconsidering.begin(by.name);
    return waiter.approval;
  }

  pause(
    wanted: {
      readonly agent?: string | undefined;
      readonly session?: Session | undefined;
      readonly thread?: string | undefined;
      readonly interrupt?: boolean | undefined;
    },
    by: string,
  ): Pause {
    const { session, thread = null } = wanted;
    const pause = storeChange(() =>
      this.#pauses.add(
        {
          agent: session?.owner.name ?? wanted.agent ?? null,
          session: session?.label ?? null,
          thread,
          why: 'paused',
          by,
        },
        session ? otherThreads(session, thread) : new Set(),
      ),
    );
    this.#settingsChanged(by);
    if (wanted.interrupt) this.#options.events.interrupt(pause, by);
    return pause;
  }

  unpause(
    wanted: { readonly id?: string | undefined; readonly agent?: string | undefined },
    by: string,
  ): readonly Pause[] {
    const lifted = storeChange(() => this.#pauses.lift(wanted));
    if (lifted.length > 0) this.#settingsChanged(by);
    return lifted;
  }

  /** Permanently allows commands with this prefix. Throws for a prefix that would allow too much. */
  addRule(prefix: readonly string[], by: string): void {
    if (isBanned(prefix))
      throw invalidRequest('this rule would allow too much; an admin can still write it to the rules');
    this.rules.add([prefix], by);
  }

  setPolicy(policy: ApprovalPolicy | null, agent: string | undefined, by: string): void {
    storeChange(() => this.#policies.set(policy, agent));
    this.#settingsChanged(by);
  }

  close(): void {
    this.rules.close();
    this.#reconsidering.stop();
    for (const waiter of this.#queue.waiters) this.#queue.withdraw(waiter, 'the gateway is stopping');
  }

  #ask(peer: Peer, asked: Asked, params: object): Promise<void> | null {
    const { session } = peer;
    if (asked.isStart && asked.thread !== null) this.#queue.markContinued(session.label, asked.thread);
    const { verdict, isCached } = this.#look(peer, asked);
    const approved = (isApproved: boolean): void => {
      if (isApproved && asked.lacksSandbox) this.#withoutSandbox.add(params);
    };
    if (verdict.kind === 'run') {
      approved(isCached);
      return null;
    }
    if (verdict.kind === 'refuse') return Promise.reject(internal(verdict.reason));
    if (asked.settled) return this.#askSettled(peer, asked.settled(), params);
    const mayBeRemembered = asked instanceof AskedStart || asked.key !== null;
    const asking: Asking = {
      peer,
      thread: asked.thread,
      look: () => this.#look(peer, asked),
      remember: mayBeRemembered ? (by) => this.#remember(session, asked, by) : null,
      asksOnce: asked.asksOnce,
      onPointless: asked.onPointless,
      facts: null,
      retained: pack(params),
      allVariables: asked.allVariables,
    };
    return this.#allowed(peer, asked, asking).then(approved);
  }

  /** Resolves to true when a person has approved this request or an equal one; to false when no approval is needed. */
  #allowed(peer: Peer, asked: Asked, asking: Asking): Promise<boolean> {
    const { why } = asking.look();
    if (!(asked instanceof AskedStart)) return this.#queue.wait(asked.question(peer, why), asking);
    this.#starts.set(asked, peer);
    return this.#allowedStart(asked, asking).finally(() => this.#starts.delete(asked));
  }

  async #allowedStart(asked: AskedStart, asking: Asking): Promise<boolean> {
    const { peer, look } = asking;
    const mayBeCached = look().why.pause === null;
    const granted = mayBeCached ? this.#tools.granted(peer, asked) : null;
    if (granted) return goOnAsShown(this.#queue, asked, asking, granted);
    if (mayBeCached && this.#remembered.has(peer.session, () => asked.words)) {
      await current(asked, asking, false);
      const { verdict, isCached } = this.#look(peer, asked);
      if (verdict.kind === 'run') return isCached;
    }
    return waitAsShown(this.#queue, asked, asking);
  }

  async #askSettled(peer: Peer, settled: Promise<Asked>, params: object): Promise<void> {
    const asked = await settled;
    if (peer.connection.isEnding) throw internal('the connection was closed, so nothing was done');
    await this.#ask(peer, asked, params);
    if ((await asked.isStill?.()) === false)
      throw internal(
        'the path leads to a different file or folder than when approval was requested, so nothing was done',
      );
  }

  #look(peer: Peer, asked: Asked): CurrentLook {
    const { name: agent } = peer.identity;
    const { verdict, judged } = asked.look(this.rules.set, {
      policy: this.#policies.of(agent),
      tightened: this.rules.tightened,
    });
    const { key } = asked;
    const isCached = verdict.kind === 'ask' && key !== null && this.#remembered.has(peer.session, () => key);
    const found = isCached ? RUNS : verdict;
    const starter = { agent, session: peer.session.label, thread: asked.thread };
    const pause = asked.isStart ? this.#pauses.holding(starter) : null;
    if (found.kind === 'refuse' || !pause)
      return { verdict: found, why: whyOf(found, judged, null), isCached };
    const held: Verdict = { kind: 'ask', reason: pauseReason(pause), rule: null, proposal: [] };
    return { verdict: held, why: whyOf(held, judged, pause), isCached };
  }

  /** Remembers the approval, unless it is for a start whose paths could not be looked up. */
  #remember(session: Session, asked: Asked, { name, tokenId }: Decider): void {
    if (asked.key === null) return;
    if (asked instanceof AskedStart) this.#remembered.add(session, asked.words, tokenId);
    this.#remembered.add(session, asked.key, tokenId);
    this.#reconsidering.begin(name);
  }

  #withdraw(peer: Peer, { processId }: { readonly processId?: string }): void {
    for (const [start, { session }] of this.#starts)
      if (session === peer.session && start.processId === processId) start.isWithdrawn = true;
    for (const waiter of this.#queue.waiters)
      if (isFor('start', waiter, peer, processId) || isFor('input', waiter, peer, processId))
        this.#queue.withdraw(waiter, 'the agent withdrew the request');
  }

  #abort({ approval, thread, peer }: Waiter, by: string): void {
    const pause = storeChange(() =>
      this.#pauses.add(
        { agent: approval.startedBy, session: approval.session, thread, why: 'aborted', by },
        otherThreads(peer.session, thread),
      ),
    );
    this.#settingsChanged(by);
    this.#options.events.interrupt(pause, by);
  }

  #settingsChanged(by: string): void {
    this.#isIdle = this.#findIdle();
    this.#reconsidering.begin(by);
    this.#options.events.settingsChanged();
  }

  #findIdle(): boolean {
    const asks = !this.#policies.areNever || this.#pauses.all.length > 0;
    return !asks && this.rules.tightened === null && !this.rules.set.forbids;
  }
}
