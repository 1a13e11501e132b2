// What a pane says of what people did to its process, once each: in its place, however long ago it was.
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
  /** The connection over which the newest was told. */
  #connection: string | null = null;

  constructor(due: Pick<DueDividers, 'add'>) {
    this.#due = due;
  }

  /** To be called with what is known when the pane opens, and with all that is told from then on. */
  told(info: Told, state: ConnectionState): void {
    const { acts, allEndedAtMs } = info;
    const connection = state.kind === 'online' ? state.connection : null;
    // Done before the pane was opened, or while the page was away.
    const isPast = connection === null || connection !== this.#connection;
    for (const act of acts) {
      if (act.atMs > this.#newestMs) this.#due.add({ text: actText(act), afterSeq: act.afterSeq, isPast });
    }
    if (allEndedAtMs !== null && allEndedAtMs !== this.#allEndedAtMs) {
      const text = endText(info);
      // Who was not there finds it at the end of all output.
      const afterSeq = isPast ? Number.POSITIVE_INFINITY : (acts.at(-1)?.afterSeq ?? 0);
      this.#due.add({ text, afterSeq, isPast });
    }
    this.#newestMs = Math.max(this.#newestMs, acts.at(-1)?.atMs ?? 0);
    this.#allEndedAtMs = allEndedAtMs;
    this.#connection = connection;
  }
}

type Told = Pick<ProcessInfo, 'acts' | 'allEndedAtMs' | 'escaped' | 'outputHeld'>;

function endText(info: Told): string {
  if (info.escaped.length > 0) return `ended, except ${survivorsText(info.escaped)}`;
  return isHeldUnseen(info) ? 'ended, but its output pipe is still open' : 'everything ended';
}
