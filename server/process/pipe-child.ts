// A child with pipes: FIFOs read by libuv, no shell, its own OS session.
import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { constants } from 'node:os';
import { Socket, type OnReadOpts, type SocketConstructorOpts } from 'node:net';
import type { Child, ChildEvents, ChildSpec } from './child.ts';
import { type Fifo, inputFifo, outputFifo } from './fifo.ts';
import { StdinQueue } from './stdin-queue.ts';

/** What one read brings at the most; a Linux pipe holds as much. */
const READ_BYTES = 64 * 1024;

export function spawnPipeChild(spec: ChildSpec, program: string, events: ChildEvents): Child {
  const fifos: Fifo[] = [];
  const open = (make: () => Fifo): Fifo => {
    const fifo = make();
    fifos.push(fifo);
    return fifo;
  };
  try {
    const stdin = spec.pipeStdin ? open(inputFifo) : null;
    const stdout = open(outputFifo);
    const stderr = open(outputFifo);
    const child = spawn(program, spec.argv.slice(1), {
      argv0: spec.arg0 ?? spec.argv[0],
      cwd: spec.cwd,
      env: spec.env as NodeJS.ProcessEnv,
      detached: true,
      stdio: [stdin?.childs ?? 'ignore', stdout.childs, stderr.childs],
    });
    if (child.pid === undefined) {
      // The reason comes as an event, later than anybody can be told; it is known well enough before.
      child.once('error', () => {});
      throw new Error('the system started no process');
    }
    return new PipeChild(child.pid, { stdin, stdout, stderr }, events, (exited) =>
      child.once('exit', (code, signal) =>
        exited({ code: code ?? 128 + (signal ? constants.signals[signal] : 0), signal }),
      ),
    );
  } catch (error) {
    for (const { ours } of fifos) closeSync(ours);
    throw error;
  } finally {
    for (const { childs } of fifos) closeSync(childs);
  }
}

class PipeChild implements Child {
  readonly pid: number;
  readonly tty = false;
  readonly #readers: Reader[];
  readonly #stdin: StdinQueue | null;

  constructor(
    pid: number,
    pipes: { stdin: Fifo | null; stdout: Fifo; stderr: Fifo },
    events: ChildEvents,
    onExit: (exited: ChildEvents['onExit']) => void,
  ) {
    this.pid = pid;
    let open = 2;
    const ended = (): void => {
      open -= 1;
      if (open === 0) events.onEnd();
    };
    this.#readers = [
      new Reader(pipes.stdout.ours, (bytes) => events.onOutput('stdout', bytes), ended),
      new Reader(pipes.stderr.ours, (bytes) => events.onOutput('stderr', bytes), ended),
    ];
    this.#stdin = pipes.stdin
      ? new StdinQueue(new Socket({ fd: pipes.stdin.ours, readable: false, writable: true }))
      : null;
    onExit((exit) => {
      this.#stdin?.destroy();
      events.onExit(exit);
    });
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

  write(bytes: Uint8Array): Promise<'accepted' | 'closed'> {
    return this.#stdin?.write(bytes) ?? Promise.resolve('closed');
  }

  closeStdin(): void {
    this.#stdin?.end();
  }

  resize(): void {
    throw new Error('misuse: a child with pipes has no size');
  }

  abandon(): void {
    this.#stdin?.destroy();
    for (const reader of this.#readers) reader.destroy();
  }
}

class Reader {
  readonly #socket: Socket;
  #paused = false;

  constructor(fd: number, onBytes: (bytes: Buffer) => void, onEnd: () => void) {
    const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
    // Documented for sockets that connect, and true of all: the types know only the former.
    const options: SocketConstructorOpts & { onread: OnReadOpts } = {
      fd,
      readable: true,
      writable: false,
      onread: {
        buffer,
        callback: (length) => {
          onBytes(buffer.subarray(0, length));
          // False stops the reading at once; pause() would only after what is under way.
          return !this.#paused;
        },
      },
    };
    this.#socket = new Socket(options);
    this.#socket.on('error', () => {});
    this.#socket.once('close', onEnd);
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
}
