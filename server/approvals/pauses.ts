// Pauses hold new starts of all agents, or of one agent, session or thread, until a person lifts them.
import type { Pause } from '../../protocol/approvals.ts';
import type { ApprovalStore } from '../policy/approval-store.ts';
import { randomId } from '../host/random-id.ts';
import { internal } from '../rpc/rpc-error.ts';
import type { Session } from '../sessions/session.ts';
import { numberText } from '../../text/amounts.ts';

/** Properties of a start that decide whether a pause holds it. */
export interface Starter {
  readonly agent: string;
  readonly session: string;
  readonly thread: string | null;
}

/** Each pause is checked at each start, so their number is limited. */
const MOST_PAUSES = 1000;

export class Pauses {
  readonly #store: ApprovalStore;
  /** Id of the pause → threads of its session that are not paused. */
  readonly #goOn = new Map<string, ReadonlySet<string>>();

  constructor(store: ApprovalStore) {
    this.#store = store;
    this.restore();
  }

  /** Widens stored pauses of a session or thread to the whole agent, since the session may end with its gateway. */
  restore(): void {
    const isNarrow = ({ session }: Pause): boolean => session !== null;
    if (!this.all.some(isNarrow)) return;
    this.#store.change(({ pauses }) => ({
      pauses: pauses.map((pause) => ({ ...pause, session: null, thread: null })),
    }));
  }

  get all(): readonly Pause[] {
    return this.#store.stored.pauses;
  }

  /**
   * Adds a pause and returns it; returns the existing pause when the same target is already paused for the same
   * reason. `others`: other threads of the session, which continue.
   */
  add(pause: Omit<Pause, 'id' | 'atMs'>, others: ReadonlySet<string>): Pause {
    const same = this.all.find(
      ({ agent, session, thread, why }) =>
        agent === pause.agent && session === pause.session && thread === pause.thread && why === pause.why,
    );
    if (same) return same;
    if (this.all.length >= MOST_PAUSES)
      throw internal(`there are ${numberText(MOST_PAUSES)} pauses, which is the limit; end some first`);
    const added = { ...pause, id: `h-${randomId(6)}`, atMs: Date.now() };
    this.#store.change(({ pauses }) => ({ pauses: [...pauses, added] }));
    if (pause.thread !== null) this.#goOn.set(added.id, others);
    return added;
  }

  /** Lifts the matching pauses, or all pauses when there is no filter, and returns them. */
  lift(wanted: { readonly id?: string | undefined; readonly agent?: string | undefined }): readonly Pause[] {
    const lifted = this.all.filter(
      ({ id, agent }) =>
        (wanted.id === undefined || id === wanted.id) &&
        (wanted.agent === undefined || agent === wanted.agent),
    );
    if (lifted.length === 0) return lifted;
    const ids = new Set(lifted.map(({ id }) => id));
    this.#store.change(({ pauses }) => ({ pauses: pauses.filter(({ id }) => !ids.has(id)) }));
    for (const { id } of lifted) this.#goOn.delete(id);
    return lifted;
  }

  /** Returns the newest pause that holds a start; null when none does. */
  holding({ agent, session, thread }: Starter): Pause | null {
    const holds = (pause: Pause): boolean => {
      if (pause.agent === null) return true;
      if (pause.agent !== agent) return false;
      if (pause.session === null) return true;
      if (pause.thread === null) return pause.session === session;
      if (pause.thread === thread) return true;
      // The thread is only the agent's claim, so a start that names a new thread, or none, is held as well.
      return pause.session === session && (thread === null || !this.#goOn.get(pause.id)?.has(thread));
    };
    return this.all.findLast(holds) ?? null;
  }
}

/** Returns a reason such as `paused by Ada`. */
export const pauseReason = ({ why, by }: Pause): string => `${why} by ${by}`;

/** Returns the threads of a session's processes, except `thread`. */
export function otherThreads(session: Session, thread: string | null): ReadonlySet<string> {
  const threads = session.processes().map(({ description }) => description.metadata['threadId']);
  return new Set(threads.filter((each): each is string => each !== undefined && each !== thread));
}
