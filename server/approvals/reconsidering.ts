// Re-evaluates all waiting requests after a policy, pause, rule or remembered approval has changed; in batches, since
// there may be thousands.
import { refusalAfterChange } from '../../text/refusals.ts';
import { visible } from '../../text/visible.ts';
import type { Waiter, WaitingQueue } from './waiting.ts';

/** Maximum time of a batch before it yields to other work; a batch evaluates at least one request. */
const TURN_MS = 5;

export class Reconsidering {
  readonly #queue: WaitingQueue;
  #next: NodeJS.Immediate | null = null;

  constructor(queue: WaitingQueue) {
    this.#queue = queue;
  }

  /**
   * Releases requests that no longer need approval, refuses those that a rule forbids or may forbid, and updates the
   * reasons of the others; starts over when called again. The work begins only after the caller returns, since the
   * caller may still have to settle a request.
   */
  begin(by: string): void {
    this.stop();
    this.#next = setImmediate(() => this.#goOn(this.#queue.waiters, by));
  }

  stop(): void {
    if (this.#next) clearImmediate(this.#next);
    this.#next = null;
  }

  #goOn(waiters: readonly Waiter[], by: string): void {
    this.stop();
    const endMs = performance.now() + TURN_MS;
    let at = 0;
    while (at < waiters.length && (at === 0 || performance.now() < endMs)) {
      const waiter = waiters[at];
      if (waiter) this.#lookAt(waiter, by);
      at += 1;
    }
    if (at < waiters.length) this.#next = setImmediate(() => this.#goOn(waiters.slice(at), by));
  }

  #lookAt(waiter: Waiter, by: string): void {
    if (waiter.approval.state !== 'waiting') return;
    const { verdict, why } = waiter.look();
    if (verdict.kind === 'ask') this.#queue.reasoned(waiter, why);
    else if (verdict.kind === 'run')
      waiter.settle({ state: 'accepted', decision: 'released', by, refusal: null });
    else {
      // The decision is null, because `by` has changed a rule or a policy, and has not declined this request.
      const refusal = refusalAfterChange(visible(by), verdict.reason);
      waiter.settle({ state: 'declined', by, message: verdict.reason, refusal });
    }
  }
}
