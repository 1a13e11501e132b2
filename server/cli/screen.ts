// A process's exact screen, put on the local terminal before the output that follows it.
import type { Connection, Output } from '../../web/client/exec-client.ts';

/** Lines above the screen that come with the first one. */
const SCROLLBACK_LINES = 1000;

export interface ScreenOptions {
  readonly key: string;
  readonly connection: Connection;
  /** Writes a screen, over whatever is there. */
  readonly draw: (data: Uint8Array) => void;
  readonly give: (output: Output, drawn: () => void) => void;
}

/** Holds output while a screen is on its way, and drops of it what that screen has already. */
export class Screen {
  readonly #options: ScreenOptions;
  #held: { readonly output: Output; readonly drawn: () => void }[] = [];
  #isAsking = false;
  #asked: Promise<void> = Promise.resolve();
  /** Everything up to here has been drawn as part of a screen. */
  #drawnSeq = 0;
  /** Output below this is missing, so that only a screen from here on will do. */
  #neededSeq = 0;

  constructor(options: ScreenOptions) {
    this.#options = options;
  }

  output(output: Output, drawn: () => void): void {
    if (this.#isAsking) this.#held.push({ output, drawn });
    else if (output.seq <= this.#drawnSeq) drawn();
    else this.#options.give(output, drawn);
  }

  gap(nextSeq: number): void {
    this.#neededSeq = nextSeq - 1;
    if (!this.#isAsking && this.#neededSeq > this.#drawnSeq) this.refresh(0);
  }

  /** A screen of now; what comes meanwhile waits for it. */
  refresh(scrollback = SCROLLBACK_LINES): void {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const { connection, key } = this.#options;
    this.#asked = connection.request('process/snapshot', { key, scrollback }).then(
      ({ seq, data }) => this.#drawn(seq, Buffer.from(data, 'base64')),
      () => {
        // The connection went: when it is back a screen is asked for again. Until then output alone must do.
        this.#isAsking = false;
        this.#release();
      },
    );
  }

  /** Resolves when no screen is on its way. */
  async settled(): Promise<void> {
    while (this.#isAsking) await this.#asked;
  }

  #drawn(seq: number, data: Uint8Array): void {
    this.#isAsking = false;
    this.#drawnSeq = Math.max(this.#drawnSeq, seq);
    this.#options.draw(data);
    if (this.#neededSeq > this.#drawnSeq) this.refresh(0);
    else this.#release();
  }

  #release(): void {
    for (const { output, drawn } of this.#held.splice(0)) this.output(output, drawn);
  }
}
