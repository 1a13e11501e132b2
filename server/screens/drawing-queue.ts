// What the screens' thread has to do, in its order, but for what somebody waits for: that comes first.
import type { ToScreens } from './messages.ts';

/** Messages done in a row before the memory of their places is given back. */
const SWEPT_AT_ONCE = 1024;

/** Each screen's messages are worked on in their order. A snapshot goes before what other screens have printed. */
export class DrawingQueue {
  #arrived: ToScreens[] = [];
  /** So many of them are done. */
  #done = 0;
  /** For each snapshot that is asked for what is to be done for it, the last thing first; oldest question first. */
  readonly #asked: ToScreens[][] = [];
  /** Snapshots without end would let nothing else be drawn: between two of them something else is. */
  #isOthersTurn = false;

  add(message: ToScreens): void {
    this.#arrived.push(message);
    if (message.kind !== 'snapshot') return;
    const undone = this.#arrived.slice(this.#done);
    this.#asked.push(undone.filter(({ screen }) => screen === message.screen).reverse());
    this.#arrived = undone.filter(({ screen }) => screen !== message.screen);
    this.#done = 0;
  }

  /** What to do next; undefined when that is nothing. */
  next(): ToScreens | undefined {
    const asked = this.#asked[0];
    if (!asked) return this.#nextArrived();
    const other = this.#isOthersTurn ? this.#nextOther() : undefined;
    this.#isOthersTurn = false;
    if (other) return other;
    const message = asked.pop();
    if (asked.length === 0) {
      this.#asked.shift();
      this.#isOthersTurn = true;
    }
    return message;
  }

  #nextArrived(): ToScreens | undefined {
    const message = this.#arrived[this.#done];
    if (message) this.#done += 1;
    if (this.#done === this.#arrived.length) {
      this.#arrived = [];
      this.#done = 0;
    } else if (this.#done >= SWEPT_AT_ONCE) {
      this.#arrived = this.#arrived.slice(this.#done);
      this.#done = 0;
    }
    return message;
  }

  /** Of a screen whose earlier messages are not still to come. */
  #nextOther(): ToScreens | undefined {
    const waiting = new Set(this.#asked.map(([last]) => last?.screen));
    const at = this.#arrived.findIndex(({ screen }, index) => index >= this.#done && !waiting.has(screen));
    return at < 0 ? undefined : this.#arrived.splice(at, 1)[0];
  }
}
