// The gate for requests of agents: each takes effect at once, waits for a person or is refused.
import type {
  Approval,
  ApprovalDecision,
  ApprovalSettings,
  ApprovalsResult,
  AskResult,
  Pause,
} from '../../protocol/approvals.ts';
import type { RequestMethod } from '../../protocol/methods.ts';
import type { ApprovalPolicy, RuleCheck } from '../../protocol/rules.ts';
import { internal, invalidRequest } from '../rpc/rpc-error.ts';
import { ApprovalStore } from '../policy/approval-store.ts';
import { checked } from '../policy/rules/check.ts';
import { isBanned } from '../policy/rules/proposal.ts';
import type { Verdict } from '../policy/rules/verdict.ts';
import type { Peer } from '../sessions/peer.ts';
import type { Session } from '../sessions/session.ts';
import { visible } from '../../text/visible.ts';
import { AppliedRules } from './applied-rules.ts';
import { whyOf, type Asked } from './asked.ts';
import { kept } from './kept.ts';
import { askedInput, type WriteParams } from './input-question.ts';
import { askedFile, askedRequest } from './outside-question.ts';
import { otherThreads, Pauses, pauseReason } from './pauses.ts';
import { Policies } from './policies.ts';
import { Reconsidering } from './reconsidering.ts';
import { Remembered } from './remembered.ts';
import { goOnAsShown, waitAsShown } from './as-shown.ts';
import { AskedStart, type StartCircumstances, type StartParams } from './start-question.ts';
import { ToolAsks, type AskParams } from './tool-asks.ts';
import {
  isStartOf,
  WaitingQueue,
  type Asking,
  type Decider,
  type IsGivenBy,
  type QueueEvents,
  type Waiter,
  type WaitingLimits,
  type Why,
} from './waiting.ts';

export interface ApprovalsOptions extends StartCircumstances {
  readonly stateDir: string;
  /** The policy that the gateway was started with. */
  readonly policy: ApprovalPolicy;
  /** Files and folders of rules that are only read. */
  readonly ruleFiles: readonly string[];
  readonly limits: StartCircumstances['limits'] & WaitingLimits;
  /** True when the first token has come of the second one. */
  readonly isGivenBy: IsGivenBy;
  readonly events: QueueEvents & {
    /** Called when policies, pauses or rules have changed. */
    readonly settingsChanged: () => void;
    /** An agent's sessions are to be interrupted, or a thread's processes ended. */
    readonly interrupt: (pause: Pause, by: string) => void;
  };
}

/** The verdict on an act that is never asked about. */
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
  readonly #remembered = new Remembered(() => this.rules.restrictionsVersion);
  /** True while no policy asks, no rule forbids and nothing waits. */
  #isIdle = false;

  constructor(options: ApprovalsOptions) {
    this.#options = options;
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
      changed: () => this.#settingsChanged('the rules'),
    });
    this.#tools = new ToolAsks(options, this.#queue, (peer, asked) => this.#look(peer, asked));
    this.#isIdle = this.#findIdle();
  }

  /** Implements `Decide`. */
  decide(peer: Peer, method: RequestMethod, params: unknown): Promise<void> | null {
    if (this.#isIdle && this.#queue.isEmpty) return null;
    if (method === 'process/terminate') this.#withdraw(peer, params as { readonly processId?: string });
    try {
      const asked = this.#asked(peer, method, params);
      return asked && this.#ask(peer, asked);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Asks about a tool of an agent without starting anything. */
  ask(peer: Peer, params: AskParams): Promise<AskResult> {
    return this.#tools.ask(peer, params);
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

  get waiting(): readonly Approval[] {
    return this.#queue.waiters.map(({ approval }) => approval);
  }

  /** The policy for the commands of an agent. */
  policyOf(agent: string): ApprovalPolicy {
    return this.#policies.of(agent);
  }

  check(argv: readonly string[]): RuleCheck {
    return checked(this.rules.set, argv, this.rules.tightened);
  }

  /** Throws when there is nothing to decide, or this decision is not offered. */
  answer(
    {
      id,
      decision,
      message,
    }: { readonly id: string; readonly decision: ApprovalDecision; readonly message?: string | undefined },
    by: Decider,
  ): Approval {
    const waiter = this.#queue.open(id, by);
    const outcome = { decision, by: by.name, message: message ?? null };
    const said = message === undefined || message.trim() === '' ? '' : `: ${message}`;
    switch (decision) {
      case 'acceptForSession':
        if (!waiter.remember) throw invalidRequest('such a request can be approved only once');
        waiter.remember(by.name);
        break;
      case 'acceptWithRule': {
        const { verdict } = waiter.look();
        const prefixes = verdict.kind === 'ask' ? verdict.proposal : [];
        if (prefixes.length === 0)
          throw invalidRequest('there is no rule that could be offered for this request');
        this.rules.add(prefixes);
        break;
      }
      case 'decline':
        waiter.settle({ ...outcome, state: 'declined', refusal: `declined by ${visible(by.name)}${said}` });
        return waiter.approval;
      case 'abort':
        // First, so that what its thread starts meanwhile is held.
        this.#abort(waiter, by.name);
        waiter.settle({ ...outcome, state: 'aborted', refusal: `aborted by ${visible(by.name)}${said}` });
        return waiter.approval;
      case 'accept':
        if (waiter.asksOnce) waiter.remember?.(by.name);
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
    const pause = kept(() =>
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
    const lifted = kept(() => this.#pauses.lift(wanted));
    if (lifted.length > 0) this.#settingsChanged(by);
    return lifted;
  }

  /** Allows commands that begin so, for good. Throws for what would allow too much. */
  addRule(prefix: readonly string[]): void {
    if (isBanned(prefix))
      throw invalidRequest('such a rule would allow too much; an admin can write it all the same');
    this.rules.add([prefix]);
  }

  setPolicy(policy: ApprovalPolicy | null, agent: string | undefined, by: string): void {
    kept(() => this.#policies.set(policy, agent));
    this.#settingsChanged(by);
  }

  close(): void {
    this.rules.close();
    this.#reconsidering.stop();
    for (const waiter of this.#queue.waiters) this.#queue.withdraw(waiter, 'the gateway stops');
  }

  /** The question that a request raises; null for one that never raises any. Throws as the request itself would. */
  #asked(peer: Peer, method: RequestMethod, params: unknown): Asked | null {
    const { hasFloor } = this.#options;
    // A person's starts and input at the console are never asked about.
    if (method === 'process/start')
      return (params as StartParams).session === 'console'
        ? null
        : new AskedStart(params as StartParams, this.#options);
    if (method === 'process/write') return askedInput(peer, params as WriteParams, this.#queue.waiters);
    if (method === 'http/request') return askedRequest(params);
    return askedFile(method, params, hasFloor);
  }

  #ask(peer: Peer, asked: Asked): Promise<void> | null {
    const { session } = peer;
    const { key } = asked;
    if (asked.isStart && asked.thread !== null) this.#queue.goneOn(session.label, asked.thread);
    const { verdict, why } = this.#look(peer, asked);
    if (verdict.kind === 'run') return null;
    if (verdict.kind === 'refuse') return Promise.reject(internal(verdict.reason));
    if (asked.settled) return this.#askSettled(peer, asked.settled());
    const asking: Asking = {
      peer,
      thread: asked.thread,
      look: () => this.#look(peer, asked),
      remember: key === null ? null : (by) => this.#remember(session, key, by),
      asksOnce: asked.asksOnce,
      facts: null,
    };
    if (!(asked instanceof AskedStart)) return this.#queue.wait(asked.question(peer, why), asking);
    const granted = why.pause === null ? this.#tools.granted(peer, asked) : null;
    return granted === null
      ? waitAsShown(this.#queue, asked, asking)
      : goOnAsShown(this.#queue, asked, asking, granted);
  }

  async #askSettled(peer: Peer, settled: Promise<Asked>): Promise<void> {
    const asked = await settled;
    if (peer.connection.isEnding) throw internal('the connection is gone, so that nothing was done');
    await this.#ask(peer, asked);
    if ((await asked.isStill?.()) === false)
      throw internal('its path leads elsewhere than when it was asked about, so that nothing was done');
  }

  /** The current verdict, and its reason. */
  #look(peer: Peer, asked: Asked): { readonly verdict: Verdict; readonly why: Why } {
    const { name: agent } = peer.identity;
    const { verdict, judged } = asked.look(this.rules.set, {
      policy: this.#policies.of(agent),
      tightened: this.rules.tightened,
    });
    const isCached =
      verdict.kind === 'ask' && asked.key !== null && this.#remembered.has(peer.session, asked.key);
    const found = isCached ? RUNS : verdict;
    const starter = { agent, session: peer.session.label, thread: asked.thread };
    const pause = asked.isStart ? this.#pauses.holding(starter) : null;
    if (found.kind === 'refuse' || !pause) return { verdict: found, why: whyOf(found, judged, null) };
    const held: Verdict = { kind: 'ask', reason: pauseReason(pause), rule: null, proposal: [] };
    return { verdict: held, why: whyOf(held, judged, pause) };
  }

  #remember(session: Session, key: string, by: string): void {
    this.#remembered.add(session, key);
    this.#reconsidering.begin(by);
  }

  #withdraw(peer: Peer, { processId }: { readonly processId?: string }): void {
    for (const waiter of this.#queue.waiters)
      if (isStartOf(waiter, peer, processId)) this.#queue.withdraw(waiter, 'the agent has withdrawn it');
  }

  #abort({ approval, thread, peer }: Waiter, by: string): void {
    const pause = kept(() =>
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
