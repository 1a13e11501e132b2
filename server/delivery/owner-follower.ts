// Follows one process for the client that owns it: every event is pushed, and the process waits for it.
import type { Process } from '../process/process.ts';
import type { ConnectionTurn, Source } from './connection-turn.ts';
import { Cursor } from './cursor.ts';
import { Frames } from './frames.ts';

export class OwnerFollower implements Source {
  readonly #process: Process;
  readonly #turn: ConnectionTurn;
  readonly #cursor: Cursor;
  readonly #frames: Frames;
  readonly #release: () => void;
  readonly #unsubscribe: () => void;

  /** Follows from the present on: what was printed before is read, not pushed. */
  constructor(process: Process, turn: ConnectionTurn) {
    this.#process = process;
    this.#turn = turn;
    this.#cursor = new Cursor(process.log);
    this.#frames = new Frames({ processId: process.processId });
    this.#unsubscribe = process.log.onChange(() => turn.ready(this));
    this.#release = process.flow.hold({ unreadBytes: () => this.#cursor.unreadBytes });
  }

  next(): string | Buffer | null {
    let step = this.#cursor.pull();
    // The reference's events know no sizes, and an owner never has a gap.
    while (step?.kind === 'resized' || step?.kind === 'gap') step = this.#cursor.pull();
    this.#process.flow.check();
    return step ? this.#frames.of(step) : null;
  }

  stop(): void {
    this.#unsubscribe();
    this.#turn.remove(this);
    this.#release();
  }
}
