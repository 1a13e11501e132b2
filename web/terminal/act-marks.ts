// What a pane says of what people do to its process: that which it was told of while it was open and connected, once each.
import type { ProcessInfo } from '../../server/protocol/console.ts';
import { survivorsText } from '../ladder/report.ts';
import { actText } from '../processes/act-text.ts';
import type { DueDivider } from './due-dividers.ts';

type Told = Pick<ProcessInfo, 'acts' | 'allEndedAtMs' | 'escaped'>;

export class ActMarks {
  #newestMs: number;
  #allEndedAtMs: number | null;
  /** The connection over which the newest was told. */
  #connection: string | null;

  /** What was done before the pane was opened is history; where in the output it belongs nobody knows. */
  constructor({ acts, allEndedAtMs }: Told, connection: string | null) {
    this.#newestMs = acts.at(-1)?.atMs ?? 0;
    this.#allEndedAtMs = allEndedAtMs;
    this.#connection = connection;
  }

  /** What is to be said now, told over this connection. */
  news({ acts, allEndedAtMs, escaped }: Told, connection: string | null): readonly DueDivider[] {
    const isKnownPlace = connection === this.#connection;
    const said = acts
      .filter(({ atMs }) => atMs > this.#newestMs)
      .map((act) => ({ text: actText(act), afterSeq: act.afterSeq }));
    if (allEndedAtMs !== null && allEndedAtMs !== this.#allEndedAtMs) {
      const text = escaped.length === 0 ? 'all of it ended' : `ended, but for ${survivorsText(escaped)}`;
      said.push({ text, afterSeq: acts.at(-1)?.afterSeq ?? 0 });
    }
    this.#newestMs = Math.max(this.#newestMs, acts.at(-1)?.atMs ?? 0);
    this.#allEndedAtMs = allEndedAtMs;
    this.#connection = connection;
    return isKnownPlace ? said : [];
  }
}
