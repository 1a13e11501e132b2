// Types of a measure, its input (a running server and the size of the run) and its figures.

/** A running server, as plain data, since measures run in another process. */
export interface Subject {
  readonly name: string;
  readonly url: string;
  /** Bearer token; null if none is needed. */
  readonly token: string | null;
  /** True if the client acknowledges each frame immediately, so that the server never delays small ones. */
  readonly isNudged: boolean;
  /** Sign-in link for a browser; null if there is no page. */
  readonly pageUrl: string | null;
  /** State folder of the gateway, by which commands find it; null for a server other than exec-console. */
  readonly stateDir: string | null;
  /** PID of the server itself, not of a wrapper. */
  readonly pid: number;
}

export interface Options {
  /** Maximum number of operations for each p50 and p99. */
  readonly operations: number;
  /** Time limit of each series of operations, in seconds; a load lasts as long, or a fraction of it. */
  readonly seconds: number;
  /** Output sent to a page in its simulated hour, in MB. */
  readonly megabytes: number;
  /** Total size of the recordings that are searched, in GiB. */
  readonly gigabytes: number;
  /** Largest number of recordings with which a gateway is started. */
  readonly recordings: number;
}

/** Values by name; a name may end with the unit. */
export type Figures = { readonly [name: string]: number };

export interface Measure {
  readonly name: string;
  /** Description in one line, for `--list` and the results. */
  readonly about: string;
  /** `console`: requires methods of exec-console. */
  readonly servers: 'all' | 'console';
  /** Time limit of the measure; default: 15 minutes. */
  readonly limitMs?: number;
  /** Resolves with the figures; rejects when an operation fails or hangs. */
  readonly run: (subject: Subject, options: Options) => Promise<Figures>;
}
