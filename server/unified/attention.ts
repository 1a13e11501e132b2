// One tool call while it waits: its time limits, its progress reports, and its approvals.
import type { Approval } from '../../protocol/approvals.ts';
import { plainText } from '../../text/plain-text.ts';
import type { ProcessView } from '../keeper/process-view.ts';
import type { Held } from './held.ts';

export interface Call {
  /** Id that the agent uses for the call; null when it sends none. */
  readonly callId: string | null;
  /** Thread of this call; by default the client's. */
  readonly thread?: string | null;
  /** Thread that started this one; by default the client's `parentThread`. */
  readonly parentThread?: string | null;
  readonly model?: string | null;
  /** Default folder as an absolute path; null means that `workdir` must be absolute. */
  readonly cwd: string | null;
  /** Time limit for the answer in ms. */
  readonly budgetMs: number;
  /**
   * Signal that is aborted when this call is cancelled; no process ends then, but a start that is waiting
   * for approval is withdrawn.
   */
  readonly signal: AbortSignal;
  /** Called every 10 s while the call waits, with `waiting for approval`, or the last line of output, or `running`. */
  readonly progress?: (message: string) => void;
  /** Called once for each approval that the call waits for. */
  readonly onApproval?: (approval: Approval) => void;
}

/** Returns the newest approval that a process of a session is waiting for; undefined when there is none. */
export type FindApproval = (session: string, processId: string) => Approval | undefined;

/** Pause after which output that another process may hold open counts as complete. */
const LATE_OUTPUT_MS = 50;
/** Maximum time to wait after the exit while another process holds the output open. */
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
  #reportedId: string | null = null;

  /** `signal` is aborted when the call is cancelled or its client disconnects. */
  constructor(call: Call, signal: AbortSignal, findApproval: FindApproval) {
    this.call = call;
    this.#findApproval = findApproval;
    this.#signal = signal;
    this.#endsAtMs = performance.now() + call.budgetMs;
  }

  /** True when the call was cancelled or its client has disconnected. */
  get isOver(): boolean {
    return this.#signal.aborted;
  }

  /** Returns the smaller of `ms` and the remaining budget; 0 when the budget is used up. */
  left(ms = Number.POSITIVE_INFINITY): number {
    return Math.max(0, Math.min(ms, this.#endsAtMs - performance.now()));
  }

  approval(held: Held): Approval | undefined {
    return this.#findApproval(held.facts.line.label, held.processId);
  }

  /** Resolves when `isDue` returns true, when `ms` or the budget has passed, or when the signal is aborted. */
  async until(held: Held, isDue: () => boolean, ms?: number): Promise<void> {
    const { progress } = this.call;
    const timer = progress && setInterval(() => progress(this.#progressOf(held)), PROGRESS_MS);
    await held.until(isDue, this.left(ms), this.#signal);
    clearInterval(timer);
  }

  /** Waits up to `ms` for the process to exit, and after its exit until its output is complete. */
  async untilEnded(held: Held, ms: number): Promise<void> {
    await this.until(held, () => held.hasExited, ms);
    if (held.hasExited) await this.untilComplete(held);
  }

  /** Variant of `until` that also reports approvals to the client. */
  async untilDecided(held: Held, isDue: () => boolean, ms?: number): Promise<void> {
    const { onApproval } = this.call;
    const timer = onApproval && setInterval(() => this.#reportApproval(held, onApproval), APPROVAL_LOOK_MS);
    await this.until(held, isDue, ms);
    clearInterval(timer);
  }

  /**
   * Resolves with true when the promise has settled, or with false when the budget has passed or the call is over
   * before.
   */
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

  /**
   * Waits for output that arrives after the exit. Output that ends soon, see `endsSoon`, is awaited to its end or the
   * end of the budget; other output is awaited until it pauses, or for `MOST_LATE_MS`.
   */
  async untilComplete(held: Held): Promise<void> {
    const endsAtMs = performance.now() + MOST_LATE_MS;
    for (let before = -1; before !== held.receivedBytes && !held.isClosed && !this.isOver;) {
      before = held.receivedBytes;
      await this.until(held, () => held.isClosed, LATE_OUTPUT_MS);
      // A gateway that stalled must first read the output that arrived during the stall.
      await new Promise((resolve) => setImmediate(resolve));
      if (endsSoon(held.view) && this.left() > 0) before = -1;
      else if (performance.now() > endsAtMs) return;
      else if ((held.view?.log.totalBytes ?? 0) > held.receivedBytes) before = -1;
    }
  }

  /** Runs `work` with true when it is this call's turn at the session, or with false when the wait ends first. */
  inTurn<T>(held: Held, work: (isMyTurn: boolean) => Promise<T>): Promise<T> {
    return held.inTurn(this.left(), this.#signal, work);
  }

  #reportApproval(held: Held, onApproval: (approval: Approval) => void): void {
    const approval = this.approval(held);
    if (!approval || approval.id === this.#reportedId) return;
    this.#reportedId = approval.id;
    onApproval(approval);
  }

  #progressOf(held: Held): string {
    if (this.approval(held)) return 'waiting for approval';
    const lines = held.collected.end(LAST_BYTES).toString().split('\n').toReversed();
    const printed = lines.map((line) => plainText(line, LINE_CHARS)).find((line) => line !== null);
    return held.view?.lastLine ?? printed ?? 'running';
  }
}

/** Returns true when an exited process only needs its remaining output to be read before it is closed. */
const endsSoon = (view: ProcessView | undefined): boolean =>
  view !== undefined && !view.isLost && view.termination === null && !view.remains.isOutputHeld;
