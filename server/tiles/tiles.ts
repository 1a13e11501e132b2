// Small pictures of processes, for those who look at many at once: made only of what has changed, about once a second.
import type { Tile } from '../protocol/looks.ts';
import { masked } from '../protocol/masking.ts';
import type { Process } from '../process/process.ts';
import { plainLine } from '../process/plain-text.ts';
import { redacted } from '../redaction/redacted-log.ts';
import { redactedLines } from '../redaction/redacted-picture.ts';
import type { Screens } from '../snapshot/screens.ts';

export interface TilesLimits {
  /** Between two pictures of one process. */
  readonly tileMs: number;
}

/** False when it could not take them: they are shown again, as they are then. */
type Listener = (tiles: readonly Tile[]) => boolean;

/** Who looks: at what, and with secrets covered or not. */
export interface Look {
  readonly processes: readonly Process[];
  readonly isRedacted: boolean;
}

interface Looker extends Look {
  readonly listener: Listener;
  /** What it has been shown: process → how much had been printed, and the size. */
  readonly shown: Map<Process, string>;
}

/** Made in this turn, for each kind of look. */
type Made = { readonly [kind in 'asIs' | 'redacted']: Map<Process, Promise<Tile | null>> };

/** A process without a terminal: its last lines, as many and as wide as a terminal has by default. */
const PIPE_ROWS = 24;
const PIPE_COLS = 80;
const PIPE_TAIL_BYTES = 8 * 1024;

export class Tiles {
  readonly #limits: TilesLimits;
  readonly #screens: Screens;
  readonly #lookers = new Set<Looker>();
  #timer: NodeJS.Timeout | null = null;

  constructor(limits: TilesLimits, screens: Screens) {
    this.#limits = limits;
    this.#screens = screens;
  }

  /** `listener` gets each picture at once, then whenever it has changed. Returns its own undo. */
  look(what: Look, listener: Listener): () => void {
    const looker: Looker = { ...what, listener, shown: new Map() };
    this.#lookers.add(looker);
    this.#timer ??= setTimeout(() => void this.#turn(), 0);
    return () => this.#lookers.delete(looker);
  }

  close(): void {
    this.#lookers.clear();
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  async #turn(): Promise<void> {
    const made: Made = { asIs: new Map(), redacted: new Map() };
    await Promise.all([...this.#lookers].map((looker) => this.#show(looker, made)));
    this.#timer = this.#lookers.size > 0 ? setTimeout(() => void this.#turn(), this.#limits.tileMs) : null;
  }

  /** A picture is made once for all who look. */
  async #show(looker: Looker, { asIs, redacted: covered }: Made): Promise<void> {
    const changed = looker.processes.filter((process) => looker.shown.get(process) !== stateOf(process));
    for (const process of changed) looker.shown.set(process, stateOf(process));
    const tiles = await Promise.all(
      changed.map((process) => {
        const tile = asIs.get(process) ?? this.#tile(process);
        asIs.set(process, tile);
        if (!looker.isRedacted) return tile;
        const shown = covered.get(process) ?? tile.then((whole) => whole && withoutSecrets(process, whole));
        covered.set(process, shown);
        return shown;
      }),
    );
    const told = tiles.filter((tile) => tile !== null);
    if (told.length === 0 || !this.#lookers.has(looker) || looker.listener(told)) return;
    for (const process of changed) looker.shown.delete(process);
  }

  async #tile(process: Process): Promise<Tile | null> {
    const { key, size } = process;
    if (size) {
      const picture = await this.#screens.picture(process);
      return picture && { key, ...picture };
    }
    return lastLines(key, process.log.tail(PIPE_TAIL_BYTES));
  }
}

function lastLines(key: string, tail: Buffer, shown = (line: string): string => line): Tile {
  const lines = tail
    .toString('utf8')
    .split('\n')
    .map((line) => shown(plainLine(line)).slice(0, PIPE_COLS));
  if (lines.at(-1) === '') lines.pop();
  const last = lines.slice(-PIPE_ROWS).map((text) => (text === '' ? [] : [{ text }]));
  return { key, rows: PIPE_ROWS, cols: PIPE_COLS, lines: last };
}

/** Lines that are cut do not show what was a secret: without a terminal they are made anew. */
function withoutSecrets({ log, size }: Process, tile: Tile): Tile {
  const seen = redacted(log);
  if (!size) return lastLines(tile.key, seen.tail(PIPE_TAIL_BYTES), masked);
  return { ...tile, lines: redactedLines(tile.lines, tile.cols, seen.open) };
}

const stateOf = ({ log, size }: Process): string => `${log.totalBytes} ${size?.rows} ${size?.cols}`;
