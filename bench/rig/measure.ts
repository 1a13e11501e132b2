// Types of a measure and its input: a fresh running server, and time limits.

/** A running server, as plain data, since measures run in another process. */
export interface Subject {
  readonly name: string;
  readonly url: string;
  /** Bearer token; null if none is needed. */
  readonly token: string | null;
  /**
   * True for a client that acknowledges each frame immediately, so that the server never delays small ones.
   */
  readonly isNudged: boolean;
  /** Sign-in link for a browser; null if there is no page. */
  readonly pageUrl: string | null;
  /** State folder, by which commands find the gateway; null for other servers. */
  readonly stateDir: string | null;
  /** PID of the server itself, not of a wrapper. */
  readonly pid: number;
}

export interface Options {
  /** Number of operations for a p50 and a p99. */
  readonly operations: number;
  /** Seconds after which a measure ends with fewer operations; also the duration of a load. */
  readonly seconds: number;
  /** Output sent to a page in its simulated hour. */
  readonly megabytes: number;
  /** Size of the recordings that are searched. */
  readonly gigabytes: number;
  /** Recordings with which a gateway is started. */
  readonly recordings: number;
}

/** Values by name with unit. */
export type Figures = { readonly [name: string]: number };

export interface Measure {
  readonly name: string;
  /** One line for `--list`. */
  readonly about: string;
  /** `console`: requires methods of exec-console. */
  readonly servers: 'all' | 'console';
  /** Timeout of a measure that takes longer than the others. */
  readonly limitMs?: number;
  /** Throws when a result is not merely slow but wrong. */
  readonly run: (subject: Subject, options: Options) => Promise<Figures>;
}
