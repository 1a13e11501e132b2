// A child with pipes, read by libuv, without a shell, in its own OS session.
import { closeSync, fchownSync } from 'node:fs';
import { Socket, type OnReadOpts, type SocketConstructorOpts } from 'node:net';
import type { Child, ChildEvents, ChildSpec, WriteOutcome } from './child.ts';
import { argvOf, launch, type Launched, nothing } from './launch.ts';
import { isOtherEndOpen } from './libc.ts';
import type { Lineage } from './lineage.ts';
import { signalGroup } from './os-session.ts';
import { enlarge, inputPipe, outputPipe, PIPE_BYTES, type Pipe } from './pipe.ts';
import { readBuffer } from './read-buffer.ts';
import { StdinPipe } from './stdin-pipe.ts';

/** Starts `program`, a path; throws when the system refuses. */
export function spawnPipeChild(spec: ChildSpec, program: string, events: ChildEvents): Child {
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
    return new PipeChild(launched, { stdin, stdout, stderr }, events);
  } catch (error) {
    for (const { ours } of opened) closeSync(ours);
    throw error;
  } finally {
    // Open copies in this program would keep the child's output from ending.
    for (const { childs } of opened) closeSync(childs);
  }
}

class PipeChild implements Child {
  readonly pid: number;
  readonly tty = false;
  readonly lineage: Lineage;
  readonly #readers: readonly Reader[];
  readonly #stdin: StdinPipe | null;

  constructor(
    launched: Launched,
    pipes: { stdin: Pipe | null; stdout: Pipe; stderr: Pipe | null },
    events: ChildEvents,
  ) {
    this.pid = launched.pid;
    this.lineage = launched.lineage;
    const outputs = [
      { pipe: pipes.stdout, stream: 'stdout' },
      ...(pipes.stderr ? [{ pipe: pipes.stderr, stream: 'stderr' } as const] : []),
    ] as const;
    let open = outputs.length;
    const ended = (): void => {
      open -= 1;
      if (open === 0) events.onEnd();
    };
    this.#readers = outputs.map(
      ({ pipe, stream }) => new Reader(pipe, (bytes) => events.onOutput(stream, bytes), ended),
    );
    this.#stdin = pipes.stdin ? new StdinPipe(pipes.stdin) : null;
    launched.onExit((exit) => {
      this.#stdin?.end();
      events.onExit(exit);
    });
  }

  get streams(): readonly string[] {
    return [this.#stdin, ...this.#readers].flatMap((end) => (end?.isOpen === true ? [end.name] : []));
  }

  get isOutputHeld(): boolean {
    return this.#readers.some((reader) => reader.isHeld);
  }

  get writable(): boolean {
    return this.#stdin !== null;
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
}

/**
 * Number of consecutive full reads of a pipe that count as a flood; also the number between attempts to enlarge it.
 */
const FULL_READS = 8;

class Reader {
  readonly name: string;
  readonly #socket: Socket;
  readonly #fd: number;
  #isOpen = true;
  #paused = false;
  #fullReads = 0;
  #giveBackRoom: (() => void) | null = null;

  constructor({ ours: fd, name }: Pipe, onBytes: (bytes: Buffer) => void, onEnd: () => void) {
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
    this.name = name;
    this.#fd = fd;
    this.#socket = new Socket(options);
    this.#socket.on('error', () => {});
    this.#socket.once('close', () => {
      this.#isOpen = false;
      this.#giveBackRoom?.();
      onEnd();
    });
  }

  get isOpen(): boolean {
    // The descriptor may be closed before the event is emitted.
    return this.#isOpen && !this.#socket.destroyed;
  }

  get isHeld(): boolean {
    return this.isOpen && isOtherEndOpen(this.#fd);
  }

  pause(): void {
    this.#paused = true;
    this.#socket.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#socket.resume();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #foundFull(): void {
    this.#fullReads += 1;
    if (this.#fullReads % FULL_READS === 0) this.#giveBackRoom ??= enlarge(this.#fd);
  }
}
