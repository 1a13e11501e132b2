// The input of one process: whether it still takes any, and by which writers it was last used.
import type { WriteResult } from '../../protocol/process.ts';
import type { Child, WriteOrigin, WriteOutcome } from '../host/child.ts';
import type { Writer } from './process-view.ts';
import { TypedLines, type Typed } from './typed.ts';
import { Writes, type WriteLimits } from './writes.ts';

type WriteStatus = WriteResult['status'];

export class ProcessInput {
  readonly #child: Child;
  readonly #writes: Writes;
  readonly #onInput: (who: string, bytes: Buffer) => void;
  readonly #typed = new TypedLines();
  #lastInput: (Writer & { readonly atMs: number }) | null = null;
  #isClosed = false;
  /** True when the program has ended, or cannot be reached. */
  #isOver = false;

  /** `onInput` is called with all bytes that were not refused. */
  constructor(child: Child, limits: WriteLimits, onInput: (who: string, bytes: Buffer) => void) {
    this.#child = child;
    this.#writes = new Writes(child, limits);
    this.#onInput = onInput;
  }

  /** False when nothing reads it any more, or its end was asked for. */
  get isOpen(): boolean {
    return this.#child.writable && !this.#isClosed && !this.#isOver;
  }
  get lastInput(): (Writer & { readonly atMs: number }) | null {
    return this.#lastInput;
  }
  get typed(): readonly Typed[] {
    return this.#typed.all;
  }
  get acceptedBytes(): number {
    return this.#writes.acceptedBytes;
  }

  write({ session, who }: Writer, writeId: string, bytes: Buffer): WriteStatus | Promise<WriteStatus> {
    if (!this.#child.writable) return 'stdinClosed';
    // A repeated request did not get its first answer; that stdin is closed by now would be a wrong one.
    const answered = this.#writes.answered(session, writeId);
    if (answered !== null) return answered;
    if (!this.isOpen) return 'stdinClosed';
    // Done first, since the typing person is waiting for the echo.
    const status = this.#writes.add(session, writeId, bytes);
    if (bytes.length > 0) {
      this.#lastInput = { session, who, atMs: Date.now() };
      this.#typed.add({ session, who }, bytes);
      this.#onInput(who, bytes);
    }
    return status;
  }

  /** Notes a write that an earlier gateway has made. */
  remember(origin: WriteOrigin, outcome: WriteOutcome): void {
    this.#writes.remember(origin, outcome, 0);
  }

  forgetWriter(session?: string): void {
    this.#writes.forget(session);
  }

  end(): void {
    // A terminal's end of file is a byte that a program may ask for again and again.
    this.#isClosed = !this.#child.tty;
    this.#writes.end();
  }

  /** The program has ended, or cannot be reached any more. */
  over(): void {
    this.#isOver = true;
    this.#writes.exited();
  }
}
