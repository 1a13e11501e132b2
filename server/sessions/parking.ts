// Requests of one connection that wait for a decision before they take effect, and what waits behind them (rules PK).
import { invalidRequest } from '../rpc/rpc-error.ts';
import type { Decide } from './peer.ts';

/**
 * Decides as `decide` does, and that a start takes effect at once where nothing else is decided: it is then parked, so that
 * what is asked about its process waits until it is there.
 */
export const afterStarts =
  (decide: Decide): Decide =>
  (peer, method, params) =>
    decide(peer, method, params) ??
    (method === 'process/start' || method === 'process/restart' ? Promise.resolve() : null);

/** The connection on whose behalf is waited. */
interface Asker {
  readonly isEnding: boolean;
  /** Returns an undo. */
  onEnding(listener: () => void): () => void;
}

export class Parking {
  readonly #asker: Asker;
  /** Process → settles when the last request that waits for it has taken effect, or never will. */
  readonly #lasts = new Map<string, Promise<void>>();

  constructor(asker: Asker) {
    this.#asker = asker;
  }

  /** True when a request about the same process waits, so that this one has to wait behind it. */
  isBefore(params: unknown): boolean {
    return this.#lasts.size > 0 && this.#lasts.has(processIn(params) ?? '');
  }

  /**
   * Acts when it is decided, if it is to be, and the requests before it about the same process have taken effect. Rejects
   * without having acted when the decision does or the connection ends first.
   */
  inTurn(params: unknown, decision: Promise<void> | null, act: () => unknown): Promise<unknown> {
    const about = processIn(params);
    const before = about === null ? undefined : this.#lasts.get(about);
    let result: unknown;
    // A refusal is reported in its turn.
    decision?.catch(() => undefined);
    const effect = this.#unlessGone(async () => {
      await before;
      await decision;
    }).then(async () => {
      result = act();
      // A start may have to look something up before its process exists. Requests behind it are never themselves waited
      // for.
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
    const gone = (): Error => invalidRequest('the connection is gone, so nothing was done');
    await new Promise<void>((resolve, reject) => {
      const stopListening = this.#asker.onEnding(() => reject(gone()));
      void wait().then(resolve, reject).finally(stopListening);
    });
    if (this.#asker.isEnding) throw gone();
  }
}

/** The process that a request is about, of the connection's session or of the console's; null when it names none by an id. */
function processIn(params: unknown): string | null {
  const { processId, newProcessId, session } = (params ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof newProcessId === 'string') return `console ${newProcessId}`;
  if (typeof processId !== 'string') return null;
  return `${session === 'console' ? 'console' : 'own'} ${processId}`;
}
