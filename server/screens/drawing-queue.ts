// Queue of the screens' thread: messages in order, except that those needed by a snapshot have priority.
import type { ToDraw } from './messages.ts';

/** Number of processed messages after which they are removed from their array. */
const SWEPT_AT_ONCE = 1024;

/**
 * The messages of each screen are processed in order. Requested snapshots precede the output of other screens, except
 * one message between two snapshots or turns.
 */
export class DrawingQueue {
  #arrived: ToDraw[] = [];
  /** Number of processed messages in `#arrived`. */
  #done = 0;
  /** Requested snapshots, the next one first; each is a list of the messages it still needs, in reverse order. */
  #asked: ToDraw[][] = [];
  /**
   * True when a message of a screen without a requested snapshot is next: one is processed after each
   * snapshot, and after each turn of an unfinished one, so that neither endless nor slow snapshots can block
   * drawing.
   */
  #isOthersTurn = false;
  /** Screen → the number of its waiting messages, if it has any. */
  readonly #counts = new Map<number, number>();

  add(message: ToDraw): void {
    this.#count(message, 1);
    this.#arrived.push(message);
    if (message.kind !== 'snapshot') return;
    const [own, others] = this.#divided(message.screen);
    this.#asked.push(own.reverse());
    this.#arrived = others;
    this.#done = 0;
  }

  next(): ToDraw | undefined {
    const message = this.#next();
    if (message) this.#count(message, -1);
    return message;
  }

  #next(): ToDraw | undefined {
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

  /** Puts back a message that needs another turn; other screens have their turns before its screen's next one. */
  putBack(message: ToDraw): void {
    this.#count(message, 1);
    const { screen } = message;
    const isOwn = ([last]: readonly ToDraw[]): boolean => last?.screen === screen;
    const own = this.#asked.filter(isOwn);
    if (message.kind === 'snapshot') own.unshift([message]);
    const [first] = own;
    if (first) {
      if (message.kind !== 'snapshot') first.push(message);
      this.#asked = [...this.#asked.filter((messages) => !isOwn(messages)), ...own];
      this.#isOthersTurn = true;
      return;
    }
    const [later, others] = this.#divided(screen);
    this.#arrived = [...others, message, ...later];
    this.#done = 0;
  }

  has(screen: number): boolean {
    return this.#counts.has(screen);
  }

  remove(screen: number): readonly ToDraw[] {
    const asked = this.#asked.filter(([last]) => last?.screen === screen);
    this.#asked = this.#asked.filter(([last]) => last?.screen !== screen);
    const [own, others] = this.#divided(screen);
    this.#arrived = others;
    this.#done = 0;
    this.#counts.delete(screen);
    return [...asked.flatMap((messages) => messages.toReversed()), ...own];
  }

  #nextArrived(): ToDraw | undefined {
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

  /** Returns the next message of a screen without a requested snapshot. */
  #nextOther(): ToDraw | undefined {
    const waiting = new Set(this.#asked.map(([last]) => last?.screen));
    const at = this.#arrived.findIndex(({ screen }, index) => index >= this.#done && !waiting.has(screen));
    return at < 0 ? undefined : this.#arrived.splice(at, 1)[0];
  }

  /** Returns the unprocessed messages in `#arrived` as two lists: those of a screen, and those of all others. */
  #divided(screen: number): readonly [own: ToDraw[], others: ToDraw[]] {
    const undone = this.#arrived.slice(this.#done);
    return [undone.filter((each) => each.screen === screen), undone.filter((each) => each.screen !== screen)];
  }

  #count({ screen }: ToDraw, more: 1 | -1): void {
    const count = (this.#counts.get(screen) ?? 0) + more;
    if (count > 0) this.#counts.set(screen, count);
    else this.#counts.delete(screen);
  }
}
