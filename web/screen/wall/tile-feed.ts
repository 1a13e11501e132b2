// Pictures of the visible processes. The feed sends a new request when other processes become visible, the page is
// hidden or shown, or the connection is back.
import type { Tile } from '../../../protocol/looks.ts';
import type { ExecClient } from '../../../client/exec-client.ts';

type Listener = (tile: Tile) => void;

/** Delay before a request: scrolling a wall changes the visible tiles many times a second. */
const ASK_AFTER_MS = 100;

export interface TileFeedOptions {
  readonly client: ExecClient;
  readonly isHidden: () => boolean;
}

export class TileFeed {
  readonly #options: TileFeedOptions;
  readonly #listeners = new Map<string, Listener>();
  /** Newest picture of each followed process, so that a new follower can draw it immediately. */
  readonly #latest = new Map<string, Tile>();
  #undo: readonly (() => void)[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: TileFeedOptions) {
    this.#options = options;
  }

  start(): void {
    const { connection } = this.#options.client;
    this.#undo = [
      connection.onNotification((method, params) => {
        if (method === 'console/tilesChanged') this.#reported(params);
      }),
      connection.onState(({ kind }) => {
        if (kind === 'online') this.#ask();
      }),
    ];
  }

  visibilityChanged(): void {
    this.#ask();
  }

  /**
   * Calls `listener` with the newest known picture of the process, if any, and with each later one; it replaces an
   * earlier listener for the process. Returns a function that stops the calls.
   */
  follow(key: string, listener: Listener): () => void {
    this.#listeners.set(key, listener);
    const latest = this.#latest.get(key);
    if (latest) listener(latest);
    this.#askSoon();
    return () => {
      if (this.#listeners.get(key) !== listener) return;
      this.#listeners.delete(key);
      this.#askSoon();
    };
  }

  stop(): void {
    for (const undo of this.#undo) undo();
    this.#undo = [];
    this.#listeners.clear();
    clearTimeout(this.#timer);
    this.#ask();
  }

  #askSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(), ASK_AFTER_MS);
  }

  #ask(): void {
    for (const key of this.#latest.keys()) if (!this.#listeners.has(key)) this.#latest.delete(key);
    const { client, isHidden } = this.#options;
    if (client.connection.state.kind !== 'online') return;
    const keys = isHidden() ? [] : [...this.#listeners.keys()].slice(0, MOST_TILES);
    // A failed request is repeated by the next change or reconnection.
    client.connection.request('console/tiles', { keys }).catch(() => undefined);
  }

  #reported(params: unknown): void {
    const { tiles } = (params ?? {}) as { readonly tiles?: unknown };
    if (!Array.isArray(tiles)) return;
    for (const tile of tiles.filter(isTile)) {
      const listener = this.#listeners.get(tile.key);
      if (!listener) continue;
      this.#latest.set(tile.key, tile);
      listener(tile);
    }
  }
}

/** Maximum number of tiles per connection, set by the gateway. */
const MOST_TILES = 200;

function isTile(value: unknown): value is Tile {
  const { key, rows, cols, lines } = (value ?? {}) as Partial<Tile>;
  const isLine = (line: unknown): boolean =>
    Array.isArray(line) && line.every((run) => typeof (run as { text?: unknown } | null)?.text === 'string');
  return (
    typeof key === 'string' &&
    Number.isInteger(rows) &&
    Number.isInteger(cols) &&
    Array.isArray(lines) &&
    lines.every(isLine)
  );
}
