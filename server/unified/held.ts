// One session of unified exec: a process with the output that its agent has not been given.
import type { ProcessView } from '../keeper/process-view.ts';
import { UnendedSequence } from '../../text/unended-sequence.ts';
import { Collected } from './collected.ts';
import type { Line, ProcessEvents } from './line.ts';

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

export class Held implements ProcessEvents {
  readonly facts: HeldFacts;
  readonly collected = new Collected();
  /** Follows the output that was given, for a terminal's text. */
  readonly sequence = new UnendedSequence();
  /** Lines of people that the agent was told of, by name. */
  readonly told = new Map<string, number>();
  readonly sinceMs = Date.now();
  seq = 0;
  /** Decoded bytes of all output that has come, or is known to be missing. */
  receivedBytes = 0;
  /** Null until it has started. */
  key: string | null = null;
  exitCode: number | null = null;
  isClosed = false;
  usedAtMs = performance.now();
  /** Why it was not started, or something was not written; told once. */
  failures: string[] = [];
  /** Set when the agent was told its exit, or it was ended for another one: only its output can be read from then on. */
  reportedAtMs: number | null = null;
  readonly #find: (key: string) => ProcessView | undefined;
  readonly #waiters = new Set<() => void>();
  #turns: Promise<void> = Promise.resolve();
  #locks = 0;
  /** False until the answer to its start has come. */
  #isDecided = false;

  constructor(facts: HeldFacts, find: (key: string) => ProcessView | undefined) {
    this.facts = facts;
    this.#find = find;
    facts.line.follow(this.processId, this);
  }

  get processId(): string {
    return String(this.facts.id);
  }

  /** The process itself; undefined before its start, and when it is forgotten. */
  get view(): ProcessView | undefined {
    return this.key === null ? undefined : this.#find(this.key);
  }

  get isStarted(): boolean {
    return this.key !== null;
  }

  get hasExited(): boolean {
    return this.exitCode !== null;
  }

  /** False while the start waits. */
  get isDecided(): boolean {
    return this.#isDecided;
  }

  get isLocked(): boolean {
    return this.#locks > 0;
  }

  /** Time of the last use; while a person controls it, that is now. */
  get usedAt(): number {
    return this.view?.controller == null ? this.usedAtMs : Number.POSITIVE_INFINITY;
  }

  started(key: string): void {
    this.key = key;
    this.#isDecided = true;
    this.look();
  }

  notStarted(): void {
    this.#isDecided = true;
    this.facts.line.forget(this.processId);
    this.look();
  }

  output(seq: number, bytes: Buffer): void {
    if (seq !== this.seq + 1) this.#countMissed(seq);
    this.seq = seq;
    this.receivedBytes += bytes.length;
    this.collected.add(bytes);
  }

  exited(seq: number, exitCode: number): void {
    this.seq = seq;
    this.exitCode = exitCode;
    this.look();
  }

  closed(seq: number): void {
    this.seq = seq;
    this.isClosed = true;
    this.facts.line.forget(this.processId);
    this.look();
  }

  lost(): void {
    this.exitCode ??= this.view?.exit?.code ?? 128 + 9;
    this.isClosed = true;
    this.look();
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

  #countMissed(seq: number): void {
    const offset = this.view?.log.at(seq)?.offset ?? this.receivedBytes;
    this.collected.missed(Math.max(0, offset - this.receivedBytes));
    this.receivedBytes = offset;
  }

  /** Has all waits look again whether they are over. */
  look(): void {
    for (const look of this.#waiters) look();
  }
}
