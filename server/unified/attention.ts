// One call of a tool while it waits: for how long, what its client is told meanwhile, and what people are asked.
import type { Approval } from '../../protocol/approvals.ts';
import { plainText } from '../../text/plain-text.ts';
import type { Held } from './held.ts';

/** One call of a tool. */
export interface Call {
  /** The agent's id of the call; null when it has told none. */
  readonly callId: string | null;
  /** Thread of this call; default: the client's. */
  readonly thread?: string | null;
  /** Thread that started this one; default: the client's. */
  readonly parentThread?: string | null;
  readonly model?: string | null;
  /** Default folder, an absolute path; null: `workdir` is required. */
  readonly cwd: string | null;
  /** The answer comes before so many ms are over. */
  readonly budgetMs: number;
  /** Ends the wait of this call, never a process; a start that still waits for approval is withdrawn. */
  readonly signal: AbortSignal;
  /** Called every 10 s while the call waits, with the last line of output or what is waited for. */
  readonly progress?: (message: string) => void;
  /** Called once when the call has begun to wait for this request, about a start or input. */
  readonly onApproval?: (approval: Approval) => void;
}

/** The newest request of a session about a process that waits for a person. */
export type FindApproval = (session: string, processId: string) => Approval | undefined;

/** Time after the exit in which output that is held open must go on. */
const LATE_OUTPUT_MS = 50;
/** The same while output comes. */
const MOST_LATE_MS = 2000;
const PROGRESS_MS = 10_000;
const APPROVAL_LOOK_MS = 100;
const LAST_BYTES = 4096;
const LINE_CHARS = 200;

export class Attention {
  readonly call: Call;
  readonly #findApproval: FindApproval;
  readonly #signal: AbortSignal;
  readonly #endsAtMs: number;
  #told: string | null = null;

  /** `signal`: that of the call, or the end of its client. */
  constructor(call: Call, signal: AbortSignal, findApproval: FindApproval) {
    this.call = call;
    this.#findApproval = findApproval;
    this.#signal = signal;
    this.#endsAtMs = performance.now() + call.budgetMs;
  }

  /** True when nobody waits for the answer any more. */
  get isOver(): boolean {
    return this.#signal.aborted;
  }

  /** ms that are left of so many, within the budget. */
  left(ms = Number.POSITIVE_INFINITY): number {
    return Math.max(0, Math.min(ms, this.#endsAtMs - performance.now()));
  }

  approval(held: Held): Approval | undefined {
    return this.#findApproval(held.facts.line.label, held.processId);
  }

  /** Resolves when `isDue`, when so many ms or the budget are over, or nobody waits any more. */
  async until(held: Held, isDue: () => boolean, ms?: number): Promise<void> {
    const { progress } = this.call;
    const timer = progress && setInterval(() => progress(this.#progressOf(held)), PROGRESS_MS);
    await held.until(isDue, this.left(ms), this.#signal);
    clearInterval(timer);
  }

  /** The same for what people may be asked about, whose time does not count. */
  async untilDecided(held: Held, isDue: () => boolean): Promise<void> {
    const { onApproval } = this.call;
    const timer = onApproval && setInterval(() => this.#tellApproval(held, onApproval), APPROVAL_LOOK_MS);
    await this.until(held, isDue);
    clearInterval(timer);
  }

  /** Resolves with true when the promise has settled, with false when the wait is over before. */
  async settled(held: Held, promise: Promise<unknown>): Promise<boolean> {
    let isSettled = false;
    const settle = (): void => {
      isSettled = true;
      held.look();
    };
    promise.then(settle, settle);
    await this.untilDecided(held, () => isSettled);
    return isSettled;
  }

  /** Waits for output after the exit: children may hold it open, and what the program has printed may not have arrived yet. */
  async untilComplete(held: Held): Promise<void> {
    if (held.isClosed) return;
    const endsAtMs = performance.now() + MOST_LATE_MS;
    for (let before = -1; before !== held.receivedBytes;) {
      before = held.receivedBytes;
      await this.until(held, () => held.isClosed, LATE_OUTPUT_MS);
      // A gateway that stood still has yet to read what came meanwhile.
      await new Promise((resolve) => setImmediate(resolve));
      if (held.isClosed || this.isOver || performance.now() > endsAtMs) return;
      if ((held.view?.log.totalBytes ?? 0) > held.receivedBytes) before = -1;
    }
  }

  /** Does `work` when it is this call's turn at the session. */
  inTurn<T>(held: Held, work: (isMyTurn: boolean) => Promise<T>): Promise<T> {
    return held.inTurn(this.left(), this.#signal, work);
  }

  #tellApproval(held: Held, onApproval: (approval: Approval) => void): void {
    const approval = this.approval(held);
    if (!approval || approval.id === this.#told) return;
    this.#told = approval.id;
    onApproval(approval);
  }

  #progressOf(held: Held): string {
    if (this.approval(held)) return 'waiting for approval';
    const lines = held.collected.end(LAST_BYTES).toString().split('\n').toReversed();
    const said = lines.map((line) => plainText(line, LINE_CHARS)).find((line) => line !== null);
    return held.view?.lastLine ?? said ?? 'running';
  }
}
