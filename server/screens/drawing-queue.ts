// Queue of the screens' thread: messages in order, except that messages needed by a request come first.
import type { ToScreens } from './messages.ts';

/** Number of consecutive messages after which their array is compacted. */
const SWEPT_AT_ONCE = 1024;

/** The messages of each screen are processed in order. A snapshot precedes the output of other screens. */
export class DrawingQueue {
  #arrived: ToScreens[] = [];
  /** Number of processed messages in `#arrived`. */
  #done = 0;
  /** Messages needed for each requested snapshot, in reverse order; the oldest request first. */
  readonly #asked: ToScreens[][] = [];
  /**
   * True when another message comes next: one is processed after each snapshot, so that endless snapshots
   * cannot block drawing.
   */
  #isOthersTurn = false;

  add(message: ToScreens): void {
    this.#arrived.push(message);
    if (message.kind !== 'snapshot') return;
    const undone = this.#arrived.slice(this.#done);
    this.#asked.push(undone.filter(({ screen }) => screen === message.screen).reverse());
    this.#arrived = undone.filter(({ screen }) => screen !== message.screen);
    this.#done = 0;
  }

  /** Returns the next message; undefined when there is none. */
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

  /** Returns the next message of a screen without earlier messages in the queue. */
  #nextOther(): ToScreens | undefined {
    const waiting = new Set(this.#asked.map(([last]) => last?.screen));
    const at = this.#arrived.findIndex(({ screen }, index) => index >= this.#done && !waiting.has(screen));
    return at < 0 ? undefined : this.#arrived.splice(at, 1)[0];
  }
}
