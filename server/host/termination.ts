// The ladder of a terminate: SIGTERM to the whole OS session, after the grace SIGKILL, until nothing is left.
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
  startTimeNow,
  thisTickMs,
  whenKnown,
} from './os-process.ts';
import { sessionMembers, signalGroup, signalProcess } from './os-session.ts';

export interface TerminationState {
  readonly terminatingSinceMs: number;
  /** When SIGTERM gives way to SIGKILL. */
  readonly killAtMs: number;
  readonly survivors: readonly OsProcessName[];
}

export interface Remains {
  /** What was seen to leave the OS session. */
  readonly escaped: readonly OsProcessName[];
  /** Whether the output is still held open: by these, or by what cannot be seen. */
  readonly isOutputHeld: boolean;
}

interface Asked extends OsProcess {
  /** Whether it was about to become a program, as far as anybody can see. */
  readonly isFork: boolean;
}

/** What a shell has forked becomes a program sooner, however busy the machine is. */
const LONGEST_FORK_MS = 10_000;

/** Between two looks at the survivors; only they are looked at, until they are gone or it is time to kill. */
const POLL_MS = 50;
/** Those whom no signal ends (another user's, one that hangs in the kernel) are looked at ever less often, down to this. */
const SLOWEST_POLL_MS = 1600;

export class Termination {
  readonly #leader: number;
  readonly #child: Pick<Child, 'isOutputHeld'>;
  readonly #changed: () => void;
  #state: TerminationState | null = null;
  #survivors: readonly OsProcess[] = [];
  /** Since when none of the survivors that are known is alive. */
  #goneAtMs: number | null = null;
  #timer: NodeJS.Timeout | null = null;
  #pollMs = POLL_MS;
  /** When the leader was reaped; from then on its pid may become somebody else's. */
  #exitedAt: number | null = null;
  /** The same on the clock of performance.now. */
  #reapedAtMs = Infinity;
  /** Pid → start time of those that were seen to be ours after that. */
  readonly #heirs = new Map<number, number>();
  /** By pid, who has had a SIGTERM, as they were then. */
  readonly #asked = new Map<number, Asked>();
  readonly #escaped: Escaped;
  /** Whether what has escaped is to end as well. */
  #isEscapedToo = false;
  #allEndedAtMs: number | null = null;

  /** `child` has just been started; `changed` is told whenever `state` is another. */
  constructor(child: Pick<Child, 'pid' | 'lineage' | 'streams' | 'isOutputHeld'>, changed: () => void) {
    this.#leader = child.pid;
    this.#child = child;
    this.#changed = changed;
    this.#escaped = new Escaped(child, changed);
  }

  /** What lives on after the end of all that a terminate ends; nothing while one is under way. */
  get remains(): Remains {
    if (this.#state) return { escaped: [], isOutputHeld: false };
    const isOutputHeld = this.#exitedAt !== null && this.#child.isOutputHeld;
    return { escaped: shown(this.#escaped.alive), isOutputHeld };
  }

  /** When the last of those that were to end was found gone; null before, and while there are others again. */
  get allEndedAtMs(): number | null {
    return this.#allEndedAtMs;
  }

  get state(): TerminationState | null {
    return this.#state;
  }

  /** Again: the grace can only become shorter. */
  start(graceMs: number, isEscapedToo = false): { running: boolean } {
    this.#isEscapedToo ||= isEscapedToo;
    const seen = whenKnown(() => this.#members(thisTickMs()));
    // Whom a leader has left that had not ended before that look, the next turn shows.
    if (seen?.length === 0 && scanBeganAtMs() >= this.#reapedAtMs) {
      this.#escaped.watch();
      return { running: false };
    }
    this.#survivors = seen?.filter(isAlive) ?? [];
    this.#goneAtMs = null;
    this.#pollMs = POLL_MS;
    this.#allEndedAtMs = null;
    const now = Date.now();
    const killAtMs = Math.min(this.#state?.killAtMs ?? Infinity, now + graceMs);
    this.#state = {
      terminatingSinceMs: this.#state?.terminatingSinceMs ?? now,
      killAtMs,
      survivors: shown(this.#survivors),
    };
    if (now < killAtMs) this.#askToEnd();
    this.#changed();
    this.#step();
    return { running: true };
  }

  /** To be called when the leader has been reaped. */
  leaderExited(): void {
    this.#exitedAt = startTimeNow();
    this.#reapedAtMs = performance.now();
    this.#step();
  }

  /** Stops everything; whoever survives is left alone. */
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
    const isTimeToKill = Date.now() >= this.#state.killAtMs;
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
    // Some were started while the others were being asked.
    if (!isTimeToKill) this.#askToEnd();
    if (this.#survivors.length > 0) this.#goneAtMs = null;
    // An older scan does not show whom they have left.
    const areAllGone = this.#goneAtMs !== null && scanBeganAtMs() >= this.#goneAtMs;
    // Until the leader is reaped it has not ended, and whoever asks what ended it must find this.
    const isOver = areAllGone && this.#exitedAt !== null;
    this.#state = isOver ? null : { ...this.#state, survivors: shown(this.#survivors) };
    if (isOver) {
      this.#asked.clear();
      this.#allEndedAtMs = Date.now();
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
    // That needs no look.
    if (!members && this.#exitedAt === null) signalGroup(this.#leader, 'SIGKILL');
    this.#survivors = members ?? this.#survivors;
    for (const member of this.#survivors) signalProcess(member, 'SIGKILL');
  }

  #askToEnd(): void {
    const unasked = this.#survivors.filter((member) => !this.#isAsked(member));
    // Before any of them ends, as a parent would.
    const forks = new Set(unasked.filter((member) => this.#isFork(member)));
    for (const member of unasked) {
      const now = signalProcess(member, 'SIGTERM');
      if (!now) continue;
      this.#asked.set(member.pid, { ...now, isFork: forks.has(member) && now.image === member.image });
      // A stopped process would not notice.
      signalProcess(member, 'SIGCONT');
    }
  }

  /**
   * Each is asked once. But what a shell's fork hears before it becomes a program, that program never does; who becomes
   * another one otherwise, as to clean up, has heard.
   */
  #isAsked({ pid, startTime, image }: OsProcess): boolean {
    const asked = this.#asked.get(pid);
    return asked?.startTime === startTime && (!asked.isFork || asked.image === image);
  }

  /** Whether it is what its parent is, who may be gone but was asked then; the leader, nobody's fork, is the first of all. */
  #isFork(member: OsProcess): boolean {
    const { pid, parent, image } = member;
    if (image === null || ageMs(member) > LONGEST_FORK_MS) return false;
    return (
      this.#survivors.some((each) => each.pid === parent && each.image === image) ||
      [...this.#asked.values()].some((each) => each.pid !== pid && each.image === image)
    );
  }

  /** Where only this turn's scan is too old, the next turn will do. */
  #untilNextMs(areAllGone: boolean): number {
    if (this.#goneAtMs !== null && !areAllGone) return 0;
    const untilKillMs = (this.#state?.killAtMs ?? 0) - Date.now();
    if (untilKillMs > 0) return Math.min(untilKillMs, POLL_MS);
    const pollMs = this.#pollMs;
    this.#pollMs = Math.min(pollMs * 2, SLOWEST_POLL_MS);
    return pollMs;
  }

  /** Everyone who is to end. */
  #members(notBeforeMs?: number): readonly OsProcess[] {
    const members = this.#sessionMembers(notBeforeMs);
    this.#escaped.look(members);
    return this.#isEscapedToo ? [...members, ...this.#escaped.alive] : members;
  }

  #sessionMembers(notBeforeMs?: number): readonly OsProcess[] {
    const members = sessionMembers(this.#leader, notBeforeMs);
    const exitedAt = this.#exitedAt;
    if (exitedAt === null) {
      // This turn's scan may be older than it.
      const leader = osProcess(this.#leader);
      const others = members.filter(({ pid }) => pid !== this.#leader);
      return leader ? [leader, ...others] : others;
    }
    // While one of ours lives the session's number cannot be given again: whoever is in it descends from ours.
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
