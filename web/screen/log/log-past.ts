// Recorded lines above those in memory: counted first, then read when they come into view.
import type { LogLines } from './log-lines.ts';
import { PastLines, type AskLines, type AskRows } from './past-lines.ts';
import type { ReadingPlace } from './reading-place.ts';

/** Pause between two counts, so that a series of gaps does not trigger a count for each. */
const PAUSE_MS = 2000;

export interface LogPastOptions {
  readonly lines: LogLines;
  readonly place: Pick<ReadingPlace, 'offsetWithoutRow' | 'foundRow'>;
  readonly ask: AskLines;
  /** Called when more lines can be drawn. */
  readonly changed: () => void;
  /** Called when the position of the lines within the recording becomes known or changes. */
  readonly located: () => void;
}

export class LogPast {
  readonly #options: LogPastOptions;
  readonly #pages: PastLines;
  #isAsking = false;
  /** True when the gateway has refused to return recorded lines. */
  #isRefused = false;
  #pausedUntil = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: LogPastOptions) {
    this.#options = options;
    const ask: AskRows = async (query) => {
      const { run } = options.lines;
      const { rows, place } = await options.ask(run.place ? { offset: run.offset, ...query } : query);
      // The recording's size limit may have removed lines in the meantime, which shifts the rows of later lines.
      if (query.offset === undefined && place && run.place && place.row !== run.place.row) {
        this.#pages.forget();
        this.#locate(place);
        return null;
      }
      return rows;
    };
    this.#pages = new PastLines(ask, options.changed);
    options.lines.past = this.#pages;
  }

  /** True while some earlier lines are not counted yet; false once the gateway has refused to return them. */
  get isCounting(): boolean {
    const { run } = this.#options.lines;
    return run.hasEarlier && run.place === null && !this.#isRefused;
  }

  /** Starts counting the earlier lines, unless they are counted or being counted, or the last count is too recent. */
  step(): void {
    const { lines, ask, changed } = this.#options;
    const { run } = lines;
    if (!this.isCounting || this.#isAsking) return;
    const waitMs = this.#pausedUntil - performance.now();
    if (waitMs > 0) {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        changed();
      }, waitMs);
      return;
    }
    this.#isAsking = true;
    const counted = (): void => {
      this.#isAsking = false;
      this.#pausedUntil = performance.now() + PAUSE_MS;
      changed();
    };
    void ask({ offset: run.offset, limit: 1 }).then(
      async ({ place }) => {
        // The row of the line at the top of the view is determined first, since that line would otherwise
        // leave the view.
        if (place) await this.#findReader();
        if (place && lines.run === run) this.#locate(place);
        counted();
      },
      (error: unknown) => {
        this.#isRefused = isRefusal(error);
        counted();
      },
    );
  }

  /** Requests the missing recorded lines between two ids. */
  want(firstId: number, lastId: number): void {
    const { lines } = this.#options;
    const { pastRows, topId, firstId: end } = lines;
    if (pastRows > 0 && firstId < end) this.#pages.want(firstId - topId, lastId - topId, pastRows);
  }

  /** Resolves to the row of the recorded line that contains the byte; null when there is none. */
  async rowAt(offset: number): Promise<number | null> {
    const { rows } = await this.#options.ask({ offset, limit: 200 });
    this.#pages.take(rows);
    return rows[0]?.row ?? null;
  }

  /** Finds the row of the line at the top of the view; also resolves when it cannot be found. */
  async #findReader(): Promise<void> {
    const { place } = this.#options;
    const offset = place.offsetWithoutRow;
    if (offset === null) return;
    const row = await this.rowAt(offset).catch(() => null);
    if (row !== null) place.foundRow(offset, row);
  }

  dispose(): void {
    this.#pages.dispose();
    clearTimeout(this.#timer);
  }

  #locate(place: NonNullable<Awaited<ReturnType<AskLines>>['place']>): void {
    this.#options.lines.locate(place);
    this.#options.located();
  }
}

/** True for an error response of the gateway, as opposed to a lost connection. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error && error.name.startsWith('RequestError');
