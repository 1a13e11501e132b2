// Provides exact screens of all terminals, drawn by a worker thread. A screen is opened there only when it is needed.
import type { ProcessView } from '../keeper/process-view.ts';
import type { Size } from '../../protocol/scalars.ts';
import { startThread, type Thread } from '../host/start-thread.ts';
import { DrawingBudget } from './drawing-budget.ts';
import { HeldOutput, type HeldLimits } from './held-output.ts';
import { OneAtATime } from './one-at-a-time.ts';
import type { FromScreens, Picture, ScreenSnapshot, ScreensLimits, ToScreens } from './messages.ts';
import { ScreenFollower, type FollowerLimits, type FollowerOptions } from './screen-follower.ts';
import { Evicted } from './evicted.ts';

export interface SnapshotLimits extends ScreensLimits, FollowerLimits, HeldLimits {
  /** Drawing rate of all floods together. */
  readonly screensBytesPerSecond: number;
  readonly screensBurstBytes: number;
}

export interface Snapshot {
  /** Seq of the last event that the snapshot contains. */
  readonly seq: number;
  readonly size: Size;
  readonly data: Uint8Array;
  /** False when skipped output may have changed what is still visible. */
  readonly isExact: boolean;
}

export interface PictureSoFar {
  readonly picture: Picture;
  /** False when there is more to draw. */
  readonly isWhole: boolean;
}

/** The screens of one process; the redacted one is null until the gateway's first read-only client connects. */
interface Followed {
  readonly evicted: Evicted;
  readonly asIs: ScreenFollower;
  redacted: ScreenFollower | null;
}

export class Screens {
  readonly #limits: SnapshotLimits;
  readonly #reportDefect: (error: Error) => void;
  readonly #budget: DrawingBudget;
  readonly #held: HeldOutput;
  readonly #followed = new Map<ProcessView, Followed>();
  #drawsRedacted = false;
  readonly #byId = new Map<number, ScreenFollower>();
  /** Snapshots of each screen are made one at a time, because each may send all retained output to the thread. */
  readonly #snapshots = new WeakMap<ScreenFollower, OneAtATime<number | null, Snapshot | null>>();
  readonly #requests = new Map<number, (answer: ScreenSnapshot | Picture | null) => void>();
  #worker: Thread | null = null;
  #nextId = 1;

  constructor(limits: SnapshotLimits, reportDefect: (error: Error) => void) {
    this.#limits = limits;
    this.#budget = new DrawingBudget({
      bytesPerSecond: limits.screensBytesPerSecond,
      burstBytes: limits.screensBurstBytes,
    });
    this.#held = new HeldOutput(limits);
    this.#reportDefect = reportDefect;
  }

  /**
   * Follows a process with a terminal from its start, and ignores others; nothing is drawn until output may soon be
   * evicted, or a screen is requested.
   */
  follow(process: ProcessView): void {
    if (!process.size) return;
    const evicted = new Evicted(process.log);
    const asIs = this.#newFollower({ process, evicted, isRedacted: false });
    this.#followed.set(process, { evicted, asIs, redacted: null });
    if (this.#drawsRedacted) this.#followerOf(process, true);
  }

  /**
   * Draws every followed process with its secrets masked, too, from now on. Called for the first read-only client,
   * because most gateways never have one; a process whose output was evicted before begins with the retained output.
   */
  drawRedacted(): void {
    if (this.#drawsRedacted) return;
    this.#drawsRedacted = true;
    for (const process of this.#followed.keys()) this.#followerOf(process, true);
  }

  #newFollower(of: Pick<FollowerOptions, 'process' | 'evicted' | 'isRedacted'>): ScreenFollower {
    const id = this.#nextId++;
    const follower = new ScreenFollower({
      ...of,
      id,
      limits: this.#limits,
      budget: this.#budget,
      held: this.#held.share(),
      send: (message) => this.#send(message),
    });
    this.#byId.set(id, follower);
    return follower;
  }

  /** Returns the process's screen, created if necessary; null when the process is not followed. */
  #followerOf(process: ProcessView, isRedacted: boolean): ScreenFollower | null {
    const followed = this.#followed.get(process);
    if (!followed) return null;
    if (!isRedacted) return followed.asIs;
    followed.redacted ??= this.#newFollower({ process, evicted: followed.evicted, isRedacted });
    return followed.redacted;
  }

  /** Removes the screens of a process; called when the process is removed. */
  forget(process: ProcessView): void {
    const followed = this.#followed.get(process);
    if (!followed) return;
    this.#followed.delete(process);
    for (const follower of [followed.asIs, followed.redacted]) {
      if (!follower) continue;
      this.#byId.delete(follower.id);
      follower.stop();
    }
  }

  /**
   * Returns the screen of a process with a terminal. Without `scrollback` it may lack the newest output, so that a
   * reader that continues after `seq` has all retained lines. With it, the screen is current, with at most that many
   * lines above it. With `isRedacted`, it is drawn from the output with secrets masked. Null when the screen was
   * removed, the thread has dropped it twice, or the gateway is stopping.
   */
  async snapshot(
    process: ProcessView,
    scrollback: number | null,
    isRedacted: boolean,
  ): Promise<Snapshot | null> {
    const follower = this.#followerOf(process, isRedacted);
    if (!follower) throw new Error('invariant violation: a snapshot of a process that is not followed');
    const whole = follower.wholeLog(scrollback);
    const lines = scrollback && Math.min(scrollback, this.#limits.screenScrollbackLines);
    return whole ?? this.#snapshotsOf(follower).ask(lines);
  }

  #snapshotsOf(follower: ScreenFollower): OneAtATime<number | null, Snapshot | null> {
    const known = this.#snapshots.get(follower);
    if (known) return known;
    const snapshots = new OneAtATime((scrollback: number | null) => this.#makeSnapshot(follower, scrollback));
    this.#snapshots.set(follower, snapshots);
    return snapshots;
  }

  async #makeSnapshot(follower: ScreenFollower, scrollback: number | null): Promise<Snapshot | null> {
    // The screen may have been removed while other snapshots were made.
    if (!this.#isFollowing(follower)) return null;
    return this.#drawn(follower, async () => {
      const seq = follower.prepare(scrollback !== null);
      const snapshot = (await this.#ask((request) => ({
        kind: 'snapshot',
        screen: follower.id,
        request,
        scrollback: scrollback ?? this.#limits.screenScrollbackLines,
      }))) as ScreenSnapshot | null;
      return snapshot && { seq, ...snapshot };
    });
  }

  /**
   * Returns the current screen, during a flood as far as it is drawn; null as in `snapshot`, and for a process that is
   * not followed.
   */
  async picture(process: ProcessView, isRedacted: boolean): Promise<PictureSoFar | null> {
    const follower = this.#followerOf(process, isRedacted);
    if (!follower) return null;
    return this.#drawn(follower, async () => {
      const isWhole = follower.draw();
      const picture = (await this.#ask((request) => ({
        kind: 'picture',
        screen: follower.id,
        request,
      }))) as Picture | null;
      return picture && { picture, isWhole };
    });
  }

  /** Makes a request; if the thread has dropped the screen, starts over at the retained output and repeats it once. */
  async #drawn<Answer>(follower: ScreenFollower, ask: () => Promise<Answer | null>): Promise<Answer | null> {
    const answer = await ask();
    if (answer || !this.#isFollowing(follower)) return answer;
    follower.beginAgain();
    return ask();
  }

  #isFollowing(follower: ScreenFollower): boolean {
    return this.#byId.get(follower.id) === follower;
  }

  close(): void {
    this.#budget.close();
    for (const process of this.#followed.keys()) this.forget(process);
    void this.#worker?.terminate();
    this.#worker = null;
    this.#answerAll();
  }

  #ask(message: (request: number) => ToScreens): Promise<ScreenSnapshot | Picture | null> {
    const request = this.#nextId++;
    return new Promise((resolve) => {
      this.#requests.set(request, resolve);
      this.#send(message(request));
    });
  }

  #send(message: ToScreens): void {
    this.#worker ??= this.#start();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.#worker.postMessage(message);
  }

  #heard(message: FromScreens): void {
    if (message.kind === 'fed') {
      this.#byId.get(message.screen)?.fed(message.bytes);
      return;
    }
    this.#requests.get(message.request)?.(message.answer);
    this.#requests.delete(message.request);
  }

  #start(): Thread {
    const { screenScrollbackLines, screensReady, screensStoredBytes, screenTurnMs, screenDrawMs } =
      this.#limits;
    const worker = startThread(new URL('screens-thread.ts', import.meta.url), {
      screenScrollbackLines,
      screensReady,
      screensStoredBytes,
      screenTurnMs,
      screenDrawMs,
    } satisfies ScreensLimits);
    worker.on('message', (message: FromScreens) => this.#heard(message));
    worker.on('error', (error: Error) => this.#lost(worker, error));
    return worker;
  }

  /**
   * Starts over after the thread has died: screens begin at the retained output, and pending requests are answered with
   * null, which makes `#drawn` repeat them.
   */
  #lost(worker: Thread, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    this.#reportDefect(error);
    for (const follower of this.#byId.values()) follower.restart();
    this.#answerAll();
  }

  #answerAll(): void {
    for (const answer of this.#requests.values()) answer(null);
    this.#requests.clear();
  }
}
