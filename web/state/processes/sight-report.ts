// Reports to the gateway which processes are in view, so that it sends their changes first, and when the page is in the
// background: then it sends no changes that are only output.
import type { ExecClient } from '../../../client/exec-client.ts';

export interface SightReportOptions {
  readonly client: ExecClient;
  /**
   * Called with false when the page reports to the gateway that it is in the background, and with true when it has sent the
   * state of the processes in view again.
   */
  readonly informed: (isInformed: boolean) => void;
}

export class SightReport {
  readonly #options: SightReportOptions;
  /** The last report on this connection. */
  #told = '';
  /** Number of reports that the page is in the background. */
  #hidings = 0;

  constructor(options: SightReportOptions) {
    this.#options = options;
  }

  /** Starts over on another connection, which has no report yet. */
  connectionChanged(isOnline: boolean): void {
    this.#told = '';
    // A connection begins with the whole state.
    if (isOnline) this.#options.informed(true);
  }

  /** Sends the report. Call only while online. */
  tell(keys: string[], isHidden: boolean): void {
    const told = [isHidden ? 'nobody' : 'somebody', ...keys.toSorted()].join(' ');
    if (told === this.#told) return;
    this.#told = told;
    const { client, informed } = this.#options;
    if (isHidden) {
      this.#hidings += 1;
      informed(false);
    }
    const hidings = this.#hidings;
    // If refused, changes arrive in the usual order; if the connection is lost, a new one begins with the whole state.
    const answered = (): void => {
      if (!isHidden && hidings === this.#hidings) informed(true);
    };
    client.connection.request('console/look', { keys, isHidden }).then(answered, answered);
  }
}
