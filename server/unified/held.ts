// One session of unified exec: a process, and the output that its agent has not received.
import type { Requests } from '../../protocol/methods.ts';
import type { ProcessView } from '../keeper/process-view.ts';
import type { UnendedSequence } from '../../text/unended-sequence.ts';
import type { Collected } from './collected.ts';
import type { Line } from './line.ts';
import type { PastDrain } from './notes.ts';
import { Run, type Place } from './run.ts';

export interface HeldFacts {
  readonly id: number;
  readonly line: Line;
  /** Id of the token whose clients may use the session. */
  readonly tokenId: string;
  readonly thread: string | null;
  readonly cmd: string;
  /** Working directory as a path. */
  readonly cwd: string;
  readonly tty: boolean;
}

/** Functions that look up processes by key. */
export interface Finds {
  /** Returns undefined for a process that was removed. */
  readonly process: (key: string) => ProcessView | undefined;
  /** Returns true for a process that a person has pinned. */
  readonly isPinned: (key: string) => boolean;
}

export class Held {
  readonly facts: HeldFacts;
  /** Number of lines typed by each person, by name, as last reported to the agent. */
  readonly reportedLines = new Map<string, number>();
  readonly sinceMs: number;
  usedAtMs = performance.now();
  /** Reasons for a failed start or write, each reported once. */
  failures: string[] = [];
  /** Lines from the gateway for the next answer. */
  notes: string[] = [];
  /** Time at which the exit was reported, or the session was evicted; after that only its output can be read. */
  reportedAtMs: number | null = null;
  /** Params of the start in a sandbox, for a second run without a sandbox; null when no second run is possible. */
  inSandbox: Requests['process/start']['params'] | null = null;
  /** Repeats a start that was waiting for approval at an earlier gateway; null when there is none. */
  resumes: (() => Promise<void>) | null = null;
  readonly #find: Finds['process'];
  readonly #isPinned: Finds['isPinned'];
  readonly #waiters = new Set<() => void>();
  #run: Run;
  /** First run; null until there is a second one. */
  #first: Run | null = null;
  #turns: Promise<void> = Promise.resolve();
  #locks = 0;

  constructor(facts: HeldFacts, { process, isPinned }: Finds, sinceMs = Date.now()) {
    this.facts = facts;
    this.sinceMs = sinceMs;
    this.#find = process;
    this.#isPinned = isPinned;
    this.#run = this.#newRun(String(facts.id));
  }

  /** Continues with a process of an earlier gateway; `isAgain` is true for a second run. */
  goOn(view: ProcessView, place: Place, drain: PastDrain | null, isAgain: boolean): void {
    if (isAgain) {
      this.facts.line.forget(this.#run.processId);
      this.#run = this.#newRun(`${this.facts.id}-again`);
    }
    for (const [who, lines] of drain?.told ?? []) this.reportedLines.set(who, lines);
    const { reportedAtMs = null } = drain ?? {};
    if (reportedAtMs !== null) this.reportedAtMs = performance.now() - (Date.now() - reportedAtMs);
    this.#run.goOn(view, place);
  }

  /** Note for a later gateway: the place up to which answers have returned the output, and what they reported. */
  get drained(): PastDrain {
    const { seq, givenBytes } = this.#run;
    const ageMs = this.reportedAtMs === null ? null : performance.now() - this.reportedAtMs;
    return {
      seq,
      bytes: givenBytes,
      told: [...this.reportedLines],
      reportedAtMs: ageMs === null ? null : Date.now() - ageMs,
    };
  }

  /** Replaces the first run with a second one, which the caller then starts. */
  runAgain(): void {
    this.inSandbox = null;
    this.#first = this.#run;
    this.#run = this.#newRun(`${this.facts.id}-again`);
  }

  /** Makes the first run current again, after a failed start of the second one. */
  keepFirst(): void {
    const first = this.#first;
    this.#run.notStarted();
    if (first) this.#run = first;
    this.look();
  }

  #newRun(processId: string): Run {
    const { line } = this.facts;
    return new Run({ processId, line, find: this.#find, changed: () => this.look() });
  }

  get processId(): string {
    return this.#run.processId;
  }

  get collected(): Collected {
    return this.#run.collected;
  }

  get sequence(): UnendedSequence {
    return this.#run.sequence;
  }

  get receivedBytes(): number {
    return this.#run.receivedBytes;
  }

  /** Key of the process; null until the process has started. */
  get key(): string | null {
    return this.#run.key;
  }

  get exitCode(): number | null {
    return this.#run.exitCode;
  }

  get isClosed(): boolean {
    return this.#run.isClosed;
  }

  /** The process itself; undefined before its start, and when it was removed. */
  get view(): ProcessView | undefined {
    return this.#run.view;
  }

  get hasExited(): boolean {
    return this.exitCode !== null;
  }

  /** False until the start of the current run has been answered. */
  get isDecided(): boolean {
    return this.#run.isDecided;
  }

  /** True when the start was refused or has failed. */
  get hasNotStarted(): boolean {
    return this.isDecided && this.key === null;
  }

  /** True while the first run has ended and the start of the second one has not been answered. */
  get mayRunAgain(): boolean {
    return this.#first !== null && !this.isDecided;
  }

  get isLocked(): boolean {
    return this.#locks > 0;
  }

  /** Time of the last use; infinity while a person controls or has pinned the process. */
  get usedAt(): number {
    const isPinned = this.key !== null && this.#isPinned(this.key);
    return this.view?.controller == null && !isPinned ? this.usedAtMs : Number.POSITIVE_INFINITY;
  }

  started(key: string): void {
    this.#run.started(key);
  }

  notStarted(): void {
    this.#run.notStarted();
  }

  /** Moves failures of earlier writes to the notes, because they are not failures of the next call. */
  noteFailedWrites(): void {
    if (this.key === null) return;
    this.notes.push(...this.failures.splice(0).map((failure) => `write_stdin failed: ${failure}`));
  }

  /** Drops the unread output of a process whose recording was removed. */
  removeOutput(key: string): void {
    for (const run of [this.#run, this.#first]) if (run?.key === key) run.collected.drop();
  }

  reported(): void {
    this.reportedAtMs ??= performance.now();
    this.collected.drain(false);
  }

  /**
   * Resolves when `isDue` returns true, when `ms` have passed, or when `signal` is aborted; `isDue` is called at once
   * and after every change.
   */
  async until(isDue: () => boolean, ms: number, signal: AbortSignal): Promise<void> {
    if (isDue() || ms <= 0 || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        this.#waiters.delete(look);
        signal.removeEventListener('abort', finish);
        resolve();
      };
      const look = (): void => {
        if (isDue()) finish();
      };
      const timer = setTimeout(finish, ms);
      this.#waiters.add(look);
      signal.addEventListener('abort', finish);
    });
  }

  /**
   * Runs `work` with true after all earlier work on this session, or with false after `ms` or when `signal` is
   * aborted.
   */
  async inTurn<T>(ms: number, signal: AbortSignal, work: (isMyTurn: boolean) => Promise<T>): Promise<T> {
    const before = this.#turns;
    let release = (): void => {};
    this.#turns = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isFree = this.#locks === 0;
    this.#locks += 1;
    const freed = before.then(() => {
      isFree = true;
      this.look();
    });
    try {
      await this.until(() => isFree, ms, signal);
      return await work(isFree);
    } finally {
      this.#locks -= 1;
      void freed.then(release);
    }
  }

  /** Checks the conditions of all waits again. */
  look(): void {
    for (const look of this.#waiters) look();
  }
}
