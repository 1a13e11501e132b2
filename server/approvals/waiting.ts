// The queue of requests that wait for a person, in order of arrival, and the newest finished ones.
import type { Approval, ApprovalState } from '../../protocol/approvals.ts';
import { headOf } from '../../text/cut.ts';
import { randomId } from '../host/random-id.ts';
import { Budget, divided } from '../limits/budget.ts';
import { internal, invalidRequest, RpcError } from '../rpc/rpc-error.ts';
import { ErrorCode } from '../../protocol/jsonrpc.ts';
import type { Peer } from '../sessions/peer.ts';
import type { Verdict } from '../policy/rules/verdict.ts';
import { ownCopy } from '../../text/own-copy.ts';
import { durationText } from '../../text/amounts.ts';
import { alreadyOver } from './already-over.ts';
import { shownQuestion } from './shown-question.ts';

export interface WaitingLimits {
  /** Maximum number of waiting requests of all agents. */
  readonly approvalsWaiting: number;
  /** Maximum number of bytes that waiting requests retain and show. */
  readonly approvalsWaitingBytes: number;
  /** Maximum number of finished requests that are retained. */
  readonly approvalsOver: number;
  /** Time after which an undecided request expires; 0: never. */
  readonly approvalTimeoutMs: number;
  readonly shownCommandChars: number;
}

/** Facts about a request that are known when it begins to wait. */
export type Question = Omit<
  Approval,
  | 'id'
  | 'state'
  | 'createdAtMs'
  | 'hasGoneOn'
  | 'decision'
  | 'decidedBy'
  | 'decidedAtMs'
  | 'message'
  | 'isWhole'
  | 'branch'
  | 'program'
  | 'folder'
>;

/** Reason why a request waits, which may change during the wait. */
export type Why = Pick<Question, 'reason' | 'rule' | 'proposedRules' | 'parts' | 'complex' | 'pause'>;

export interface CurrentLook {
  readonly verdict: Verdict;
  readonly why: Why;
  /** True when an approval for the session applies. */
  readonly isCached: boolean;
}

export interface Decider {
  readonly name: string;
  readonly tokenId: string;
  /**
   * True for a decision from the agent's own client, which may decide only that agent's requests, and none held by a
   * pause.
   */
  readonly isOwnClient?: boolean;
}

interface Outcome {
  readonly state: Exclude<ApprovalState, 'waiting'>;
  readonly decision?: Approval['decision'];
  readonly by?: string | null;
  readonly message?: string | null;
  /** Error returned to the agent; null: the request proceeds. */
  readonly refusal: string | null;
}

export type OnPointless = (listener: (why: string) => void) => () => void;

export interface Asking {
  readonly peer: Peer;
  readonly thread: string | null;
  /** Returns the current verdict, and the reason for asking. */
  readonly look: () => CurrentLook;
  /** Remembers for the session that `by` has approved; null when an approval covers only this request. */
  readonly remember: ((by: Decider) => void) | null;
  /** True when even a one-time approval covers equal requests for the rest of the session. */
  readonly asksOnce: boolean;
  /**
   * Calls the listener, with the reason, when the request can no longer have an effect; returns a function that
   * removes the listener. Null for a request that cannot become pointless while it waits.
   */
  readonly onPointless: OnPointless | null;
  /** Facts about the files, sent to watchers once known; must not reject. Null when none are looked up. */
  readonly facts: Promise<Pick<Approval, 'branch' | 'program' | 'folder'>> | null;
  /** Length of what the gateway retains of the request's params, in characters. */
  readonly retained: number;
  /** Returns all variables that concern the request; `question` has only the first ones. Null: it starts no command. */
  readonly allVariables: (() => Question['variables']) | null;
  /** Called with the outcome, before the agent receives its reply. */
  readonly over?: (approval: Approval) => void;
}

export interface Waiter extends Asking {
  approval: Approval;
  /** The request with its full command, which `approval` may shorten. */
  question: Question;
  /** Returns the approval with its full command and all variables. */
  readonly whole: () => Approval;
  readonly settle: (outcome: Outcome) => void;
}

/** Returns true when the second token, directly or indirectly, created the first one. */
export type IsGivenBy = (tokenId: string, giverId: string) => boolean;

export interface QueueEvents {
  readonly changed: (approval: Approval) => void;
  readonly asked: (waiter: Waiter) => void;
  readonly over: (waiter: Waiter) => void;
}

/** Empty values for the members that people need only until the decision; finished requests do not retain them. */
const NO_SECRETS = { variables: [], moreVariables: 0, input: null } as const;

export function isFor(
  kind: 'start' | 'input',
  { approval, peer }: Waiter,
  { session }: Peer,
  processId: string | null | undefined,
): boolean {
  return approval.kind === kind && approval.processId === processId && peer.session === session;
}

/** Maximum time between two starts of a thread that count as parallel. */
const TOGETHER_MS = 1000;

export class WaitingQueue {
  readonly #limits: WaitingLimits;
  readonly #events: QueueEvents;
  readonly #isGivenBy: IsGivenBy;
  readonly #room: Budget;
  readonly #bytes: Budget;
  readonly #waiting = new Map<string, Waiter>();
  readonly #over = new Map<string, Approval>();
  #past: (() => readonly Approval[]) | null = null;

  constructor(limits: WaitingLimits, events: QueueEvents, isGivenBy: IsGivenBy) {
    this.#limits = limits;
    this.#events = events;
    this.#isGivenBy = isGivenBy;
    this.#room = new Budget('requests waiting for approval', divided(limits.approvalsWaiting));
    this.#bytes = new Budget('bytes of requests waiting for approval', divided(limits.approvalsWaitingBytes));
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  get waiters(): readonly Waiter[] {
    return [...this.#waiting.values()];
  }

  get over(): readonly Approval[] {
    return [...this.#recalled().values()];
  }

  /** `past`: returns the requests that ended before the gateway started, oldest first; called once they are needed. */
  restore(past: () => readonly Approval[]): void {
    this.#past = past;
  }

  /** Returns a request by its id, with its full command and all variables while it waits; null if unknown. */
  find(id: string): Approval | null {
    return this.#waiting.get(id)?.whole() ?? this.#recalled().get(id) ?? null;
  }

  /**
   * Resolves to true when a person approves the request, to false when it no longer needs approval. Rejects with the
   * error for the agent.
   */
  wait(question: Question, asking: Asking): Promise<boolean> {
    const { peer } = asking;
    const shown = shownQuestion(question, this.#limits.shownCommandChars);
    const bytes = asking.retained + JSON.stringify(shown).length;
    const why = this.#room.whyNot(peer.identity) ?? this.#bytes.whyNot(peer.identity, bytes);
    if (why !== null) return Promise.reject(internal(`${why}; nothing was done`));
    const taken = [this.#room.take(peer.identity), this.#bytes.take(peer.identity, bytes)];
    const approval: Approval = {
      ...shown,
      id: `a-${randomId(9)}`,
      state: 'waiting',
      createdAtMs: Date.now(),
      hasGoneOn: false,
      decision: null,
      decidedBy: null,
      decidedAtMs: null,
      message: null,
      branch: null,
      program: null,
      folder: null,
    };
    return new Promise((resolve, reject) => {
      const { approvalTimeoutMs } = this.#limits;
      const timer =
        approvalTimeoutMs > 0 ? setTimeout(() => this.#expire(added), approvalTimeoutMs).unref() : null;
      const stopListening = peer.connection.onEnding(() => this.withdraw(added, 'the connection was closed'));
      const stopWatching = asking.onPointless?.((why) => this.withdraw(added, why));
      const added: Waiter = {
        ...asking,
        approval,
        question,
        whole: () => {
          const variables = asking.allVariables?.() ?? question.variables;
          return { ...added.approval, ...added.question, variables, moreVariables: 0, isWhole: true };
        },
        settle: (outcome) => {
          if (!this.#waiting.delete(approval.id)) return;
          if (timer) clearTimeout(timer);
          stopListening();
          stopWatching?.();
          for (const giveBack of taken) giveBack();
          this.#keep(added, outcome);
          if (outcome.refusal === null) resolve(outcome.decision !== 'released');
          else reject(internal(outcome.refusal));
        },
      };
      this.#waiting.set(approval.id, added);
      this.#events.changed(approval);
      this.#events.asked(added);
      void asking.facts?.then(({ branch, program, folder }) => {
        const hasFacts = branch !== null || program !== null || folder !== null;
        if (hasFacts && this.#waiting.has(approval.id)) this.#change(added, { branch, program, folder });
      });
    });
  }

  /**
   * Returns the waiting request with this id. Throws when there is none, or when this `Decider` is not allowed to
   * decide it.
   */
  open(id: string, { tokenId, isOwnClient = false }: Decider): Waiter {
    const waiter = this.#waiting.get(id);
    if (waiter) {
      const { tokenId: asker } = waiter.peer.identity;
      const isOwn = tokenId === asker;
      if (isOwnClient && isOwn && waiter.look().why.pause !== null)
        throw new RpcError(ErrorCode.forbidden, 'a pause holds the request; decide it in the console');
      if (isOwnClient ? isOwn : !isOwn && !this.#isGivenBy(tokenId, asker)) return waiter;
      throw new RpcError(
        ErrorCode.forbidden,
        'a request cannot be decided with the token that made it, or with one derived from it',
      );
    }
    const over = this.#recalled().get(id);
    if (!over)
      throw new RpcError(ErrorCode.unknownKey, `no request ${headOf(id, 80)} is waiting for approval`);
    throw invalidRequest(alreadyOver(over));
  }

  /** Sets the reason why a request waits, and notifies watchers if it differs from the previous one. */
  reasoned(waiter: Waiter, why: Why): void {
    const before = waiter.question;
    const isKnown = (Object.keys(why) as (keyof Why)[]).every(
      (member) => JSON.stringify(why[member]) === JSON.stringify(before[member]),
    );
    if (isKnown) return;
    waiter.question = { ...before, ...why };
    this.#change(waiter, shownQuestion(waiter.question, this.#limits.shownCommandChars));
  }

  withdraw(waiter: Waiter, why: string): void {
    waiter.settle({ state: 'withdrawn', refusal: `${why}, so nothing was done` });
  }

  /** Marks a thread's requests that are older than TOGETHER_MS: the thread has requested another start since. */
  markContinued(session: string, thread: string): void {
    const before = Date.now() - TOGETHER_MS;
    for (const waiter of this.#waiting.values()) {
      const { approval } = waiter;
      const isEarlier = approval.createdAtMs < before && !approval.hasGoneOn;
      if (isEarlier && waiter.thread === thread && approval.session === session)
        this.#change(waiter, { hasGoneOn: true });
    }
  }

  #expire(waiter: Waiter): void {
    const time = durationText(this.#limits.approvalTimeoutMs);
    waiter.settle({
      state: 'expired',
      refusal: `nobody answered within ${time}, so nothing was done; this is not a denial`,
    });
  }

  #change(waiter: Waiter, change: Partial<Approval>): void {
    waiter.approval = { ...waiter.approval, ...change };
    this.#events.changed(waiter.approval);
  }

  #keep(waiter: Waiter, { state, decision = null, by = null, message = null }: Outcome): void {
    // Strings of the waiting approval would retain the whole request in memory, so they are copied.
    waiter.approval = ownCopy({
      ...waiter.approval,
      ...NO_SECRETS,
      state,
      decision,
      decidedBy: by,
      decidedAtMs: Date.now(),
      message,
    });
    this.#remember(waiter.approval);
    this.#events.changed(waiter.approval);
    this.#events.over(waiter);
    waiter.over?.(waiter.approval);
  }

  /** Returns the finished requests, with those from before the gateway started. */
  #recalled(): ReadonlyMap<string, Approval> {
    const past = this.#past?.();
    this.#past = null;
    if (past) {
      const own = [...this.#over.values()];
      this.#over.clear();
      for (const over of [...past, ...own]) this.#remember(over);
    }
    return this.#over;
  }

  #remember(over: Approval): void {
    this.#over.set(over.id, over);
    for (const id of this.#over.keys()) {
      if (this.#over.size <= this.#limits.approvalsOver) break;
      this.#over.delete(id);
    }
  }
}
