// What is written to one child: each write once per writer, and what became of it.
import type { WriteResult } from '../../protocol/process.ts';
import type { Child, WriteOutcome } from '../host/child.ts';
import { StdinQueue, type StdinQueueLimits } from '../host/stdin-queue.ts';
import { WriteIds } from './write-ids.ts';

type WriteStatus = WriteResult['status'];

export interface WriteLimits extends StdinQueueLimits {
  readonly writeIds: number;
}

interface Settled {
  readonly bytes: number;
  readonly outcome: WriteOutcome;
}

export class Writes {
  readonly #queue: StdinQueue;
  readonly #limits: WriteLimits;
  readonly #ids = new Map<string, WriteIds>();
  /** Those of them that nobody could read any more. */
  readonly #refused = new Map<string, WriteIds>();
  readonly #unsettled = new Map<string, Promise<WriteStatus>>();
  #acceptedBytes = 0;

  constructor(child: Pick<Child, 'write' | 'closeStdin'>, limits: WriteLimits) {
    this.#queue = new StdinQueue(child, limits);
    this.#limits = limits;
  }

  /** Of all writers, each write once. */
  get acceptedBytes(): number {
    return this.#acceptedBytes;
  }

  /** What this writer has been, or will be, told of the write with this id; null when there is none yet. */
  answered(session: string, writeId: string): WriteStatus | Promise<WriteStatus> | null {
    if (!this.#ids.get(session)?.has(writeId)) return null;
    if (this.#refused.get(session)?.has(writeId)) return 'stdinClosed';
    return this.#unsettled.get(idOf(session, writeId)) ?? 'accepted';
  }

  /** One that has not been there before. Throws StdinFull, and then it has not been. */
  add(session: string, writeId: string, chunk: Buffer): WriteStatus | Promise<WriteStatus> {
    const bytes = chunk.length;
    const outcome = bytes === 0 ? 'accepted' : this.#queue.write(chunk);
    this.#note(this.#ids, session, writeId);
    // What a person types is taken at once: no promise, and no turn of the loop, stands before its echo.
    if (!(outcome instanceof Promise)) return this.#settled(session, writeId, { bytes, outcome });
    const id = idOf(session, writeId);
    const status = outcome.then((settled) => {
      this.#unsettled.delete(id);
      return this.#settled(session, writeId, { bytes, outcome: settled });
    });
    this.#unsettled.set(id, status);
    return status;
  }

  /** The end of stdin, after all that was written before. */
  end(): void {
    this.#queue.end();
  }

  /** The program has ended. */
  exited(): void {
    this.#queue.exited();
  }

  /** Nobody writes in its name any more; without a name, nobody at all. */
  forget(session?: string): void {
    for (const ids of [this.#ids, this.#refused]) {
      for (const writer of session === undefined ? [...ids.keys()] : [session]) {
        ids.get(writer)?.forget();
        ids.delete(writer);
      }
    }
  }

  #note(ids: Map<string, WriteIds>, session: string, writeId: string): void {
    const known = ids.get(session) ?? new WriteIds(this.#limits.writeIds);
    ids.set(session, known);
    known.add(writeId);
  }

  #settled(session: string, writeId: string, { bytes, outcome }: Settled): WriteStatus {
    if (outcome === 'accepted') {
      this.#acceptedBytes += bytes;
      return 'accepted';
    }
    this.#note(this.#refused, session, writeId);
    return 'stdinClosed';
  }
}

const idOf = (session: string, writeId: string): string => JSON.stringify([session, writeId]);
