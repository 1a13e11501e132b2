// A child with pipes, read by libuv, without a shell, in its own OS session.
import { closeSync, fchownSync } from 'node:fs';
import { Socket, type OnReadOpts, type SocketConstructorOpts } from 'node:net';
import type { Stream } from '../../protocol/process.ts';
import type {
  Child,
  ChildEvents,
  ChildSpec,
  ChildState,
  OwnChild,
  OwnEnd,
  Passable,
  WriteOutcome,
} from './child.ts';
import { argvOf, launch, type Launched, nothing } from './launch.ts';
import { isOtherEndOpen } from './libc.ts';
import type { Lineage } from './lineage.ts';
import { signalGroup } from './os-session.ts';
import { countLarge, enlarge, inputPipe, outputPipe, PIPE_BYTES, type Pipe } from './pipe.ts';
import { readBuffer } from './read-buffer.ts';
import { readUnread } from './read-unread.ts';
import { StdinPipe } from './stdin-pipe.ts';

/** Starts `program`, a path; throws when the system refuses. */
export function spawnPipeChild(spec: ChildSpec, program: string, events: ChildEvents): OwnChild {
  const { cwd, env, user } = spec;
  const opened: Pipe[] = [];
  const open = (pipe: Pipe): Pipe => {
    opened.push(pipe);
    return pipe;
  };
  try {
    const stdin = spec.pipeStdin ? open(inputPipe()) : null;
    const stdout = open(outputPipe());
    const stderr = spec.joinStderr ? null : open(outputPipe());
    // The user must be able to open the streams by name, such as /dev/stdout.
    if (user) for (const { childs } of opened) fchownSync(childs, user.uid, user.gid);
    const stdio = [stdin?.childs ?? nothing, stdout.childs, (stderr ?? stdout).childs] as const;
    const launched = launch({ file: program, argv: argvOf(spec), cwd, env, user, stdio });
    const outputs = [outputState('stdout', stdout), ...(stderr ? [outputState('stderr', stderr)] : [])];
    const ends = { tty: false, writable: stdin !== null, stdin: stdin && endOf(stdin), outputs };
    return new PipeChild(launched, ends, events);
  } catch (error) {
    for (const { ours } of opened) closeSync(ours);
    throw error;
  } finally {
    // Open copies in this program would keep the child's output from ending.
    for (const { childs } of opened) closeSync(childs);
  }
}

const endOf = ({ ours, name }: Pipe): OwnEnd => ({ fd: ours, name });

const outputState = (stream: Stream, pipe: Pipe): OutputState => ({ ...endOf(pipe), stream, isLarge: false });

type OutputState = ChildState['outputs'][number];

/** A child with pipes that are already open, or one without any, since its terminal has closed. */
export class PipeChild implements Child, Passable {
  readonly pid: number;
  readonly tty: boolean;
  readonly writable: boolean;
  readonly lineage: Lineage;
  readonly #readers: readonly Reader[];
  readonly #stdin: StdinPipe | null;

  constructor(
    launched: Launched,
    { tty, writable, stdin, outputs }: Pick<ChildState, 'tty' | 'writable' | 'stdin' | 'outputs'>,
    events: ChildEvents,
  ) {
    this.pid = launched.pid;
    this.tty = tty;
    this.writable = writable;
    this.lineage = launched.lineage;
    let open = outputs.length;
    const ended = (): void => {
      open -= 1;
      if (open === 0) events.onEnd();
    };
    this.#readers = outputs.map(
      (output) => new Reader(output, (bytes) => events.onOutput(output.stream, bytes), ended),
    );
    this.#stdin = stdin && new StdinPipe(stdin);
    launched.onExit((exit) => {
      this.#stdin?.end();
      for (const reader of this.#readers) reader.readUnread();
      events.onExit(exit);
    });
  }

  get streams(): readonly string[] {
    return [this.#stdin, ...this.#readers].flatMap((end) => (end?.isOpen === true ? [end.pipe.name] : []));
  }

  get isOutputHeld(): boolean {
    return this.#readers.some((reader) => reader.isHeld);
  }

  pause(): void {
    for (const reader of this.#readers) reader.pause();
  }

  resume(): void {
    for (const reader of this.#readers) reader.resume();
  }

  catchUp(): void {
    // All bytes read from a pipe have been emitted already.
  }

  write(bytes: Uint8Array): WriteOutcome | Promise<WriteOutcome> {
    return this.#stdin?.write(bytes) ?? 'closed';
  }

  closeStdin(): void {
    this.#stdin?.end();
  }

  resize(): void {
    throw new Error('misuse: a child with pipes has no size');
  }

  signalGroup(group: number, signal: NodeJS.Signals): void {
    signalGroup(group, signal);
  }

  abandon(): void {
    this.#stdin?.destroy();
    for (const reader of this.#readers) reader.destroy();
  }

  handOver(): ReturnType<Passable['handOver']> {
    if ([this.#stdin, ...this.#readers].some((end) => end?.isClosing)) return null;
    const stdin = this.#stdin?.isOpen ? this.#stdin : null;
    const { pid, lineage, tty, writable } = this;
    const state: ChildState = {
      pid,
      lineage,
      tty,
      writable,
      terminal: null,
      stdin: stdin && stdin.pipe,
      outputs: this.#readers.filter(({ isOpen }) => isOpen).map((reader) => reader.state),
      endsInput: stdin?.isEnding ?? false,
    };
    return { state, queued: stdin?.queued ?? [] };
  }
}

/** Number of full reads of a pipe after which it is enlarged; also the number between attempts. */
const FULL_READS = 8;

class Reader {
  readonly pipe: OutputState;
  readonly #socket: Socket;
  readonly #onBytes: (bytes: Buffer) => void;
  #isOpen = true;
  #paused = false;
  #fullReads = 0;
  #giveBackRoom: (() => void) | null = null;

  constructor(pipe: OutputState, onBytes: (bytes: Buffer) => void, onEnd: () => void) {
    const { fd, isLarge } = pipe;
    // The types allow `onread` only for sockets that connect, though it works for all.
    const options: SocketConstructorOpts & { onread: OnReadOpts } = {
      fd,
      readable: true,
      writable: false,
      onread: {
        buffer: readBuffer,
        callback: (length) => {
          if (length >= PIPE_BYTES) this.#foundFull();
          onBytes(readBuffer.subarray(0, length));
          // Returning false stops reading at once; pause() would only do so after the current read.
          return !this.#paused;
        },
      },
    };
    this.pipe = pipe;
    this.#onBytes = onBytes;
    if (isLarge) this.#giveBackRoom = countLarge();
    this.#socket = new Socket(options);
    this.#socket.on('error', () => {});
    this.#socket.once('close', () => {
      this.#isOpen = false;
      this.#giveBackRoom?.();
      onEnd();
    });
  }

  get isOpen(): boolean {
    // The descriptor may be closed before `close` is emitted.
    return this.#isOpen && !this.#socket.destroyed;
  }

  /** True when the pipe is being closed, and its end has not been reported yet. */
  get isClosing(): boolean {
    return this.#socket.destroyed && this.#isOpen;
  }

  get state(): OutputState {
    return { ...this.pipe, isLarge: this.#giveBackRoom !== null };
  }

  get isHeld(): boolean {
    return this.isOpen && isOtherEndOpen(this.pipe.fd);
  }

  pause(): void {
    this.#paused = true;
    this.#socket.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#socket.resume();
  }

  /** Reads the unread output of the exited child; nothing while reading is paused or once the pipe is closed. */
  readUnread(): void {
    readUnread(this.pipe.fd, () => this.isOpen && !this.#paused, this.#onBytes);
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #foundFull(): void {
    this.#fullReads += 1;
    if (this.#fullReads % FULL_READS === 0) this.#giveBackRoom ??= enlarge(this.pipe.fd);
  }
}
