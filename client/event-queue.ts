// Queue between one process's events and their reader: ordered, and bounded by pausing the source.

/** Number of unread bytes above which the source is paused, and at or below which it is resumed. */
const FULL_BYTES = 1024 * 1024;
const EMPTY_BYTES = 256 * 1024;
/**
 * Limit on unread bytes when the source can't be paused, as in a browser: beyond it new events are dropped, and reading
 * fails after the queued ones.
 */
const UNREAD_BYTES = 64 * 1024 * 1024;

export interface EventQueueOptions {
  /** Called with true when too much is unread, and with false when there is room again. */
  full(isFull: boolean): void;
}

/**
 * Serves one reader, and drops all events once that reader stops. Reading ends after the queued events: `end(null)`
 * ends it normally, and `end(error)` makes it throw the error.
 */
export class EventQueue<E> {
  readonly #options: EventQueueOptions;
  #events: { readonly event: E; readonly bytes: number }[] = [];
  #bytes = 0;
  #isFull = false;
  #isDiscarding = false;
  #ending: { readonly error: Error | null } | null = null;
  #wake: (() => void) | null = null;

  constructor(options: EventQueueOptions) {
    this.#options = options;
  }

  push(event: E, bytes: number): void {
    if (this.#isDiscarding || this.#ending) return;
    if (this.#bytes + bytes > UNREAD_BYTES) {
      this.end(
        new Error(`more than ${UNREAD_BYTES / 2 ** 20} MiB of output was unread; read events as they arrive`),
      );
      return;
    }
    this.#events.push({ event, bytes });
    this.#bytes += bytes;
    this.#reportFull();
    this.#wake?.();
  }

  /** Drops all current and future events. */
  discard(): void {
    this.#isDiscarding = true;
    this.#events = [];
    this.#bytes = 0;
    this.#reportFull();
  }

  end(error: Error | null): void {
    this.#ending ??= { error };
    this.#wake?.();
  }

  async *read(): AsyncGenerator<E, void, void> {
    try {
      for (;;) {
        const next = this.#events.shift();
        if (next) {
          this.#bytes -= next.bytes;
          this.#reportFull();
          yield next.event;
        } else if (this.#ending) {
          if (this.#ending.error) throw this.#ending.error;
          return;
        } else {
          await new Promise<void>((resolve) => (this.#wake = resolve));
          this.#wake = null;
        }
      }
    } finally {
      // A reader that stops early needs no more events.
      this.discard();
    }
  }

  #reportFull(): void {
    const isFull = this.#bytes > (this.#isFull ? EMPTY_BYTES : FULL_BYTES);
    if (isFull === this.#isFull) return;
    this.#isFull = isFull;
    this.#options.full(isFull);
  }
}
