// Creates small pictures of processes for views of many processes, only after changes, about once a second.
import type { Tile } from '../../protocol/looks.ts';
import { masked } from '../../text/masking.ts';
import type { ProcessView } from '../keeper/process-view.ts';
import { maskedLine, plainLine } from '../../text/plain-text.ts';
import { redacted } from '../delivery/redacted-log.ts';
import { redactedLines } from '../delivery/redacted-picture.ts';
import type { Screens } from './screens.ts';
import { headOf } from '../../text/cut.ts';

export interface TilesLimits {
  /** Interval between two turns; each turn makes the pictures of changed processes. */
  readonly tileMs: number;
  /** Minimum time between two turns when a watcher has just been added. */
  readonly tileSoonMs: number;
  /** Time for which pictures are collected, so that they are sent together. */
  readonly tilesTogetherMs: number;
}

/** Receives pictures; returns false when it cannot accept them, and newer ones are then sent later. */
type Listener = (tiles: readonly Tile[]) => boolean;

/** Processes in view of a watcher, with secrets masked or not. */
export interface Look {
  readonly processes: readonly ProcessView[];
  readonly isRedacted: boolean;
}

/** One watcher and its pictures to send; watchers are separate, so that a slow picture does not delay others. */
class Looker {
  readonly what: Look;
  readonly #listener: Listener;
  readonly #togetherMs: number;
  /** Bytes printed and size of each process when its picture was last requested for this watcher. */
  readonly #shown = new Map<ProcessView, string>();
  #next: { readonly process: ProcessView; readonly tile: Tile }[] = [];
  #timer: NodeJS.Timeout | null = null;

  constructor(what: Look, togetherMs: number, listener: Listener) {
    this.what = what;
    this.#togetherMs = togetherMs;
    this.#listener = listener;
  }

  /** Returns the processes that are new or have changed since the last call, and those marked by `showAgain`. */
  changed(): readonly ProcessView[] {
    const changed = this.what.processes.filter((process) => this.#shown.get(process) !== stateOf(process));
    for (const process of changed) this.#shown.set(process, stateOf(process));
    return changed;
  }

  show(process: ProcessView, tile: Tile): void {
    this.#next.push({ process, tile });
    this.#timer ??= setTimeout(() => this.#send(), this.#togetherMs);
  }

  /** Makes the next turn send the picture again, even without a change. */
  showAgain(process: ProcessView): void {
    this.#shown.delete(process);
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
  }

  #send(): void {
    this.#timer = null;
    const sent = this.#next;
    this.#next = [];
    if (this.#listener(sent.map(({ tile }) => tile))) return;
    for (const { process } of sent) this.showAgain(process);
  }
}

/** Pictures made in one turn, either all redacted or all as they are. */
interface Pictures {
  readonly tiles: Map<ProcessView, Promise<Tile | null>>;
  /** Processes with more output to draw. */
  readonly unfinished: Set<ProcessView>;
}

interface Made {
  readonly asIs: Pictures;
  readonly redacted: Pictures;
}

/** Size of the tile of a process without a terminal, which shows its last lines. */
const PIPE_ROWS = 24;
const PIPE_COLS = 80;
const PIPE_TAIL_BYTES = 8 * 1024;

export class Tiles {
  readonly #limits: TilesLimits;
  readonly #screens: Screens;
  readonly #lookers = new Set<Looker>();
  /** Processes whose pictures are being made, which may take several turns. */
  readonly #drawn = { asIs: new Set<ProcessView>(), redacted: new Set<ProcessView>() };
  #timer: NodeJS.Timeout | null = null;
  #turnedAtMs = Number.NEGATIVE_INFINITY;
  #isTurning = false;
  /** True when a watcher has been added since the current turn began. */
  #isAsked = false;

  constructor(limits: TilesLimits, screens: Screens) {
    this.#limits = limits;
    this.#screens = screens;
  }

  /**
   * Calls `listener` with all pictures soon, then with each one after a change. Returns a function that stops the
   * calls.
   */
  look(what: Look, listener: Listener): () => void {
    const looker = new Looker(what, this.#limits.tilesTogetherMs, listener);
    this.#lookers.add(looker);
    if (this.#isTurning) this.#isAsked = true;
    else this.#turnSoon();
    return () => {
      this.#lookers.delete(looker);
      looker.stop();
    };
  }

  close(): void {
    for (const looker of this.#lookers) looker.stop();
    this.#lookers.clear();
    this.#stopTimer();
  }

  #stopTimer(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #turnSoon(): void {
    const sinceMs = performance.now() - this.#turnedAtMs;
    this.#turnIn(Math.max(0, this.#limits.tileSoonMs - sinceMs));
  }

  #turnIn(ms: number): void {
    this.#stopTimer();
    this.#timer = setTimeout(() => void this.#turn(), ms);
  }

  async #turn(): Promise<void> {
    this.#timer = null;
    this.#turnedAtMs = performance.now();
    this.#isTurning = true;
    this.#isAsked = false;
    const made: Made = {
      asIs: { tiles: new Map(), unfinished: new Set() },
      redacted: { tiles: new Map(), unfinished: new Set() },
    };
    const shown = Promise.all([...this.#lookers].map((looker) => this.#show(looker, made)));
    // A slow picture is sent once it is drawn, and does not delay the next turn.
    await Promise.race([
      shown,
      new Promise<void>((resolve) => (this.#timer = setTimeout(resolve, this.#limits.tileMs))),
    ]);
    this.#stopTimer();
    this.#isTurning = false;
    if (this.#lookers.size === 0) return;
    if (this.#isAsked) this.#turnSoon();
    else this.#turnIn(this.#limits.tileMs);
  }

  /**
   * Sends one watcher the pictures of its changed processes; watchers with the same `isRedacted` share the pictures of
   * a turn.
   */
  async #show(looker: Looker, { asIs, redacted }: Made): Promise<void> {
    await Promise.all(
      looker.changed().map(async (process) => {
        const { isRedacted } = looker.what;
        const { tiles, unfinished } = isRedacted ? redacted : asIs;
        const tile = tiles.get(process) ?? this.#tile(process, isRedacted, unfinished);
        tiles.set(process, tile);
        const picture = await tile;
        if (unfinished.has(process)) looker.showAgain(process);
        if (picture && this.#lookers.has(looker)) looker.show(process, picture);
      }),
    );
  }

  async #tile(process: ProcessView, isRedacted: boolean, unfinished: Set<ProcessView>): Promise<Tile | null> {
    const { key, size, log } = process;
    if (!size) return isRedacted ? redactedTail(process) : lastLines(key, log.tail(PIPE_TAIL_BYTES));
    const drawn = isRedacted ? this.#drawn.redacted : this.#drawn.asIs;
    if (drawn.has(process)) {
      unfinished.add(process);
      return null;
    }
    drawn.add(process);
    const made = await this.#screens.picture(process, isRedacted);
    drawn.delete(process);
    if (made?.isWhole === false) unfinished.add(process);
    if (!made) return null;
    const { picture } = made;
    if (!isRedacted) return { key, ...picture };
    // Characters that were printed separately may form a secret on the screen, so its lines are masked, too.
    return { key, ...picture, lines: redactedLines(picture.lines, picture.cols, redacted(log).open) };
  }
}

function lastLines(key: string, tail: Buffer, shown = plainLine): Tile {
  const lines = tail
    .toString('utf8')
    .split('\n')
    .map((line) => headOf(shown(line), PIPE_COLS));
  if (lines.at(-1) === '') lines.pop();
  const last = lines.slice(-PIPE_ROWS).map((text) => (text === '' ? [] : [{ text }]));
  return { key, rows: PIPE_ROWS, cols: PIPE_COLS, lines: last };
}

/** Masks each line before it is truncated, because truncation may hide the pattern of a secret. */
function redactedTail({ key, log }: ProcessView): Tile {
  return lastLines(key, redacted(log).tail(PIPE_TAIL_BYTES), (line) => maskedLine(line, masked));
}

const stateOf = ({ log, size }: ProcessView): string => `${log.totalBytes} ${size?.rows} ${size?.cols}`;
