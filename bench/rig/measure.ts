// Types of a measure and its input: one running server, fresh, and limits of the time that it may take.

/** A running server; plain data, since measures are taken in another process. */
export interface Subject {
  readonly name: string;
  readonly url: string;
  /** Bearer token; null: none. */
  readonly token: string | null;
  /**
   * True for a client that acknowledges each frame at once, so that the server never waits to send the next small one.
   */
  readonly isNudged: boolean;
  /** Sign-in link for a browser; null where there is no page. */
  readonly pageUrl: string | null;
  /** Pid of the server itself, not of a wrapper that started it. */
  readonly pid: number;
}

export interface Options {
  /** Number of operations behind a p50 and a p99. */
  readonly operations: number;
  /** Seconds after which a measure ends with fewer operations; also the duration of a load. */
  readonly seconds: number;
  /** Output that a page gets in its simulated hour. */
  readonly megabytes: number;
}

/** Values, by name with unit. */
export type Figures = { readonly [name: string]: number };

export interface Measure {
  readonly name: string;
  /** One line for `--list`. */
  readonly about: string;
  /** `console`: the measure needs methods that only exec-console has. */
  readonly servers: 'all' | 'console';
  /** Throws when a result is not merely slow but wrong. */
  readonly run: (subject: Subject, options: Options) => Promise<Figures>;
}
