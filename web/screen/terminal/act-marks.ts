// Markers in a pane for people's actions on its process: each appears once, at its place in the output.
import type { ProcessInfo } from '../../../protocol/console.ts';
import type { ConnectionState } from '../../../client/connection-state.ts';
import { isHeldUnseen } from '../../state/ending/ladder.ts';
import { survivorsText } from '../../state/ending/report.ts';
import { actText } from '../../../text/act-text.ts';
import type { DueDividers } from './due-dividers.ts';

export class ActMarks {
  readonly #due: Pick<DueDividers, 'add'>;
  #newestMs = 0;
  #allEndedAtMs: number | null = null;
  /** Connection at the last update; null if the page was offline. */
  #connection: string | null = null;

  constructor(due: Pick<DueDividers, 'add'>) {
    this.#due = due;
  }

  /**
   * Adds a marker for each new act, and another once everything has ended; call this with the info known when the
   * pane opens, and with every update.
   */
  update(info: Reported, state: ConnectionState): void {
    const { acts, allEndedAtMs } = info;
    const connection = state.kind === 'online' ? state.connection : null;
    // True for acts from before the pane was opened or from a time when the page was disconnected.
    const isPast = connection === null || connection !== this.#connection;
    for (const act of acts) {
      if (act.atMs > this.#newestMs) this.#due.add({ text: actText(act), afterSeq: act.afterSeq, isPast });
    }
    if (allEndedAtMs !== null && allEndedAtMs !== this.#allEndedAtMs) {
      const text = endText(info);
      // The position of an end that this page did not see live is unknown, so its marker follows all output.
      const afterSeq = isPast ? Number.POSITIVE_INFINITY : (acts.at(-1)?.afterSeq ?? 0);
      this.#due.add({ text, afterSeq, isPast });
    }
    this.#newestMs = Math.max(this.#newestMs, acts.at(-1)?.atMs ?? 0);
    this.#allEndedAtMs = allEndedAtMs;
    this.#connection = connection;
  }
}

type Reported = Pick<ProcessInfo, 'acts' | 'allEndedAtMs' | 'escaped' | 'outputHeld'>;

function endText(info: Reported): string {
  if (info.escaped.length > 0) return `ended; still running: ${survivorsText(info.escaped)}`;
  return isHeldUnseen(info) ? 'ended, but its output pipe is still open' : 'everything ended';
}
