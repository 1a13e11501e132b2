// Input for a child in the keeper: writes are numbered, and each is queued there once.
import type { InputQueue, WriteOrigin, WriteOutcome } from '../../host/child.ts';
import { compileSoon } from '../../host/compile-soon.ts';
import { ToKeeper } from '../wire/frames.ts';
import type { Line } from '../wire/line.ts';
import { Written, type Held } from '../wire/messages.ts';
import { StdinFull } from '../process-view.ts';

interface Asked {
  readonly resolve: (outcome: WriteOutcome) => void;
  readonly reject: (error: Error) => void;
}

/** Notes the numbers of writes for the next gateway. */
export interface InputNotes {
  /** Called before a write is sent. */
  noteWrite(origin: WriteOrigin, seq: number): void;
  /** Called when a write was refused, and may be repeated. */
  noteRefused(seq: number): void;
}

export class HeldInput implements InputQueue {
  notes: InputNotes | null = null;
  readonly #line: Line;
  readonly #process: number;
  readonly #asked = new Map<number, Asked>();
  readonly #isTerminal: boolean;
  #lastSeq: number;
  #isLost = false;

  constructor(line: Line, { process, applied, child }: Held) {
    this.#line = line;
    this.#process = process;
    this.#isTerminal = child.tty;
    this.#lastSeq = applied;
  }

  write(bytes: Uint8Array, origin: WriteOrigin): Promise<WriteOutcome> {
    if (this.#isLost) return Promise.resolve('closed');
    // A gateway that is ending does not answer; the client repeats the request at the next gateway.
    if (!this.#line.isOpen) return new Promise(() => {});
    if (this.#isTerminal) compileSoon();
    this.#lastSeq += 1;
    const seq = this.#lastSeq;
    this.notes?.noteWrite(origin, seq);
    const payload = Buffer.allocUnsafe(8 + bytes.length);
    payload.writeBigUInt64LE(BigInt(seq), 0);
    payload.set(bytes, 8);
    this.#line.send(ToKeeper.input, this.#process, payload);
    return new Promise((resolve, reject) => this.#asked.set(seq, { resolve, reject }));
  }

  end(): void {
    this.#line.send(ToKeeper.endInput, this.#process);
    // The end of stdin is sent now, since this gateway answers the client next and may then be killed.
    this.#line.flush();
  }

  exited(): void {
    // The keeper, which has the queue, detects the exit before this program and drops the queued writes itself.
  }

  answered(payload: Buffer): void {
    const seq = Number(payload.readBigUInt64LE(0));
    const asked = this.#asked.get(seq);
    this.#asked.delete(seq);
    const outcome = payload.readUInt8(8);
    if (outcome === Written.full) {
      this.notes?.noteRefused(seq);
      asked?.reject(new StdinFull(payload.toString('utf8', 9)));
    } else asked?.resolve(outcome === Written.accepted ? 'accepted' : 'closed');
  }

  /** Rejects unanswered writes, whose outcome is unknown. */
  lost(): void {
    this.#isLost = true;
    for (const { reject } of this.#asked.values())
      reject(
        new Error(
          'the connection to the keeper was lost; this input may or may not have reached the process',
        ),
      );
    this.#asked.clear();
  }
}
