// A terminal's exact screen, put before the output that follows it: where output is missing, a snapshot stands in for it.
import type { Size } from '../protocol/scalars.ts';
import { fromBase64 } from './bytes.ts';
import type { ConnectionState } from './connection-state.ts';
import { ConnectionLost, NotOnline, type Connection, type Output } from './exec-client.ts';

/** Lines above a screen of now. */
const SCROLLBACK_LINES = 1000;

export interface Screen {
  readonly size: Size;
  /** Written to a fresh terminal of that size it gives the screen, the lines above it, and the modes. */
  readonly data: Uint8Array;
  /** False after a flood that was not drawn whole. */
  readonly isExact: boolean;
}

export interface ExactScreenOptions {
  readonly key: string;
  readonly connection: Connection;
  /**
   * The lines that a screen brings along where output is missing. Null: as many as there are, of a screen that is so
   * old that all retained output follows it.
   */
  readonly scrollbackAtGap: number | null;
  /** Draws over whatever is there. */
  readonly draw: (screen: Screen) => void;
  readonly give: (output: Output, drawn: () => void) => void;
  /** No screen can be had; output alone must do. */
  readonly failed?: () => void;
  /** Whether somebody reads what is there, so that no screen may take its place; by default never. */
  readonly isRead?: () => boolean;
  /** Calls back when all that was given is drawn; by default it is at once. */
  readonly whenDrawn?: (then: () => void) => void;
  /** Whether a screen is owed: nothing is drawn until `readToEnd`. */
  readonly owed?: (isOwed: boolean) => void;
}

type Held =
  | { readonly kind: 'output'; readonly output: Output; readonly drawn: () => void }
  | { readonly kind: 'step' | 'size'; readonly afterSeq: number; readonly act: () => void };

/** Holds what comes while a screen is on its way, and drops of it what that screen has already. */
export class ExactScreen {
  readonly #options: ExactScreenOptions;
  #held: Held[] = [];
  /**
   * `parked`: the connection went before the answer came; what is held waits for the next one. `owed`: it is asked for
   * when nobody reads what is there any more, and will have all that comes until then.
   */
  #asking: 'no' | 'yes' | 'parked' | 'owed' = 'no';
  #isStopped = false;
  #asked: Promise<void> = Promise.resolve();
  /** Ends the wait for the connection, if there is one. */
  #unpark: () => void = () => undefined;
  /** Everything up to here has been drawn as part of a screen. */
  #drawnSeq = 0;
  /** Output below this is missing, so that only a screen from here on will do. */
  #neededSeq = 0;

  constructor(options: ExactScreenOptions) {
    this.#options = options;
  }

  output(output: Output, drawn: () => void): void {
    if (!this.takes(output, drawn)) this.#options.give(output, drawn);
  }

  /** Takes output that has to wait for a screen, or that a screen has already; false for what is to be drawn now. */
  takes(output: Output, drawn: () => void): boolean {
    if (this.#asking === 'no' && output.seq > this.#drawnSeq) return false;
    this.#take({ kind: 'output', output, drawn });
    return true;
  }

  /** Does in its turn what comes after an event, unless a screen has it already. */
  step(afterSeq: number, act: () => void): void {
    this.#take({ kind: 'step', afterSeq, act });
  }

  /** The same with a change of size, for what is read has the size that its process has. */
  size(afterSeq: number, act: () => void): void {
    this.#take({ kind: 'size', afterSeq, act });
  }

  /** Output below `nextSeq` is missing, or is known to be. True when a screen that is drawn has it already. */
  gap(nextSeq: number): boolean {
    this.#neededSeq = Math.max(this.#neededSeq, nextSeq - 1);
    if (this.#neededSeq <= this.#drawnSeq) return this.#asking === 'no';
    if (this.#asking === 'no' || this.#asking === 'parked') this.#ask(this.#options.scrollbackAtGap);
    return false;
  }

  /** Nobody reads what is there any more. */
  readToEnd(): void {
    if (this.#asking === 'owed') this.#ask(SCROLLBACK_LINES);
  }

  /** A screen of now; what comes meanwhile waits for it. */
  refresh(scrollback = SCROLLBACK_LINES): void {
    if (this.#asking !== 'yes') this.#ask(scrollback);
  }

  /** Nothing is drawn any more. */
  stop(): void {
    this.#isStopped = true;
    this.#held = [];
    this.#unpark();
  }

  /** Resolves when no screen is on its way, nor waits for a connection that may come back. */
  async settled(): Promise<void> {
    while ((this.#asking === 'yes' || this.#asking === 'parked') && !this.#isStopped) await this.#asked;
  }

  #ask(scrollback: number | null): void {
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

  /** What is read stays; whoever prints does not wait for the reader. */
  #owe(): void {
    if (this.#asking !== 'owed') this.#options.owed?.(true);
    this.#asking = 'owed';
    for (const held of this.#held.splice(0)) this.#take(held);
  }

  #take(next: Held): void {
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

  /** Nobody else would ask again when the process has closed: it is not attached on the next connection. */
  #park(): void {
    const { connection, scrollbackAtGap } = this.#options;
    this.#asking = 'parked';
    const look = ({ kind }: ConnectionState): void => {
      if (this.#isStopped || this.#asking !== 'parked') return;
      if (kind === 'online') this.#ask(scrollbackAtGap);
      // It does not come back by itself.
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

  /** Its record is gone, or the connection is for good: output alone must do. */
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
      // Its reader may begin to read while much is drawn: they are asked at the last moment.
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
    // More went missing while this one was made, or it was older than what is missing: one of now has it all.
    if (this.#neededSeq > this.#drawnSeq) this.#ask(this.#options.scrollbackAtGap ?? SCROLLBACK_LINES);
    else this.#release();
  }

  #release(): void {
    for (const held of this.#held.splice(0)) this.#take(held);
  }
}
