// One session of unified exec: a process with the output that its agent has not been given.
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
  /** The token whose sessions know this id. */
  readonly tokenId: string;
  readonly thread: string | null;
  readonly cmd: string;
  /** A path. */
  readonly cwd: string;
  readonly tty: boolean;
}

/** Facts about processes by their key. */
export interface Finds {
  /** Undefined for a process that is forgotten. */
  readonly process: (key: string) => ProcessView | undefined;
  /** True for a process that a person keeps. */
  readonly isPinned: (key: string) => boolean;
}

export class Held {
  readonly facts: HeldFacts;
  /** Lines of people that the agent was told of, by name. */
  readonly told = new Map<string, number>();
  readonly sinceMs: number;
  usedAtMs = performance.now();
  /** Reasons why it was not started, or something was not written; reported once. */
  failures: string[] = [];
  /** Lines of the gateway for the next answer. */
  notes: string[] = [];
  /** Set when the agent was told its exit, or it was ended for another one: only its output can be read from then on. */
  reportedAtMs: number | null = null;
  /** Its start, for a second run without the sandbox that is in it; null: there is none, or no more of them. */
  inSandbox: Requests['process/start']['params'] | null = null;
  /** Asks again for a start that waited at an earlier gateway; null: there is none. */
  resumes: (() => Promise<void>) | null = null;
  readonly #find: Finds['process'];
  readonly #isPinned: Finds['isPinned'];
  readonly #waiters = new Set<() => void>();
  #run: Run;
  /** The run in the sandbox, once there is a second one. */
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

  /** Goes on with a process of an earlier gateway; `isAgain`: it is the second run. */
  goOn(view: ProcessView, place: Place, drain: PastDrain | null, isAgain: boolean): void {
    if (isAgain) {
      this.facts.line.forget(this.#run.processId);
      this.#run = this.#newRun(`${this.facts.id}-again`);
    }
    for (const [who, lines] of drain?.told ?? []) this.told.set(who, lines);
    const { reportedAtMs = null } = drain ?? {};
    if (reportedAtMs !== null) this.reportedAtMs = performance.now() - (Date.now() - reportedAtMs);
    this.#run.goOn(view, place);
  }

  /** The place up to which answers have given its output. */
  get drained(): PastDrain {
    const { seq, givenBytes } = this.#run;
    const ageMs = this.reportedAtMs === null ? null : performance.now() - this.reportedAtMs;
    return {
      seq,
      bytes: givenBytes,
      told: [...this.told],
      reportedAtMs: ageMs === null ? null : Date.now() - ageMs,
    };
  }

  /** A second run of its command, which takes the place of the first one. */
  runAgain(): void {
    this.inSandbox = null;
    this.#first = this.#run;
    this.#run = this.#newRun(`${this.facts.id}-again`);
  }

  /** The second run has not been started, and the first one is all that there is. */
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

  /** Null until it has started. */
  get key(): string | null {
    return this.#run.key;
  }

  get exitCode(): number | null {
    return this.#run.exitCode;
  }

  get isClosed(): boolean {
    return this.#run.isClosed;
  }

  /** The process itself; undefined before its start, and when it is forgotten. */
  get view(): ProcessView | undefined {
    return this.#run.view;
  }

  get hasExited(): boolean {
    return this.exitCode !== null;
  }

  /** False while a start waits. */
  get isDecided(): boolean {
    return this.#run.isDecided;
  }

  /** True while a first run has ended, and the second one waits. */
  get mayRunAgain(): boolean {
    return this.#first !== null && !this.isDecided;
  }

  get isLocked(): boolean {
    return this.#locks > 0;
  }

  /** Time of the last use; while a person controls or keeps it, that is now. */
  get usedAt(): number {
    const isKept = this.key !== null && this.#isPinned(this.key);
    return this.view?.controller == null && !isKept ? this.usedAtMs : Number.POSITIVE_INFINITY;
  }

  started(key: string): void {
    this.#run.started(key);
  }

  notStarted(): void {
    this.#run.notStarted();
  }

  reported(): void {
    this.reportedAtMs ??= performance.now();
    this.collected.drain(false);
  }

  /** Resolves when `isDue` after a change, when so many ms are over, or with the signal. */
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

  /** Runs `work` when all earlier work on this session is done; with false when that took longer than so many ms. */
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

  /** Has all waits look again whether they are over. */
  look(): void {
    for (const look of this.#waiters) look();
  }
}
