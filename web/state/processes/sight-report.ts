// Tells the gateway what somebody sees, which it then tells of first, and when nobody sees the page at all: then it tells
// nothing of what only prints.
import type { ExecClient } from '../../../client/exec-client.ts';

export interface SightReportOptions {
  readonly client: ExecClient;
  /** Not from when the gateway hears that nobody looks until it has told who looks again what is in their sight. */
  readonly informed: (isInformed: boolean) => void;
}

export class SightReport {
  readonly #options: SightReportOptions;
  /** What this connection has been told. */
  #told = '';
  /** How often a connection was told that nobody looks. */
  #hidings = 0;

  constructor(options: SightReportOptions) {
    this.#options = options;
  }

  /** Another connection has been told of nothing yet. */
  connectionChanged(isOnline: boolean): void {
    this.#told = '';
    // It begins with everything.
    if (isOnline) this.#options.informed(true);
  }

  /** Only while online. */
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
    // Refused: then what only prints is told as it was, in turn. Lost: so is everything.
    const answered = (): void => {
      if (!isHidden && hidings === this.#hidings) informed(true);
    };
    client.connection.request('console/look', { keys, isHidden }).then(answered, answered);
  }
}
