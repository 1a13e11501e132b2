// Room for running processes: in total, per session, and per token.
import { Budget, divided, type Taker } from '../limits/budget.ts';
import { bytesText, countedText } from '../../text/amounts.ts';
import { internal } from '../rpc/rpc-error.ts';
import type { Session } from '../sessions/session.ts';

export interface StartRoomLimits {
  readonly processes: number;
  readonly processesPerSession: number;
  readonly retainedBytes: number;
  readonly liveBytes: number;
}

/** Maximum number of file descriptors that the gateway uses for one process. */
const DESCRIPTORS = 3;

export class StartRoom {
  readonly #limits: StartRoomLimits;
  readonly #slots: Budget;
  readonly #descriptors: Budget;
  readonly #liveCount: () => number;

  /** `liveCount`: returns the number of processes that are running or starting. */
  constructor(limits: StartRoomLimits, descriptors: Budget, liveCount: () => number) {
    const mostRetained = Math.floor(limits.liveBytes / limits.retainedBytes);
    this.#slots = new Budget('running processes', divided(Math.min(limits.processes, mostRetained)));
    this.#limits = limits;
    this.#descriptors = descriptors;
    this.#liveCount = liveCount;
  }

  check(session: Session, starter: Taker): void {
    const { processes, processesPerSession, retainedBytes, liveBytes } = this.#limits;
    const liveCount = this.#liveCount();
    if (liveCount >= processes)
      throw internal(
        `${countedText(processes, 'process is', 'processes are')} running, which is the limit; end one, or raise --max-processes`,
      );
    if (session.liveCount >= processesPerSession) {
      throw internal(
        `${countedText(processesPerSession, 'process is', 'processes are')} running in this session, which is the limit; end one, or raise --max-processes-per-session`,
      );
    }
    if ((liveCount + 1) * retainedBytes > liveBytes) {
      throw internal(
        `with another process, ${countedText(liveCount + 1, 'process', 'processes')} could retain ${bytesText(retainedBytes)} of output each, more than the limit of ${bytesText(liveBytes)} in total; nothing was started`,
      );
    }
    const why = this.#slots.whyNot(starter) ?? this.#descriptors.whyNot(starter, DESCRIPTORS);
    if (why !== null) throw internal(`${why}; nothing was started`);
  }

  /** Reserves room for one process; returns a function that releases it. */
  take(starter: Taker): () => void {
    const back = [this.#slots.take(starter), this.#descriptors.take(starter, DESCRIPTORS)];
    return () => {
      for (const each of back) each();
    };
  }
}
