// A child with a terminal: the native pty with a reader of our own, which loses nothing at the end.
import { readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { ReadStream } from 'node:tty';
import type { Child, ChildEvents, ChildSpec } from './child.ts';
import type { Size } from '../protocol/scalars.ts';
import { StdinQueue } from './stdin-queue.ts';

/** The part of the native binding that is used here. */
interface PtyBinding {
  fork(
    file: string,
    args: readonly string[],
    env: readonly string[],
    cwd: string,
    cols: number,
    rows: number,
    uid: number,
    gid: number,
    utf8: boolean,
    helperPath: string,
    onExit: (code: number, signal: number) => void,
  ): { fd: number; pid: number };
  resize(fd: number, cols: number, rows: number): void;
}

const packageName = `@lydell/node-pty-${process.platform}-${process.arch}`;
// The binding is an optional dependency of @lydell/node-pty, so it is found from there.
const fromNodePty = createRequire(createRequire(import.meta.url).resolve('@lydell/node-pty'));
const binding = fromNodePty(`${packageName}/pty.node`) as PtyBinding;
const helperPath = process.platform === 'darwin' ? fromNodePty.resolve(`${packageName}/spawn-helper`) : '';

/** A terminal gives at most 4 KiB at a time; a few of those are read at once. */
const READ_BYTES = 64 * 1024;

const signalNames = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

export function spawnPtyChild(spec: ChildSpec, program: string, size: Size, events: ChildEvents): Child {
  const [file, args] = withArg0(spec, program);
  const env = Object.entries(spec.env).map(([name, value]) => `${name}=${value}`);
  let child: PtyChild | null = null;
  const onExit = (code: number, signal: number): void => {
    child?.exited();
    events.onExit(
      signal > 0
        ? { code: 128 + signal, signal: signalNames.get(signal) ?? `SIG${signal}` }
        : { code, signal: null },
    );
  };
  const { fd, pid } = binding.fork(
    file,
    args,
    env,
    spec.cwd,
    size.cols,
    size.rows,
    -1,
    -1,
    true,
    helperPath,
    onExit,
  );
  child = new PtyChild(pid, fd, events);
  return child;
}

/** fork() has no argv[0] of its own; perl is on every system that has a terminal, and changes nothing else. */
function withArg0(spec: ChildSpec, program: string): [string, readonly string[]] {
  const args = spec.argv.slice(1);
  if (spec.arg0 === null) return [program, args];
  return ['/usr/bin/perl', ['-e', 'exec { shift } @ARGV', program, spec.arg0, ...args]];
}

class PtyChild implements Child {
  readonly pid: number;
  readonly writable = true;
  readonly tty = true;
  readonly #fd: number;
  readonly #stream: ReadStream;
  readonly #stdin: StdinQueue;
  #paused = false;
  #open = true;

  constructor(pid: number, fd: number, events: ChildEvents) {
    this.pid = pid;
    this.#fd = fd;
    const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
    this.#stream = new ReadStream(fd, {
      onread: {
        buffer,
        callback: (length: number) => {
          events.onOutput('pty', buffer.subarray(0, length));
          // pause() alone does not hold in the first turn.
          return !this.#paused;
        },
      },
    } as never);
    this.#stdin = new StdinQueue(this.#stream);
    // libuv takes a hang-up after a short read for the end, with bytes still to come: they are read here.
    this.#stream.once('end', () => this.#drain(events));
    this.#stream.once('close', () => {
      this.#open = false;
      events.onEnd();
    });
    this.#stream.resume();
  }

  exited(): void {
    if (this.#open && !this.#paused) this.#stream.resume();
  }

  pause(): void {
    this.#paused = true;
    this.#stream.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#stream.resume();
  }

  write(bytes: Uint8Array): Promise<'accepted' | 'closed'> {
    return this.#stdin.write(bytes);
  }

  closeStdin(): void {
    void this.#stdin.write(Uint8Array.of(4));
  }

  resize({ rows, cols }: Size): void {
    if (this.#open) binding.resize(this.#fd, cols, rows);
  }

  abandon(): void {
    this.#stream.destroy();
  }

  #drain(events: ChildEvents): void {
    const buffer = Buffer.allocUnsafe(READ_BYTES);
    for (;;) {
      let length: number;
      try {
        length = readSync(this.#fd, buffer);
      } catch {
        return; // EIO: nobody holds the terminal any more. EAGAIN: there is nothing now, and nothing will come.
      }
      if (length === 0) return;
      events.onOutput('pty', buffer.subarray(0, length));
    }
  }
}
