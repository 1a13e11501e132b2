// Reports to the gateway which processes are visible, so that their changes are sent first, and when the page
// is in the background, so that changes that consist only of output are not sent.
import type { ExecClient } from '../../../client/exec-client.ts';

export interface SightReportOptions {
  readonly client: ExecClient;
  /**
   * Called with false when the page reports that it is in the background, and with true once the gateway has sent the
   * state of the visible processes again, or on a new connection.
   */
  readonly informed: (isInformed: boolean) => void;
}

export class SightReport {
  readonly #options: SightReportOptions;
  /** Last report on this connection. */
  #lastReport = '';
  /** Number of times that the page has reported being in the background. */
  #hidings = 0;

  constructor(options: SightReportOptions) {
    this.#options = options;
  }

  /** Discards the last report, which a new connection has not received. */
  connectionChanged(isOnline: boolean): void {
    this.#lastReport = '';
    // A new connection starts with the whole state.
    if (isOnline) this.#options.informed(true);
  }

  /** Sends the report unless it equals the last one on this connection. Call this only while online. */
  sendSight(keys: string[], isHidden: boolean): void {
    const report = [isHidden ? 'nobody' : 'somebody', ...keys.toSorted()].join(' ');
    if (report === this.#lastReport) return;
    this.#lastReport = report;
    const { client, informed } = this.#options;
    if (isHidden) {
      this.#hidings += 1;
      informed(false);
    }
    const hidings = this.#hidings;
    // A refused report also counts as answered: changes then arrive in the usual order. After a lost connection,
    // the next one starts with the whole state.
    const answered = (): void => {
      if (!isHidden && hidings === this.#hidings) informed(true);
    };
    client.connection.request('console/look', { keys, isHidden }).then(answered, answered);
  }
}
