// Plays the recording of a process: a clock on the time axis, and the output up to it on a terminal. No React.
import type { RecordingResult } from '../../../protocol/replay.ts';
import { errorSentence } from '../../../text/error-text.ts';
import { ReplayAxis } from '../../state/replay/replay-axis.ts';
import type { Frame, ReplaySource } from './replay-source.ts';
import type { ReplayTerminal } from './replay-terminal.ts';

export const SPEEDS = [0.5, 1, 2, 4, 8, 16] as const;
export type Speed = (typeof SPEEDS)[number];

/** Amount of undrawn output above which the clock waits for the terminal. */
const MOST_OWED_BYTES = 256 * 1024;
/** Number of frames in memory below which the next page is requested. */
const FEW_FRAMES = 64;
/** Maximum clock step, so that playback does not jump after the page was hidden. */
const MOST_STEP_MS = 250;

export interface ReplayState {
  readonly recording: RecordingResult | null;
  readonly axis: ReplayAxis | null;
  /** Displayed time, in ms since the epoch. */
  readonly atMs: number;
  readonly isPlaying: boolean;
  readonly speed: Speed;
  readonly skipsIdle: boolean;
  /** Progress of the gateway in drawing the screen at the displayed time, from 0 to 1; null while none is awaited. */
  readonly preparing: number | null;
  readonly isExact: boolean;
  readonly problem: string | null;
}

export interface ReplayPlayerOptions {
  readonly source: Pick<ReplaySource, 'recording' | 'moment' | 'after'>;
  readonly terminal: Pick<ReplayTerminal, 'owedBytes' | 'show' | 'drawn' | 'write'>;
  /** Returns the current time, at which the axis of a running process ends; null for an ended process. */
  readonly nowMs: () => number | null;
  readonly changed: (state: ReplayState) => void;
}

export class ReplayPlayer {
  readonly #options: ReplayPlayerOptions;
  #state: ReplayState = {
    recording: null,
    axis: null,
    atMs: 0,
    isPlaying: false,
    speed: 1,
    skipsIdle: true,
    preparing: null,
    isExact: true,
    problem: null,
  };
  /** Seq of the last event drawn on the terminal, and the output read after that event. */
  #seq = 0;
  #frames: Frame[] = [];
  #reading: Promise<void> | null = null;
  /** True when nothing more is recorded after `#frames`. */
  #isRead = false;
  /** Time of the last output drawn; null while there is none. */
  #frameMs: number | null = null;
  #wanted: { readonly atMs: number } | null = null;
  #isSeeking = false;
  #frame: number | null = null;
  #lastMs = 0;
  #isDisposed = false;

  constructor(options: ReplayPlayerOptions) {
    this.#options = options;
  }

  get state(): ReplayState {
    return this.#state;
  }

  /** Loads the recording; call it again for newer output. */
  async load(): Promise<void> {
    try {
      const recording = await this.#options.source.recording();
      this.#set({ recording, axis: this.#axisOf(recording, this.#state.skipsIdle), problem: null });
      this.#isRead = false;
    } catch (error) {
      this.#set({ problem: errorSentence(error) });
    }
  }

  /** Shows the screen at a time; the latest request wins. */
  seek(atMs: number): void {
    const { axis } = this.#state;
    if (!axis) return;
    this.#wanted = { atMs: Math.min(axis.toMs, Math.max(axis.fromMs, Math.round(atMs))) };
    this.#set({ atMs: this.#wanted.atMs });
    if (!this.#isSeeking) void this.#seekOn();
  }

  /** Seeks by an amount of playback time, backward if it is negative. */
  skip(byMs: number): void {
    const { axis, atMs } = this.#state;
    if (axis) this.seek(axis.toReal(axis.toShown(atMs) + byMs));
  }

  play(): void {
    const { axis, atMs } = this.#state;
    if (!axis) return;
    if (atMs >= axis.toMs) this.seek(axis.fromMs);
    this.#set({ isPlaying: true });
    this.#lastMs = performance.now();
    this.#frame ??= requestAnimationFrame((now) => this.#tick(now));
  }

  pause(): void {
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#frame = null;
    if (this.#state.isPlaying) this.#set({ isPlaying: false });
  }

  setSpeed(speed: Speed): void {
    this.#set({ speed });
  }

  setSkipsIdle(skipsIdle: boolean): void {
    const { recording } = this.#state;
    this.#set({ skipsIdle, axis: recording && this.#axisOf(recording, skipsIdle) });
  }

  /** Pauses, and goes to the previous or the next output. */
  async step(direction: 'back' | 'forth'): Promise<void> {
    this.pause();
    if (this.#isSeeking) return;
    if (direction === 'back') {
      this.seek((this.#frameMs ?? this.#state.atMs) - 1);
      return;
    }
    if (this.#frames.length === 0) await this.#read().catch((error: unknown) => this.#fail(error));
    const [next] = this.#frames;
    if (next && !this.#isSeeking) this.#advance(Math.max(next.atMs, this.#state.atMs));
  }

  dispose(): void {
    this.#isDisposed = true;
    this.pause();
  }

  #axisOf(recording: RecordingResult, skipsIdle: boolean): ReplayAxis {
    return new ReplayAxis(recording, { skipsIdle, endMs: this.#options.nowMs() ?? 0 });
  }

  async #seekOn(): Promise<void> {
    this.#isSeeking = true;
    try {
      for (let wanted = this.#wanted; wanted && !this.#isDisposed; wanted = this.#wanted) {
        if ((await this.#seekTo(wanted.atMs)) && this.#wanted === wanted) this.#wanted = null;
      }
      this.#set({ preparing: null });
    } catch (error) {
      this.#wanted = null;
      this.#set({ preparing: null });
      this.#fail(error);
    }
    this.#isSeeking = false;
    this.#lastMs = performance.now();
  }

  /** Shows the screen at a time; resolves to false if the gateway has not reached that time yet. */
  async #seekTo(atMs: number): Promise<boolean> {
    const { source, terminal } = this.#options;
    const moment = await source.moment(atMs);
    if (this.#isDisposed) return true;
    if (!moment.isReached) {
      const { fromMs = 0 } = this.#state.axis ?? {};
      this.#set({ preparing: Math.max(0, (moment.drawnMs - fromMs) / Math.max(1, atMs - fromMs)) });
      return false;
    }
    this.#seq = moment.seq;
    this.#frames = [];
    this.#isRead = false;
    this.#frameMs = moment.frameMs;
    void terminal.show(moment);
    if (moment.rows === 0) await this.#writeUntil(atMs);
    await terminal.drawn();
    this.#set({ isExact: moment.exact, problem: null });
    return true;
  }

  async #writeUntil(atMs: number): Promise<void> {
    for (;;) {
      while (this.#frames.length === 0 && !this.#isRead) await this.#read();
      if (this.#frames.length === 0) return;
      this.#write(atMs);
      if (this.#frames.length > 0) return;
    }
  }

  #tick(now: number): void {
    this.#frame = null;
    const { axis, atMs, isPlaying, speed } = this.#state;
    if (!axis || !isPlaying || this.#isDisposed) return;
    this.#frame = requestAnimationFrame((next) => this.#tick(next));
    const stepMs = Math.min(MOST_STEP_MS, Math.max(0, now - this.#lastMs));
    this.#lastMs = now;
    if (this.#isSeeking || this.#options.terminal.owedBytes > MOST_OWED_BYTES) return;
    const isWaiting = this.#frames.length === 0 && !this.#isRead;
    if (this.#frames.length < FEW_FRAMES && !this.#isRead)
      void this.#read().catch((error: unknown) => this.#fail(error));
    if (isWaiting) return;
    const to = axis.toReal(axis.toShown(atMs) + stepMs * speed);
    // The clock does not pass the last output read, since more may follow.
    const lastRead = this.#isRead ? axis.toMs : (this.#frames.at(-1)?.atMs ?? to);
    this.#advance(Math.min(to, lastRead));
    if (this.#isRead && this.#state.atMs >= axis.toMs) this.pause();
  }

  /** Draws output up to a time, which then becomes the displayed time. */
  #advance(atMs: number): void {
    this.#write(atMs);
    this.#set({ atMs });
  }

  #write(atMs: number): void {
    for (let next = this.#frames[0]; next && next.atMs <= atMs; next = this.#frames[0]) {
      this.#frames.shift();
      this.#options.terminal.write(next);
      this.#seq = next.seq;
      this.#frameMs = next.atMs;
    }
  }

  #fail(error: unknown): void {
    this.pause();
    this.#set({ problem: errorSentence(error) });
  }

  /** Reads the next page; rejects when that fails, and the next call tries again. */
  #read(): Promise<void> {
    this.#reading ??= this.#readPage().finally(() => (this.#reading = null));
    return this.#reading;
  }

  async #readPage(): Promise<void> {
    const from = this.#frames.at(-1)?.seq ?? this.#seq;
    const frames = await this.#options.source.after(from);
    if (this.#state.problem !== null) this.#set({ problem: null });
    // A seek has changed the position in the meantime.
    if ((this.#frames.at(-1)?.seq ?? this.#seq) !== from) return;
    this.#frames.push(...inOrder(frames, this.#frames.at(-1)?.atMs ?? this.#frameMs ?? 0));
    if (frames.length === 0) this.#isRead = true;
  }

  #set(change: Partial<ReplayState>): void {
    if (this.#isDisposed) return;
    this.#state = { ...this.#state, ...change };
    this.#options.changed(this.#state);
  }
}

/** Returns the frames with times that never go back, even if the clock was changed. */
function inOrder(frames: readonly Frame[], fromMs: number): Frame[] {
  let atMs = fromMs;
  return frames.map((frame) => {
    atMs = Math.max(atMs, frame.atMs);
    return { ...frame, atMs };
  });
}
