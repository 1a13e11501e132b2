// What is written to one child: each write once per writer, answered when it is queued, waiting while the queue is full.
import type { WriteResult } from '../protocol/process.ts';
import type { Child, WriteOutcome } from './child.ts';
import { WriteIds } from './write-ids.ts';

type WriteStatus = WriteResult['status'];

export interface WriteLimits {
  readonly writeIds: number;
  readonly stdinQueueBytes: number;
}

interface Settled {
  readonly bytes: Buffer;
  readonly outcome: WriteOutcome;
}

export class Writes {
  readonly #child: Pick<Child, 'write'>;
  readonly #limits: WriteLimits;
  readonly #ids = new Map<string, WriteIds>();
  /** Those of them that nobody could read any more. */
  readonly #refused = new Map<string, WriteIds>();
  readonly #unsettled = new Map<string, Promise<WriteStatus>>();
  #queuedBytes = 0;
  #acceptedBytes = 0;

  constructor(child: Pick<Child, 'write'>, limits: WriteLimits) {
    this.#child = child;
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

  /** One that has not been there before. */
  add(session: string, writeId: string, bytes: Buffer): WriteStatus | Promise<WriteStatus> {
    this.#note(this.#ids, session, writeId);
    if (bytes.length === 0) return 'accepted';
    const outcome = this.#child.write(bytes);
    // What a person types is taken at once: no promise, and no turn of the loop, stands before its echo.
    if (!(outcome instanceof Promise)) return this.#settled(session, writeId, { bytes, outcome });
    const id = idOf(session, writeId);
    const status = this.#queued(bytes.length, outcome).then((settled) => {
      this.#unsettled.delete(id);
      return this.#settled(session, writeId, { bytes, outcome: settled });
    });
    this.#unsettled.set(id, status);
    return status;
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
      this.#acceptedBytes += bytes.length;
      return 'accepted';
    }
    this.#note(this.#refused, session, writeId);
    return 'stdinClosed';
  }

  #queued(bytes: number, outcome: Promise<WriteOutcome>): Promise<WriteOutcome> {
    this.#queuedBytes += bytes;
    const taken = outcome.then((settled) => {
      this.#queuedBytes -= bytes;
      return settled;
    });
    if (this.#queuedBytes > this.#limits.stdinQueueBytes) return taken;
    // A turn of the loop is enough to hear that nobody reads any more; being queued is what `accepted` promises.
    const queued = new Promise<WriteOutcome>((resolve) => {
      setImmediate(() => resolve('accepted'));
    });
    return Promise.race([taken, queued]);
  }
}

const idOf = (session: string, writeId: string): string => JSON.stringify([session, writeId]);
