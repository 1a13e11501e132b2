// A child on a terminal, whose reader loses no output at the end.
import { chownSync, closeSync, readSync, statSync, writeSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import type { Child, ChildEvents, ChildSpec, OwnChild, Passable, WriteOutcome } from './child.ts';
import type { Size } from '../../protocol/scalars.ts';
import { compileSoon } from './compile-soon.ts';
import { isOtherEndOpen } from './libc.ts';
import type { Lineage } from './lineage.ts';
import { argvOf, launch, type Launched } from './launch.ts';
import { signalGroup } from './os-session.ts';
import { ReadAhead } from './read-ahead.ts';
import { readBuffer } from './read-buffer.ts';
import { readUnread } from './read-unread.ts';
import { closeTerminal, openTerminal, resizeTerminal, type Terminal } from './terminal.ts';

/**
 * Minimum size of a read that emptied a full kernel buffer (4096 bytes, or one less), so that more is likely to
 * follow.
 */
const FULL_BYTES = 4095;
/** Number of consecutive full reads that count as a flood; printing one screen does not switch threads. */
const FLOOD_READS = 4;

/** Delay before a write is retried, since the kernel does not report room in a full terminal; it doubles each time. */
const FIRST_RETRY_MS = 1;
/** Maximum delay before a retry; at this delay, a program that never reads costs about thirty calls a second. */
const LAST_RETRY_MS = 32;

/** Starts `program`, a path; throws when the system refuses. */
export function spawnPtyChild(spec: ChildSpec, program: string, size: Size, events: ChildEvents): OwnChild {
  const { cwd, env, user } = spec;
  const terminal = openTerminal(size);
  const { name } = terminal;
  let launched: Launched;
  try {
    // The user must be able to open the terminal by name.
    if (user) chownSync(name, user.uid, statSync(name).gid);
    launched = launch({ file: program, argv: argvOf(spec), cwd, env, user, stdio: { terminal: name } });
  } catch (error) {
    closeTerminal(terminal);
    throw error;
  }
  return new PtyChild(launched, terminal, events);
}

export class PtyChild implements Child, Passable {
  readonly pid: number;
  readonly writable = true;
  readonly tty = true;
  readonly lineage: Lineage;
  readonly #name: string;
  readonly #fd: number;
  readonly #stream: TerminalStream;
  readonly #stdin: StdinTerminal;
  readonly #events: ChildEvents;
  /** Reader in another thread; null except on Linux. */
  readonly #ahead: ReadAhead | null;
  #fullReads = 0;
  /** Descriptor of the child's end; null once the child has been reaped or abandoned. */
  #childs: number | null;
  #paused = false;
  #open = true;
  /** True once `onEnd` was called. */
  #hasEnded = false;

  constructor(
    launched: Launched,
    { ours, childs, name }: Omit<Terminal, 'childs'> & { readonly childs: number | null },
    events: ChildEvents,
  ) {
    this.pid = launched.pid;
    this.lineage = launched.lineage;
    this.#name = name;
    this.#fd = ours;
    this.#childs = childs;
    this.#events = events;
    this.#stdin = new StdinTerminal(ours);
    this.#stream = new TerminalStream(
      ours,
      (length) => {
        // One read of about 4 KiB is emitted per turn, since emitting several at once would delay echoes more
        // than a flood gains.
        events.onOutput('pty', readBuffer.subarray(0, length));
        this.#fullReads = length < FULL_BYTES ? 0 : this.#fullReads + 1;
        if (this.#fullReads >= FLOOD_READS && !this.#paused && this.#ahead?.start()) this.#stream.pause();
        // Returning false stops reading at once; pause() does not take effect in the first turn.
        return !this.#paused && !this.#isAhead;
      },
      () => {
        this.#open = false;
        this.#ahead?.close();
        this.#stdin.close();
      },
    );
    this.#ahead = process.platform === 'linux' ? this.#aheadOf(events) : null;
    // EIO: no process holds the other end of the terminal, and a close follows.
    this.#stream.on('error', () => {});
    // libuv treats a hangup after a short read as the end, although more bytes may follow, which #drain reads.
    this.#stream.once('end', () => this.#drain());
    this.#stream.once('close', () => {
      this.#hasEnded = true;
      events.onEnd();
    });
    launched.onExit((exit) => {
      readUnread(
        ours,
        () => this.#open && !this.#paused && !this.#isAhead,
        (bytes) => events.onOutput('pty', bytes),
      );
      this.#letGo();
      events.onExit(exit);
    });
    this.#stream.resume();
  }

  get streams(): readonly string[] {
    return this.#open ? [this.#name] : [];
  }

  get isOutputHeld(): boolean {
    return this.#open && isOtherEndOpen(this.#fd);
  }

  pause(): void {
    this.#paused = true;
    this.#stream.pause();
  }

  resume(): void {
    this.#paused = false;
    if (!this.#isAhead) this.#stream.resume();
  }

  catchUp(): void {
    this.#ahead?.catchUp();
  }

  write(bytes: Uint8Array): WriteOutcome | Promise<WriteOutcome> {
    compileSoon();
    return this.#stdin.write(bytes);
  }

  closeStdin(): void {
    void this.#stdin.write(Uint8Array.of(4));
  }

  resize(size: Size): void {
    this.catchUp();
    this.#events.onResized(size);
    if (this.#open) resizeTerminal(this.#fd, size);
  }

  signalGroup(group: number, signal: NodeJS.Signals): void {
    signalGroup(group, signal);
  }

  abandon(): void {
    this.#letGo();
    this.#stream.destroy();
  }

  handOver(): ReturnType<Passable['handOver']> {
    if (this.#isAhead || (!this.#open && !this.#hasEnded)) return null;
    const { pid, lineage, tty, writable } = this;
    const terminal = this.#open ? { fd: this.#fd, name: this.#name, childs: this.#childs } : null;
    const ends = { terminal, stdin: null, outputs: [], endsInput: false };
    const state = { pid, lineage, tty, writable, ...ends };
    return { state, queued: this.#stdin.queued };
  }

  get #isAhead(): boolean {
    return this.#ahead?.isReading === true;
  }

  #aheadOf(events: ChildEvents): ReadAhead {
    return new ReadAhead(this.#fd, {
      goesOn: () => !this.#paused,
      onBytes: (bytes) => events.onOutput('pty', bytes),
      onRest: () => {
        if (!this.#paused) this.#stream.resume();
      },
    });
  }

  /** Closes this program's copy of the child's end, so that the terminal ends when no other process holds it. */
  #letGo(): void {
    if (this.#childs !== null) closeSync(this.#childs);
    this.#childs = null;
  }

  #drain(): void {
    for (;;) {
      let length: number;
      try {
        length = readSync(this.#fd, readBuffer);
      } catch {
        return; // EIO: no process holds the terminal any more. EAGAIN: no data now, and none will come.
      }
      if (length === 0) return;
      this.#events.onOutput('pty', readBuffer.subarray(0, length));
    }
  }
}

class TerminalStream extends ReadStream {
  readonly #closing: () => void;

  /** `closing` is called right before the descriptor is closed and its number may be reused. */
  constructor(fd: number, callback: (length: number) => boolean, closing: () => void) {
    // The types do not declare that a terminal accepts the options of any socket.
    super(fd, { onread: { buffer: readBuffer, callback } } as never);
    this.#closing = closing;
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#closing();
    // oxlint-disable-next-line no-underscore-dangle -- the name that streams define
    super._destroy(error, callback);
  }
}

interface Waiting {
  bytes: Uint8Array;
  readonly settle: (outcome: WriteOutcome) => void;
}

/** Queue of bytes for a terminal. A stream cannot be used, since libuv spins on a full terminal. */
class StdinTerminal {
  readonly #fd: number;
  readonly #waiting: Waiting[] = [];
  #retry: NodeJS.Timeout | null = null;
  #retryMs = FIRST_RETRY_MS;
  #open = true;

  /** `fd` must not block; its owner closes it. */
  constructor(fd: number) {
    this.#fd = fd;
  }

  write(bytes: Uint8Array): WriteOutcome | Promise<WriteOutcome> {
    if (!this.#open) return 'closed';
    if (this.#waiting.length > 0) return this.#queue(bytes);
    const written = this.#tryWrite(bytes);
    if (written === null) {
      this.close();
      return 'closed';
    }
    if (written === bytes.length) return 'accepted';
    const taken = this.#queue(bytes.subarray(written));
    this.#flushLater();
    return taken;
  }

  /** Bytes that the kernel has not accepted. */
  get queued(): readonly Uint8Array[] {
    return this.#waiting.map(({ bytes }) => bytes);
  }

  /** Settles waiting writes as closed; call it before the descriptor is closed. */
  close(): void {
    this.#open = false;
    if (this.#retry) clearTimeout(this.#retry);
    this.#retry = null;
    for (const { settle } of this.#waiting.splice(0)) settle('closed');
  }

  #queue(bytes: Uint8Array): Promise<WriteOutcome> {
    return new Promise((settle) => this.#waiting.push({ bytes, settle }));
  }

  #flush(): void {
    this.#retry = null;
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      const written = this.#tryWrite(first.bytes);
      if (written === null) return this.close();
      if (written > 0) this.#retryMs = FIRST_RETRY_MS;
      if (written < first.bytes.length) {
        first.bytes = first.bytes.subarray(written);
        return this.#flushLater();
      }
      this.#waiting.shift();
      first.settle('accepted');
    }
  }

  #flushLater(): void {
    this.#retry = setTimeout(() => this.#flush(), this.#retryMs);
    this.#retryMs = Math.min(2 * this.#retryMs, LAST_RETRY_MS);
  }

  /** Returns the number of bytes that the kernel accepted; null when writing fails, usually since no reader is left. */
  #tryWrite(bytes: Uint8Array): number | null {
    try {
      return writeSync(this.#fd, bytes);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 0 : null;
    }
  }
}
