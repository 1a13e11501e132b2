// Small pictures of processes, for those who look at many at once: made only of what has changed, about once a second.
import type { Tile } from '../protocol/looks.ts';
import type { Process } from '../process/process.ts';
import { plainLine } from '../process/plain-text.ts';
import type { Screens } from '../snapshot/screens.ts';

export interface TilesLimits {
  /** Between two pictures of one process. */
  readonly tileMs: number;
}

/** False when it could not take them: they are shown again, as they are then. */
type Listener = (tiles: readonly Tile[]) => boolean;

interface Looker {
  readonly processes: readonly Process[];
  readonly listener: Listener;
  /** What it has been shown: process → how much had been printed, and the size. */
  readonly shown: Map<Process, string>;
}

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
  look(processes: readonly Process[], listener: Listener): () => void {
    const looker: Looker = { processes, listener, shown: new Map() };
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
    const made = new Map<Process, Promise<Tile | null>>();
    await Promise.all([...this.#lookers].map((looker) => this.#show(looker, made)));
    this.#timer = this.#lookers.size > 0 ? setTimeout(() => void this.#turn(), this.#limits.tileMs) : null;
  }

  /** A picture is made once for all who look. */
  async #show(looker: Looker, made: Map<Process, Promise<Tile | null>>): Promise<void> {
    const changed = looker.processes.filter((process) => looker.shown.get(process) !== stateOf(process));
    for (const process of changed) looker.shown.set(process, stateOf(process));
    const tiles = await Promise.all(
      changed.map((process) => {
        const tile = made.get(process) ?? this.#tile(process);
        made.set(process, tile);
        return tile;
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
    const lines = process.log
      .tail(PIPE_TAIL_BYTES)
      .toString('utf8')
      .split('\n')
      .map((line) => plainLine(line).slice(0, PIPE_COLS));
    if (lines.at(-1) === '') lines.pop();
    const last = lines.slice(-PIPE_ROWS).map((text) => (text === '' ? [] : [{ text }]));
    return { key, rows: PIPE_ROWS, cols: PIPE_COLS, lines: last };
  }
}

const stateOf = ({ log, size }: Process): string => `${log.totalBytes} ${size?.rows} ${size?.cols}`;
