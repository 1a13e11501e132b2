// Draws the screens of one recording, once from its beginning; keyframes then allow drawing any moment quickly.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { MomentResult } from '../../protocol/replay.ts';
import type { Size } from '../../protocol/scalars.ts';
import { redactedBytes, redactedInOrder } from '../delivery/redacted-log.ts';
import type { LogEvent } from '../keeper/log-event.ts';
import { seenAfter } from '../keeper/read-stretch.ts';
import type { RecordedEvent, Stretch } from '../record/event.ts';
import type { StoredRecording } from '../record/stored-recording.ts';
import type { Turn } from '../screens/drawing-turns.ts';
import { Screen, type SpoiltLines } from '../screens/screen.ts';

/** Initial minimum of output between two keyframes, in bytes; drawing this much takes about 13 ms. */
const KEYFRAME_BYTES = 256 * 1024;
/** Maximum bytes of all keyframes of one recording; beyond it every second keyframe is dropped. */
const MOST_KEYFRAMES_BYTES = 16 * 1024 * 1024;
/** Maximum number of lines above the screen in a keyframe, which become visible when the terminal grows. */
const KEYFRAME_LINES = 200;
/** Maximum number of lines above the screen of a terminal while it draws. */
const SCROLLBACK_LINES = 1000;
const READ_BYTES = 64 * 1024;
/** Bytes of output before the part being read that are searched for the beginning of a secret. */
const BEFORE_BYTES = 64 * 1024;
const USUAL_SIZE: Size = { rows: 24, cols: 80 };

interface Keyframe {
  readonly at: Position;
  readonly size: Size;
  readonly data: Buffer;
  readonly spoilt: SpoiltLines;
}

/** Position of a drawing: the screen includes everything up to this event. */
interface Position {
  readonly seq: number;
  readonly offset: number;
  /** Time of the last output; null before the first. */
  readonly atMs: number | null;
}

const BEGINNING: Position = { seq: 0, offset: 0, atMs: null };

/** A terminal that draws a recording, and its position in the recording. */
class Pen {
  readonly screen: Screen;
  at: Position;

  constructor(size: Size, at: Position, turn: Turn) {
    this.screen = new Screen(size, SCROLLBACK_LINES, turn);
    this.at = at;
  }

  static async from({ at, size, data, spoilt }: Keyframe, turn: Turn): Promise<Pen> {
    const pen = new Pen(size, at, turn);
    await pen.screen.feed(inflateRawSync(data));
    pen.screen.spoil(spoilt);
    return pen;
  }

  async keyframe(): Promise<Keyframe> {
    const data = deflateRawSync(await this.screen.snapshotInTurns(KEYFRAME_LINES), { level: 1 });
    return { at: this.at, size: this.screen.size, data, spoilt: this.screen.spoiltLines };
  }
}

export class Drawing {
  readonly #isMasked: boolean;
  readonly #turn: Turn;
  readonly #redacted = redactedInOrder();
  #keyframes: Keyframe[] = [];
  #everyBytes = KEYFRAME_BYTES;
  #pen: Pen | null = null;

  /** Drawing pauses at the end of each `turn`, and continues in the next one. */
  constructor(isMasked: boolean, turn: Turn) {
    this.#isMasked = isMasked;
    this.#turn = turn;
  }

  /**
   * Returns the screen at a time; `isReached` is false if drawing would continue after `untilMs` on the clock
   * of performance.now.
   */
  async moment(
    recording: StoredRecording,
    {
      atMs,
      scrollback,
      printedBytes,
    }: { readonly atMs: number; readonly scrollback: number; readonly printedBytes: number },
    untilMs: number,
  ): Promise<MomentResult> {
    const front = this.#pen ?? (await this.#begin(recording));
    if ((front.at.atMs ?? 0) <= atMs) {
      const isReached = await this.#draw(front, recording, {
        atMs,
        printedBytes,
        untilMs,
        storesKeyframes: true,
      });
      if (!isReached) return { ...NOT_REACHED, drawnMs: front.at.atMs ?? 0 };
    }
    // Drawing begins one keyframe earlier than necessary, so that more lines above the screen are available.
    const last = this.#keyframes.findLastIndex(({ at }) => (at.atMs ?? 0) <= atMs);
    const keyframe = this.#keyframes[Math.max(0, last - 1)];
    if (!keyframe) throw new Error('invariant violation: a drawing without its first keyframe');
    const pen = await Pen.from(keyframe, this.#turn);
    await this.#draw(pen, recording, {
      atMs,
      printedBytes,
      untilMs: Number.POSITIVE_INFINITY,
      storesKeyframes: false,
    });
    const { screen, at } = pen;
    const data = await screen.snapshotInTurns(scrollback);
    const result: MomentResult = {
      isReached: true,
      drawnMs: atMs,
      seq: at.seq,
      frameMs: at.atMs,
      ...screen.size,
      data: (this.#isMasked ? redactedBytes(data, '') : data).toString('base64'),
      exact: screen.isExact,
    };
    screen.dispose();
    return result;
  }

  async #begin(recording: StoredRecording): Promise<Pen> {
    const { sizes } = await recording.after(0, 1);
    const pen = new Pen(sizes[0] ?? USUAL_SIZE, BEGINNING, this.#turn);
    this.#pen = pen;
    this.#keyframes.push(await pen.keyframe());
    return pen;
  }

  /**
   * Draws up to a time, and stores keyframes if `storesKeyframes` is true; returns false when `untilMs` passes
   * first.
   */
  async #draw(
    pen: Pen,
    recording: StoredRecording,
    {
      atMs,
      printedBytes,
      untilMs,
      storesKeyframes,
    }: {
      readonly atMs: number;
      readonly printedBytes: number;
      readonly untilMs: number;
      readonly storesKeyframes: boolean;
    },
  ): Promise<boolean> {
    for (;;) {
      const stretch = await recording.after(pen.at.seq, READ_BYTES);
      if (stretch.events.length === 0) {
        // The end of the output may be lost.
        if (printedBytes > pen.at.offset) await pen.screen.gap(Buffer.alloc(0));
        return true;
      }
      const see = await this.#seeing(recording, stretch);
      if (!(await drawStretch(pen, stretch, { see, atMs, turn: this.#turn }))) return true;
      const last = this.#keyframes.at(-1);
      if (storesKeyframes && pen.at.offset - (last?.at.offset ?? 0) >= this.#everyBytes)
        this.#keep(await pen.keyframe());
      if (performance.now() >= untilMs) return false;
    }
  }

  #keep(keyframe: Keyframe): void {
    this.#keyframes.push(keyframe);
    const bytes = this.#keyframes.reduce((sum, { data }) => sum + data.length, 0);
    if (bytes <= MOST_KEYFRAMES_BYTES) return;
    this.#keyframes = this.#keyframes.filter((_, at) => at % 2 === 0);
    this.#everyBytes *= 2;
  }

  async #seeing(recording: StoredRecording, { events }: Stretch): Promise<See> {
    if (!this.#isMasked) return (event) => event.bytes;
    const before: readonly LogEvent[] = (await recording.before(events[0]?.seq ?? 0, BEFORE_BYTES)).events;
    const seen = seenAfter(before, events, (log) => {
      const seenLog = this.#redacted(log);
      return (chunk) => seenLog.see(chunk);
    });
    return (event) => seen(event).bytes;
  }
}

type Output = Extract<RecordedEvent, { kind: 'output' }>;
type See = (event: Output) => Buffer;

/** Draws events up to a time; returns false when one of them is later. */
async function drawStretch(
  pen: Pen,
  { events, sizes, missedBytes }: Stretch,
  { see, atMs, turn }: { readonly see: See; readonly atMs: number; readonly turn: Turn },
): Promise<boolean> {
  const waiting = [...sizes];
  const [first] = events;
  const firstMs = first?.kind === 'output' ? first.atMs : 0;
  if (missedBytes > 0 && firstMs <= atMs) await pen.screen.gap(Buffer.alloc(0));
  for (const event of events) {
    // A system clock that was set back must not reverse the order of events.
    const eventMs = Math.max(pen.at.atMs ?? 0, event.kind === 'output' ? event.atMs : 0);
    if (eventMs > atMs) return false;
    for (let size = waiting[0]; size && size.afterSeq < event.seq; size = waiting[0]) {
      waiting.shift();
      const { rows, cols } = pen.screen.size;
      if (size.rows !== rows || size.cols !== cols) await pen.screen.resize(size);
    }
    if (event.kind === 'output') await pen.screen.feed(see(event));
    pen.at =
      event.kind === 'output'
        ? { seq: event.seq, offset: event.offset + event.bytes.length, atMs: eventMs }
        : { ...pen.at, seq: event.seq };
    if (turn.isOver) await turn.again();
  }
  return true;
}

const NOT_REACHED = {
  isReached: false,
  seq: 0,
  frameMs: null,
  rows: 0,
  cols: 0,
  data: '',
  exact: true,
} as const;
