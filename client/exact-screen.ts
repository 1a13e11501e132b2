// Replaces missing terminal output with a snapshot of the screen, drawn before the output that follows.
import type { Size } from '../protocol/scalars.ts';
import { fromBase64 } from './bytes.ts';
import type { ConnectionState } from './connection-state.ts';
import { ConnectionLost, NotOnline, type Connection, type Output } from './exec-client.ts';

/** Default number of scrollback lines requested with a current screen. */
const SCROLLBACK_LINES = 1000;

export interface Screen {
  readonly size: Size;
  /** Output that restores the screen, its scrollback and its modes in a fresh terminal of this size. */
  readonly data: Uint8Array;
  /** False when the screen may lack skipped output. */
  readonly isExact: boolean;
}

export interface ExactScreenOptions {
  readonly key: string;
  readonly connection: Connection;
  /**
   * Scrollback lines of a screen that replaces missing output. Null: as many as the gateway offers; the screen may then
   * be slightly older, so that it and the output that follows contain all retained lines.
   */
  readonly scrollbackAtGap: number | null;
  /** Draws the screen over the current content. */
  readonly draw: (screen: Screen) => void;
  readonly give: (output: Output, drawn: () => void) => void;
  /** Called when no screen is available, so that only output is shown. */
  readonly failed?: () => void;
  /**
   * Returns true while a person is reading the current content, which no screen may replace; default: never.
   */
  readonly isRead?: () => boolean;
  /** Calls `then` once all forwarded output has been drawn; default: immediately. */
  readonly whenDrawn?: (then: () => void) => void;
  /**
   * Called when a screen becomes owed or no longer is; while one is owed, no output is drawn.
   */
  readonly owed?: (isOwed: boolean) => void;
}

type Held =
  | { readonly kind: 'output'; readonly output: Output; readonly drawn: () => void }
  | { readonly kind: 'step' | 'size'; readonly afterSeq: number; readonly act: () => void };

/** Holds output while a screen is being fetched, and drops output that the screen already contains. */
export class ExactScreen {
  readonly #options: ExactScreenOptions;
  #held: Held[] = [];
  /**
   * `parked`: the connection was lost before the reply, or is offline; held output waits for the next connection.
   * `owed`: a screen is requested once the person has finished reading, and covers all output until then.
   */
  #asking: 'no' | 'yes' | 'parked' | 'owed' = 'no';
  #isStopped = false;
  #asked: Promise<void> = Promise.resolve();
  #unpark: () => void = () => undefined;
  /** Last seq drawn as part of a screen. */
  #drawnSeq = 0;
  /** Seq up to which output is missing; screens are requested until one contains everything up to it. */
  #neededSeq = 0;

  constructor(options: ExactScreenOptions) {
    this.#options = options;
  }

  output(output: Output, drawn: () => void): void {
    if (!this.takes(output, drawn)) this.#options.give(output, drawn);
  }

  /**
   * Accepts output that must wait for a screen or is already on one, and all output after `stop`; returns false for
   * output to draw now.
   */
  takes(output: Output, drawn: () => void): boolean {
    if (this.#asking === 'no' && output.seq > this.#drawnSeq && !this.#isStopped) return false;
    this.#take({ kind: 'output', output, drawn });
    return true;
  }

  /** Runs `act` in order after event `afterSeq`, unless a screen already contains its effect. */
  step(afterSeq: number, act: () => void): void {
    this.#take({ kind: 'step', afterSeq, act });
  }

  /** Variant of `step` for a change of size, which also applies to content that is being read. */
  size(afterSeq: number, act: () => void): void {
    this.#take({ kind: 'size', afterSeq, act });
  }

  /**
   * Reports that output below `nextSeq` is or will be missing. Returns true when the drawn screen already contains
   * it, and no other screen is awaited.
   */
  gap(nextSeq: number): boolean {
    this.#neededSeq = Math.max(this.#neededSeq, nextSeq - 1);
    if (this.#neededSeq <= this.#drawnSeq) return this.#asking === 'no';
    if (this.#asking === 'no' || this.#asking === 'parked') this.#ask(this.#options.scrollbackAtGap);
    return false;
  }

  /** Requests the owed screen, if any, once the person has finished reading the current content. */
  readToEnd(): void {
    if (this.#asking === 'owed') this.#ask(SCROLLBACK_LINES);
  }

  /** Requests a current screen, unless one is being fetched; while a person is reading, the request is postponed. */
  refresh(scrollback = SCROLLBACK_LINES): void {
    if (this.#asking !== 'yes') this.#ask(scrollback);
  }

  /** Drops held output and everything that arrives later, and requests and draws no more screens. */
  stop(): void {
    this.#isStopped = true;
    this.#held = [];
    this.#unpark();
  }

  /** Resolves when no screen is being fetched, and none is waiting for a connection that may come back. */
  async settled(): Promise<void> {
    while ((this.#asking === 'yes' || this.#asking === 'parked') && !this.#isStopped) await this.#asked;
  }

  #ask(scrollback: number | null): void {
    if (this.#isStopped) return;
    this.#unpark();
    if (this.#options.isRead?.()) {
      this.#owe();
      return;
    }
    if (this.#asking === 'owed') this.#options.owed?.(false);
    this.#asking = 'yes';
    const { connection, key } = this.#options;
    const params = { key, ...(scrollback !== null && { scrollback }) };
    this.#asked = connection.request('process/snapshot', params).then(
      ({ seq, rows, cols, data, exact }) =>
        this.#drawn(seq, { size: { rows, cols }, data: fromBase64(data), isExact: exact }),
      (error: unknown) => {
        if (this.#isStopped) return;
        if (error instanceof ConnectionLost || error instanceof NotOnline) this.#park();
        else this.#doWithout();
      },
    );
  }

  /** Postpones the screen until the person has finished reading, without blocking the process meanwhile. */
  #owe(): void {
    if (this.#asking !== 'owed') this.#options.owed?.(true);
    this.#asking = 'owed';
    for (const held of this.#held.splice(0)) this.#take(held);
  }

  #take(next: Held): void {
    if (this.#isStopped) return;
    if (this.#asking === 'owed' && next.kind === 'output') this.#leaveOut(next.output.seq, next.drawn);
    else if (this.#asking === 'owed' && next.kind === 'size') next.act();
    else if (this.#asking !== 'no') this.#held.push(next);
    else if (next.kind !== 'output') {
      if (next.afterSeq >= this.#drawnSeq) next.act();
    } else if (next.output.seq <= this.#drawnSeq) next.drawn();
    else this.#options.give(next.output, next.drawn);
  }

  #leaveOut(seq: number, drawn: () => void): void {
    this.#neededSeq = Math.max(this.#neededSeq, seq);
    drawn();
  }

  /** Waits for the next connection: a closed process is not attached again, so nothing else would retry. */
  #park(): void {
    const { connection, scrollbackAtGap } = this.#options;
    this.#asking = 'parked';
    const look = ({ kind }: ConnectionState): void => {
      if (this.#isStopped || this.#asking !== 'parked') return;
      if (kind === 'online') this.#ask(scrollbackAtGap);
      // The client does not reconnect in these states.
      else if (kind === 'failed' || kind === 'idle') this.#doWithout();
    };
    this.#asked = new Promise((resolve) => {
      const off = connection.onState(look);
      this.#unpark = () => {
        off();
        resolve();
      };
    });
    look(connection.state);
  }

  /** Continues with output alone: the gateway refused a snapshot, or the connection is closed for good. */
  #doWithout(): void {
    this.#unpark();
    this.#asking = 'no';
    this.#options.failed?.();
    this.#release();
  }

  #drawn(seq: number, screen: Screen): Promise<void> {
    return new Promise((resolve) => {
      const draw = (): void => {
        this.#draw(seq, screen);
        resolve();
      };
      // A person may start reading while earlier output is being drawn, so `#draw` checks `isRead` again.
      if (this.#options.whenDrawn) this.#options.whenDrawn(draw);
      else draw();
    });
  }

  #draw(seq: number, screen: Screen): void {
    if (this.#isStopped) return;
    if (this.#options.isRead?.()) {
      this.#owe();
      return;
    }
    this.#asking = 'no';
    this.#drawnSeq = Math.max(this.#drawnSeq, seq);
    this.#options.draw(screen);
    // More output went missing meanwhile, or the screen was too old: a current screen covers everything.
    if (this.#neededSeq > this.#drawnSeq) this.#ask(this.#options.scrollbackAtGap ?? SCROLLBACK_LINES);
    else this.#release();
  }

  #release(): void {
    for (const held of this.#held.splice(0)) this.#take(held);
  }
}
