// The steps of a termination: SIGTERM to the whole OS session, then SIGKILL after the grace period, until nothing is
// left.
import type { OsProcessName } from '../../protocol/console.ts';
import type { Child } from './child.ts';
import { Escaped } from './escaped.ts';
import {
  ageMs,
  isAlive,
  type OsProcess,
  osProcess,
  scanBeganAtMs,
  seenAgain,
  startTimeAt,
  startTimeNow,
  thisTickMs,
  whenKnown,
} from './os-process.ts';
import { sessionMembers, signalGroup, signalProcess } from './os-session.ts';

export interface TerminationState {
  readonly terminatingSinceMs: number;
  /** Time at which SIGKILL follows SIGTERM. */
  readonly killAtMs: number;
  readonly survivors: readonly OsProcessName[];
}

/** A termination, for another program that continues it when this program ends. */
export interface Terminating {
  readonly sinceMs: number;
  readonly killAtMs: number;
  readonly isEscapedToo: boolean;
  /** Time at which it was found complete; absent until then. */
  readonly endedAtMs?: number;
}

export interface Remains {
  /** Processes that left the OS session. */
  readonly escaped: readonly OsProcessName[];
  /** True when the output is still held open, by one of `escaped` or by any other process. */
  readonly isOutputHeld: boolean;
}

interface Asked extends OsProcess {
  /** True when the process was probably about to replace itself with another program. */
  readonly isFork: boolean;
}

/**
 * Age up to which a process may be a shell's fork that has not become a program yet, however busy the machine
 * is.
 */
const LONGEST_FORK_MS = 10_000;

/** Interval between scans of the survivors; only they are scanned, until they have ended or it is time to kill. */
const POLL_MS = 50;
/**
 * Maximum interval for processes that no signal ends (another user's, or one that hangs in the kernel); it
 * doubles up to this.
 */
const SLOWEST_POLL_MS = 1600;

/** Difference between two clocks up to which neither is assumed to have been changed. */
const CLOCK_DRIFT_MS = 1000;

export class Termination {
  readonly #leader: number;
  readonly #child: Pick<Child, 'isOutputHeld'>;
  readonly #changed: () => void;
  #state: TerminationState | null = null;
  /** Time of SIGKILL on the clock of performance.now, so that a changed clock neither delays it nor brings it forward. */
  #killAt = Infinity;
  #survivors: readonly OsProcess[] = [];
  /** Time since which no known survivor has been alive. */
  #goneAtMs: number | null = null;
  #timer: NodeJS.Timeout | null = null;
  #pollMs = POLL_MS;
  /** Delay before the next scan when all processes that the last one found have ended. */
  #rescanMs = 0;
  /** Time of the leader's exit, in the unit of `OsProcess.startTime`; its PID may be reused after that. */
  #exitedAt: number | null = null;
  /** Time at which that exit was handled, on the clock of performance.now. */
  #reapedAtMs = Infinity;
  /** PID → start time of the session's members that were recognized after the leader's end. */
  readonly #heirs = new Map<number, number>();
  /** Processes that have received SIGTERM, by PID, with their state at that time. */
  readonly #asked = new Map<number, Asked>();
  readonly #escaped: Escaped;
  /** True when escaped processes must end as well. */
  #isEscapedToo = false;
  /** Processes that started up to this time have received SIGTERM from another program. */
  #askedUpTo = Number.NEGATIVE_INFINITY;
  /** The last termination, once it is complete. */
  #over: Terminating | null = null;

  /** `child` must just have been started; `changed` is called when `state` or the set of escaped processes changes. */
  constructor(child: Pick<Child, 'pid' | 'lineage' | 'streams' | 'isOutputHeld'>, changed: () => void) {
    this.#leader = child.pid;
    this.#child = child;
    this.#changed = changed;
    this.#escaped = new Escaped(child, changed);
  }

  /**
   * Escaped processes that are still running, and whether the output is held open after the leader's exit; none and
   * false while a termination is in progress.
   */
  get remains(): Remains {
    if (this.#state) return { escaped: [], isOutputHeld: false };
    const isOutputHeld = this.#exitedAt !== null && this.#child.isOutputHeld;
    return { escaped: shown(this.#escaped.seen), isOutputHeld };
  }

  /** Time at which the last termination was found complete; null before the first, and while one is in progress. */
  get allEndedAtMs(): number | null {
    return this.#over?.endedAtMs ?? null;
  }

  get state(): TerminationState | null {
    return this.#state;
  }

  /** Starts terminating, unless no process is left; another call can only shorten the grace period. */
  start(graceMs: number, isEscapedToo = false): { running: boolean } {
    this.#isEscapedToo ||= isEscapedToo;
    const seen = whenKnown(() => this.#members(thisTickMs()));
    // Children orphaned by a leader that ended after this scan may be missing from it; the next tick sees them.
    if (seen?.length === 0 && scanBeganAtMs() >= this.#reapedAtMs) {
      this.#escaped.watch();
      return { running: false };
    }
    this.#survivors = seen?.filter(isAlive) ?? [];
    this.#goneAtMs = null;
    this.#pollMs = POLL_MS;
    this.#rescanMs = 0;
    this.#over = null;
    const now = Date.now();
    const killAt = performance.now() + graceMs;
    const former = this.#state !== null && this.#killAt <= killAt ? this.#state : null;
    if (!former) this.#killAt = killAt;
    this.#state = {
      terminatingSinceMs: this.#state?.terminatingSinceMs ?? now,
      killAtMs: former?.killAtMs ?? now + graceMs,
      survivors: shown(this.#survivors),
    };
    if (this.#graceLeftMs > 0) this.#askToEnd();
    this.#changed();
    this.#step();
    return { running: true };
  }

  /** The termination in progress, or else the last one; null before the first. */
  get newest(): Terminating | null {
    if (!this.#state) return this.#over;
    const { terminatingSinceMs: sinceMs, killAtMs: announcedMs } = this.#state;
    const nowMs = Math.round(Date.now() + this.#graceLeftMs);
    // The announced time is exact, unless the clock was changed since.
    const killAtMs = Math.abs(nowMs - announcedMs) < CLOCK_DRIFT_MS ? announcedMs : nowMs;
    return { sinceMs, killAtMs, isEscapedToo: this.#isEscapedToo };
  }

  /**
   * Continues a termination that another program began; existing processes do not get SIGTERM a second time. If the
   * leader's exit is known, handle it first, since another process may have its PID.
   */
  goOn(begun: Terminating): void {
    const { sinceMs, killAtMs, isEscapedToo, endedAtMs } = begun;
    if (endedAtMs !== undefined) {
      this.#over = begun;
      return;
    }
    this.#over = null;
    this.#isEscapedToo ||= isEscapedToo;
    this.#askedUpTo = startTimeNow();
    // The clock may have been set back since the other program started the termination.
    this.#killAt = performance.now() + Math.min(killAtMs - Date.now(), killAtMs - sinceMs);
    this.#state = { terminatingSinceMs: sinceMs, killAtMs, survivors: [] };
    this.#changed();
    this.#step();
  }

  /** Handles the exit of the reaped leader. `atMs`: time of its end in ms since 1970, if it ended before this call. */
  leaderExited(atMs?: number): void {
    this.#exitedAt = atMs === undefined ? startTimeNow() : startTimeAt(atMs);
    this.#reapedAtMs = performance.now();
    this.#step();
  }

  get #graceLeftMs(): number {
    return this.#killAt - performance.now();
  }

  /** Stops all timers; survivors are left running. */
  dispose(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#state = null;
    this.#escaped.dispose();
  }

  #step(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (!this.#state) return;
    const isTimeToKill = this.#graceLeftMs <= 0;
    const before = this.#state.survivors;
    if (isTimeToKill) this.#kill();
    this.#survivors = this.#survivors.flatMap((each) => seenAgain(each) ?? []);
    if (this.#survivors.length === 0) {
      this.#goneAtMs ??= performance.now();
      const seen = whenKnown(() => this.#members());
      this.#survivors = seen?.filter(isAlive) ?? [];
      if (!seen) this.#goneAtMs = null;
      else if (seen.length > 0) this.#goneAtMs = performance.now();
    }
    // More members may have started while the others received SIGTERM.
    if (!isTimeToKill) this.#askToEnd();
    if (this.#survivors.length > 0) this.#goneAtMs = null;
    // An older scan may lack the children that the ended processes have orphaned.
    const areAllGone = this.#goneAtMs !== null && scanBeganAtMs() >= this.#goneAtMs;
    // A process counts as ended only when its leader is reaped, and the handler of that exit still needs this state.
    const isOver = areAllGone && this.#exitedAt !== null;
    this.#state = { ...this.#state, survivors: shown(this.#survivors) };
    if (isOver) {
      this.#asked.clear();
      if (this.newest) this.#over = { ...this.newest, endedAtMs: Date.now() };
      this.#state = null;
      this.#isEscapedToo = false;
      this.#escaped.watch();
    }
    const areOthers = !areSame(this.#state?.survivors ?? [], before);
    if (areOthers) this.#pollMs = POLL_MS;
    if (isOver || areOthers) this.#changed();
    if (!this.#state) return;
    this.#timer = setTimeout(() => this.#step(), this.#untilNextMs(areAllGone));
  }

  #kill(): void {
    const members = whenKnown(() => this.#members());
    // Exhausted resources prevented the scan, but the leader's own group can be signalled without it.
    if (!members && this.#exitedAt === null) signalGroup(this.#leader, 'SIGKILL');
    this.#survivors = members ?? this.#survivors;
    for (const member of this.#survivors) signalProcess(member, 'SIGKILL');
  }

  #askToEnd(): void {
    const unasked = this.#survivors.filter((member) => !this.#isAsked(member));
    // Forks are identified before any member ends, since their parents may be among them.
    const forks = new Set(unasked.filter((member) => this.#isFork(member)));
    for (const member of unasked) {
      const now = signalProcess(member, 'SIGTERM');
      if (!now) continue;
      this.#asked.set(member.pid, { ...now, isFork: forks.has(member) && now.image === member.image });
      // A stopped process does not handle SIGTERM.
      signalProcess(member, 'SIGCONT');
    }
  }

  /**
   * Returns true when the process has received SIGTERM, which is sent once. A shell's fork that received it
   * before it became a program must get it again; another program that replaces itself, for example to clean
   * up, has received it.
   */
  #isAsked({ pid, startTime, image }: OsProcess): boolean {
    if (startTime <= this.#askedUpTo) return true;
    const asked = this.#asked.get(pid);
    return asked?.startTime === startTime && (!asked.isFork || asked.image === image);
  }

  /**
   * Returns true for a new process with the image of its parent or, since the parent may have ended, of any
   * process that received SIGTERM.
   */
  #isFork(member: OsProcess): boolean {
    const { pid, parent, image } = member;
    if (image === null || ageMs(member) > LONGEST_FORK_MS) return false;
    return (
      this.#survivors.some((each) => each.pid === parent && each.image === image) ||
      [...this.#asked.values()].some((each) => each.pid !== pid && each.image === image)
    );
  }

  /**
   * Returns the delay before the next step: 0 when only this turn's scan is too old, since the next turn has
   * a new one. For a program that keeps replacing itself, the delay grows, to leave time for other work.
   */
  #untilNextMs(areAllGone: boolean): number {
    if (this.#goneAtMs !== null && !areAllGone) {
      const rescanMs = this.#rescanMs;
      this.#rescanMs = Math.min(rescanMs * 2 + 1, SLOWEST_POLL_MS);
      return rescanMs;
    }
    this.#rescanMs = 0;
    const untilKillMs = this.#graceLeftMs;
    if (untilKillMs > 0) return Math.min(untilKillMs, POLL_MS);
    const pollMs = this.#pollMs;
    this.#pollMs = Math.min(pollMs * 2, SLOWEST_POLL_MS);
    return pollMs;
  }

  /** Returns all processes that must end. */
  #members(notBeforeMs?: number): readonly OsProcess[] {
    const members = this.#sessionMembers(notBeforeMs);
    this.#escaped.look(members);
    return this.#isEscapedToo ? [...members, ...this.#escaped.seen] : members;
  }

  #sessionMembers(notBeforeMs?: number): readonly OsProcess[] {
    const members = sessionMembers(this.#leader, notBeforeMs);
    const exitedAt = this.#exitedAt;
    if (exitedAt === null) {
      // The scan of this turn may be older than the leader.
      const leader = osProcess(this.#leader);
      const others = members.filter(({ pid }) => pid !== this.#leader);
      return leader ? [leader, ...others] : others;
    }
    // The session's number cannot be reused while a known member is alive, so all members belong to it.
    const isOurs = members.some(
      (each) =>
        each.startTime <= exitedAt ||
        this.#heirs.get(each.pid) === each.startTime ||
        this.#escaped.isDescendant(each),
    );
    if (!isOurs) return [];
    for (const { pid, startTime } of members) this.#heirs.set(pid, startTime);
    return members;
  }
}

function shown(members: readonly OsProcess[]): TerminationState['survivors'] {
  return members.map(({ pid, name }) => ({ pid, name }));
}

function areSame(some: readonly OsProcessName[], others: readonly OsProcessName[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ pid, name }, at) => pid === others[at]?.pid && name === others[at].name)
  );
}
