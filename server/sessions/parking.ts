// Parks requests of one connection until they are decided, and holds back later requests about the same processes
// (rules PK).
import { hangingMounts } from '../host/hanging.ts';
import { invalidRequest } from '../rpc/rpc-error.ts';
import type { Decide } from './peer.ts';

/**
 * Extends `decide` so that a start which needs no decision is parked and allowed immediately. Requests about its
 * process then wait until it has started. Only starts that may take time are parked: all of them if `isSlow` (with a
 * keeper, or as another user), and otherwise those while a file system that may hang is mounted.
 */
export const afterStarts =
  (decide: Decide, isSlow: boolean): Decide =>
  (peer, method, ...request) => {
    const decision = decide(peer, method, ...request);
    const isStart = method === 'process/start' || method === 'process/restart';
    return decision ?? (isStart && (isSlow || hangingMounts().length > 0) ? Promise.resolve() : null);
  };

/** Connection on whose behalf a request waits. */
interface Asker {
  readonly isEnding: boolean;
  /** Calls `listener` when the connection ends; returns a function that removes it. */
  onEnding(listener: () => void): () => void;
}

export class Parking {
  readonly #asker: Asker;
  /** Process → a promise that settles when its last parked request has taken effect or failed. */
  readonly #lasts = new Map<string, Promise<void>>();

  constructor(asker: Asker) {
    this.#asker = asker;
  }

  /** Returns true when a request about the same process is parked, so that this one has to wait behind it. */
  isBefore(params: unknown): boolean {
    return this.#lasts.size > 0 && this.#lasts.has(processIn(params) ?? '');
  }

  /** Resolves when all requests about the process that are parked now have taken effect or failed. */
  async whenPast(params: unknown): Promise<void> {
    await this.#lasts.get(processIn(params) ?? '');
  }

  /**
   * Runs `act` once the request is allowed and earlier requests about the same process have taken effect or failed.
   * Rejects without running it when the decision rejects or the connection ends first. A request that needed no
   * decision is decided again in its turn, because its process may only exist by then.
   */
  inTurn(
    params: unknown,
    decision: Promise<void> | null,
    act: () => unknown,
    decideAgain: () => Promise<void> | null = () => null,
  ): Promise<unknown> {
    const about = processIn(params);
    const before = about === null ? undefined : this.#lasts.get(about);
    let result: unknown;
    // A refusal is reported in its turn; this only prevents an unhandled rejection before that.
    decision?.catch(() => undefined);
    const effect = this.#unlessGone(async () => {
      await before;
      await (decision ?? decideAgain());
    }).then(async () => {
      result = act();
      // A decided request is awaited, because a start may have to look something up before its process exists; a
      // request without a decision is not.
      if (decision) await result;
    });
    if (about !== null) this.#waitsFor(about, effect);
    return effect.then(() => result);
  }

  #waitsFor(about: string, effect: Promise<void>): void {
    const done = (): void => {
      if (this.#lasts.get(about) === last) this.#lasts.delete(about);
    };
    const last = effect.then(done, done);
    this.#lasts.set(about, last);
  }

  async #unlessGone(wait: () => Promise<void>): Promise<void> {
    const gone = (): Error => invalidRequest('the connection was closed, so nothing was done');
    await new Promise<void>((resolve, reject) => {
      const stopListening = this.#asker.onEnding(() => reject(gone()));
      void wait().then(resolve, reject).finally(stopListening);
    });
    if (this.#asker.isEnding) throw gone();
  }
}

/**
 * Returns a name for the process that a request starts or addresses, from its id and its session (the connection's own
 * or the console's); null for a request without a process id.
 */
function processIn(params: unknown): string | null {
  const { processId, newProcessId, session } = (params ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof newProcessId === 'string') return `console ${newProcessId}`;
  if (typeof processId !== 'string') return null;
  return `${session === 'console' ? 'console' : 'own'} ${processId}`;
}
