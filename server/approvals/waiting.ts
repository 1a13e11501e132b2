// The queue: requests that wait for a person, in the order in which they came, and the newest that are over.
import type { Approval, ApprovalDecision, ApprovalState } from '../../protocol/approvals.ts';
import { randomId } from '../host/random-id.ts';
import { shownCommand } from '../keeper/shown-command.ts';
import { Budget, divided } from '../limits/budget.ts';
import { internal, invalidRequest, RpcError } from '../rpc/rpc-error.ts';
import { ErrorCode } from '../../protocol/jsonrpc.ts';
import type { Peer } from '../sessions/peer.ts';
import type { Verdict } from '../policy/rules/verdict.ts';
import { visible } from '../../text/visible.ts';

export interface WaitingLimits {
  /** Requests that wait, of all agents. */
  readonly approvalsWaiting: number;
  /** The newest finished requests. */
  readonly approvalsOver: number;
  /** Time after which an undecided request expires; 0: never. */
  readonly approvalTimeoutMs: number;
  readonly shownCommandChars: number;
}

/** The facts about a request when it begins to wait. */
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
>;

/** Reason for waiting, which may change meanwhile. */
export type Why = Pick<Question, 'reason' | 'rule' | 'proposedRules' | 'parts' | 'complex' | 'pause'>;

export interface Decider {
  readonly name: string;
  readonly tokenId: string;
  /** True for the client of the agent itself, which decides about its own requests alone. */
  readonly isOwnClient?: boolean;
}

interface Outcome {
  readonly state: Exclude<ApprovalState, 'waiting'>;
  readonly decision?: Approval['decision'];
  readonly by?: string | null;
  readonly message?: string | null;
  /** The answer to the agent; null: the request takes effect. */
  readonly refusal: string | null;
}

/** The part of a waiting request that depends on its kind. */
export interface Asking {
  readonly peer: Peer;
  readonly thread: string | null;
  /** The current verdict, and the reason to ask. */
  readonly look: () => { readonly verdict: Verdict; readonly why: Why };
  /**
   * Remembers, in the name of the person who decided, the approval for its session; null: each request needs its own.
   */
  readonly remember: ((by: string) => void) | null;
  /** True when its session is asked about it only once, however it was approved. */
  readonly asksOnce: boolean;
  /** Facts about its files, which are told as soon as they are known; never rejects. Null: there are none. */
  readonly facts: Promise<Pick<Approval, 'branch' | 'program'>> | null;
  /** Called with the outcome, before the agent gets it. */
  readonly over?: (approval: Approval) => void;
}

export interface Waiter extends Asking {
  approval: Approval;
  /** The approval with its whole command, however long. */
  readonly whole: () => Approval;
  readonly settle: (outcome: Outcome) => void;
}

/** True when the first token has come of the second one. */
export type IsGivenBy = (tokenId: string, giverId: string) => boolean;

export interface QueueEvents {
  readonly changed: (approval: Approval) => void;
  readonly asked: (waiter: Waiter) => void;
  readonly over: (waiter: Waiter) => void;
}

/** True when the waiting request is the start of this process, in the peer's session. */
export function isStartOf(
  { approval, peer }: Waiter,
  { session }: Peer,
  processId: string | undefined,
): boolean {
  return approval.kind === 'start' && approval.processId === processId && peer.session === session;
}

/** The approval as watchers get it: only the beginning of a very long command. */
function shownQuestion(question: Question, chars: number): Question & Pick<Approval, 'isWhole'> {
  const { argv, variables } = question;
  if (JSON.stringify([argv, variables]).length <= chars) return { ...question, isWhole: true };
  const short = variables.map(({ name, value }) => ({
    name,
    value: value && value.slice(0, VARIABLE_CHARS),
  }));
  return { ...question, argv: shownCommand(argv, chars), parts: [], variables: short, isWhole: false };
}

/** Starts of one thread that come together are asked for in parallel. */
const TOGETHER_MS = 1000;

/** Limit of a variable's value that is shown beside a very long command. */
const VARIABLE_CHARS = 1000;

export class WaitingQueue {
  readonly #limits: WaitingLimits;
  readonly #events: QueueEvents;
  readonly #isGivenBy: IsGivenBy;
  readonly #room: Budget;
  readonly #waiting = new Map<string, Waiter>();
  readonly #over = new Map<string, Approval>();

  constructor(limits: WaitingLimits, events: QueueEvents, isGivenBy: IsGivenBy) {
    this.#limits = limits;
    this.#events = events;
    this.#isGivenBy = isGivenBy;
    this.#room = new Budget('requests wait for approval', divided(limits.approvalsWaiting));
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  get waiters(): readonly Waiter[] {
    return [...this.#waiting.values()];
  }

  get over(): readonly Approval[] {
    return [...this.#over.values()];
  }

  /** One that waits with all of its command. */
  find(id: string): Approval | null {
    return this.#waiting.get(id)?.whole() ?? this.#over.get(id) ?? null;
  }

  /** Resolves when the request is allowed; rejects with what its agent is told. */
  wait(question: Question, asking: Asking): Promise<void> {
    const { peer } = asking;
    const why = this.#room.whyNot(peer.identity);
    if (why !== null) return Promise.reject(internal(`${why}; nothing was done`));
    const giveBack = this.#room.take(peer.identity);
    const approval: Approval = {
      ...shownQuestion(question, this.#limits.shownCommandChars),
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
    };
    return new Promise((resolve, reject) => {
      const { approvalTimeoutMs } = this.#limits;
      const timer =
        approvalTimeoutMs > 0 ? setTimeout(() => this.#expire(added), approvalTimeoutMs).unref() : null;
      const stopListening = peer.connection.onEnding(() => this.withdraw(added, 'the connection is gone'));
      const added: Waiter = {
        ...asking,
        approval,
        whole: () => ({ ...added.approval, ...question, reason: added.approval.reason, isWhole: true }),
        settle: (outcome) => {
          if (!this.#waiting.delete(approval.id)) return;
          if (timer) clearTimeout(timer);
          stopListening();
          giveBack();
          this.#keep(added, outcome);
          if (outcome.refusal === null) resolve();
          else reject(internal(outcome.refusal));
        },
      };
      this.#waiting.set(approval.id, added);
      this.#events.changed(approval);
      this.#events.asked(added);
      void asking.facts?.then(({ branch, program }) => {
        const isNews = branch !== null || program !== null;
        if (isNews && this.#waiting.has(approval.id)) this.#change(added, { branch, program });
      });
    });
  }

  /** The request to decide on. Throws when there is none, or when it is over, with who has decided. */
  open(id: string, { tokenId, isOwnClient = false }: Decider): Waiter {
    const waiter = this.#waiting.get(id);
    if (waiter) {
      const { tokenId: asker } = waiter.peer.identity;
      const isOwn = tokenId === asker;
      if (isOwnClient ? isOwn : !isOwn && !this.#isGivenBy(tokenId, asker)) return waiter;
      throw new RpcError(
        ErrorCode.forbidden,
        'a request is not decided with the token that made it, or with one that came of it',
      );
    }
    const over = this.#over.get(id);
    if (!over) throw new RpcError(ErrorCode.unknownKey, `no request ${id.slice(0, 80)} waits for approval`);
    throw invalidRequest(alreadyOver(over));
  }

  /** Changes the reason for which a request waits. */
  reasoned(waiter: Waiter, why: Why): void {
    this.#change(waiter, why);
  }

  withdraw(waiter: Waiter, why: string): void {
    waiter.settle({ state: 'withdrawn', refusal: `${why}, so that nothing was done` });
  }

  /** Marks earlier requests of a thread that has started something newer since. */
  goneOn(session: string, thread: string): void {
    const before = Date.now() - TOGETHER_MS;
    for (const waiter of this.#waiting.values()) {
      const { approval } = waiter;
      const isEarlier = approval.createdAtMs < before && !approval.hasGoneOn;
      if (isEarlier && waiter.thread === thread && approval.session === session)
        this.#change(waiter, { hasGoneOn: true });
    }
  }

  #expire(waiter: Waiter): void {
    const minutes = Math.round(this.#limits.approvalTimeoutMs / 6000) / 10;
    waiter.settle({
      state: 'expired',
      refusal: `nobody answered within ${minutes} minutes, so that nothing was done; this is not a denial`,
    });
  }

  #change(waiter: Waiter, change: Partial<Approval>): void {
    waiter.approval = { ...waiter.approval, ...change };
    this.#events.changed(waiter.approval);
  }

  #keep(waiter: Waiter, { state, decision = null, by = null, message = null }: Outcome): void {
    waiter.approval = {
      ...waiter.approval,
      state,
      decision,
      decidedBy: by,
      decidedAtMs: Date.now(),
      message,
    };
    this.#over.set(waiter.approval.id, waiter.approval);
    for (const id of this.#over.keys()) {
      if (this.#over.size <= this.#limits.approvalsOver) break;
      this.#over.delete(id);
    }
    this.#events.changed(waiter.approval);
    this.#events.over(waiter);
    waiter.over?.(waiter.approval);
  }
}

const WORDS: { readonly [decision in ApprovalDecision]: string } = {
  accept: 'approved',
  acceptForSession: 'approved',
  acceptWithRule: 'approved',
  decline: 'declined',
  abort: 'aborted',
};

/** The refusal of a second decision: names the first one and its author. */
function alreadyOver({ decision, decidedBy, state }: Approval): string {
  if (decision === null || decision === 'released') {
    const how = { withdrawn: 'was withdrawn', expired: 'expired' }[state as 'withdrawn' | 'expired'];
    return `the request ${how ?? 'does not wait any more'}`;
  }
  return `${visible(decidedBy ?? '')} has already ${WORDS[decision]} the request`;
}
