// What a measure is, and what it is given: one running server, fresh, and how long it may take.

/** A server that runs; plain data, since measures are taken in a process of their own. */
export interface Subject {
  readonly name: string;
  readonly url: string;
  /** Shown as a bearer token. */
  readonly token: string | null;
  /** Whether its client acknowledges each frame at once, so that it never waits to send the next small one. */
  readonly isNudged: boolean;
  /** The link for a browser; null where there is no page. */
  readonly pageUrl: string | null;
  /** Of the server itself, not of what started it. */
  readonly pid: number;
}

export interface Options {
  /** Operations behind a p50 and a p99 … */
  readonly operations: number;
  /** … unless so many seconds are over first; also how long a load lasts. */
  readonly seconds: number;
  /** Output that a page sees in its simulated hour. */
  readonly megabytes: number;
}

/** Name with unit → value. */
export type Figures = { readonly [name: string]: number };

export interface Measure {
  readonly name: string;
  /** One line for `--list`. */
  readonly about: string;
  /** `console` needs what only an exec-console has. */
  readonly servers: 'all' | 'console';
  /** Throws when something is not merely slow but wrong. */
  readonly run: (subject: Subject, options: Options) => Promise<Figures>;
}
