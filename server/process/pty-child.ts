// A child with a terminal, read by a reader of our own, which loses nothing at the end.
import { accessSync, constants, fchownSync, fstatSync, readSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import type { Child, ChildEvents, ChildSpec, WriteOutcome } from './child.ts';
import type { Size } from '../protocol/scalars.ts';
import { launch, throughPerl, type Launch, type Launched } from './launch.ts';
import { closeEnd, forgetEnd, openTerminal, resizeTerminal } from './native-pty.ts';
import { readBuffer } from './read-buffer.ts';
import { whatIsMissing } from './starved.ts';
import { StdinTerminal } from './stdin-terminal.ts';
import { PERL } from './user.ts';

const SETSID = ['/usr/bin/setsid', '/bin/setsid'].find(isProgram);

/** ioctl: makes the terminal on stdin that of the session. */
const TIOCSCTTY = process.platform === 'darwin' ? 0x2000_7461 : 0x540e;

/** Starts `program`, a path; throws when the system refuses. */
export function spawnPtyChild(spec: ChildSpec, program: string, size: Size, events: ChildEvents): Child {
  const { ours, childs } = terminal(size);
  let launched: Launched;
  try {
    const { cwd, user } = spec;
    // Also to be opened by its name.
    if (user) fchownSync(childs, user.uid, fstatSync(childs).gid);
    launched = launch({ ...onItsTerminal(spec, program), cwd, user, stdio: [childs, childs, childs] });
  } catch (error) {
    closeEnd(ours);
    throw error;
  } finally {
    closeEnd(childs);
  }
  return new PtyChild(launched, ours, events);
}

/**
 * A terminal controls a session only when a process of it asks for that, which Node cannot: something small does, and
 * then becomes the program.
 */
function onItsTerminal(
  { argv, arg0, env }: ChildSpec,
  program: string,
): Omit<Launch, 'cwd' | 'stdio' | 'user'> {
  if (arg0 === null && SETSID) {
    return { file: SETSID, argv: ['setsid', '-c', '--', ...argv], env, detached: false };
  }
  if (!isProgram(PERL)) throw new Error(`only ${PERL} can start this on a terminal, and it is not there`);
  const [name = program, ...args] = argv;
  const words = `ioctl STDIN, ${TIOCSCTTY}, 0`;
  return { ...throughPerl({ words }, program, { argv: [arg0 ?? name, ...args], env }), detached: true };
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The binding says only that it failed. */
function terminal(size: Size): ReturnType<typeof openTerminal> {
  try {
    return openTerminal(size);
  } catch {
    throw whatIsMissing('terminals');
  }
}

class PtyChild implements Child {
  readonly pid: number;
  readonly writable = true;
  readonly tty = true;
  readonly #fd: number;
  readonly #stream: TerminalStream;
  readonly #stdin: StdinTerminal;
  readonly #events: ChildEvents;
  #paused = false;
  #open = true;

  constructor(launched: Launched, fd: number, events: ChildEvents) {
    this.pid = launched.pid;
    this.#fd = fd;
    this.#events = events;
    this.#stdin = new StdinTerminal(fd);
    this.#stream = new TerminalStream(
      fd,
      (length) => {
        // One read of some 4 KiB a turn, however much there is: several at once cost echoes more than a flood gains.
        events.onOutput('pty', readBuffer.subarray(0, length));
        // False stops the reading at once; pause() does not hold in the first turn.
        return !this.#paused;
      },
      () => {
        this.#open = false;
        this.#stdin.close();
        forgetEnd(fd);
      },
    );
    // EIO is how a terminal says that nobody holds its other end; a close follows.
    this.#stream.on('error', () => {});
    // libuv takes a hang-up after a short read for the end, with bytes still to come: they are read here.
    this.#stream.once('end', () => this.#drain());
    this.#stream.once('close', () => events.onEnd());
    launched.onExit((exit) => {
      this.#stream.mayClose();
      events.onExit(exit);
    });
    this.#stream.resume();
  }

  pause(): void {
    this.#paused = true;
    this.#stream.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#stream.resume();
  }

  write(bytes: Uint8Array): WriteOutcome | Promise<WriteOutcome> {
    return this.#stdin.write(bytes);
  }

  closeStdin(): void {
    void this.#stdin.write(Uint8Array.of(4));
  }

  resize(size: Size): void {
    if (this.#open) resizeTerminal(this.#fd, size);
  }

  abandon(): void {
    this.#stream.mayClose();
    this.#stream.destroy();
  }

  #drain(): void {
    for (;;) {
      let length: number;
      try {
        length = readSync(this.#fd, readBuffer);
      } catch {
        return; // EIO: nobody holds the terminal any more. EAGAIN: there is nothing now, and nothing will come.
      }
      if (length === 0) return;
      this.#events.onOutput('pty', readBuffer.subarray(0, length));
    }
  }
}

/**
 * Closing our end hangs up on the session. A program that has let go of its terminal, as many do on their way out, would
 * die of that instead of its own exit: so the close waits until it is reaped.
 */
class TerminalStream extends ReadStream {
  readonly #closing: () => void;
  #mayClose = false;
  #close: (() => void) | null = null;

  /** `closing` is told right before the descriptor's number means nothing any more. */
  constructor(fd: number, callback: (length: number) => boolean, closing: () => void) {
    // The types do not know that a terminal takes the options of any socket.
    super(fd, { onread: { buffer: readBuffer, callback } } as never);
    this.#closing = closing;
  }

  mayClose(): void {
    this.#mayClose = true;
    this.#close?.();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#close = () => {
      this.#close = null;
      this.#closing();
      // oxlint-disable-next-line no-underscore-dangle -- the name that streams give it
      super._destroy(error, callback);
    };
    if (this.#mayClose) this.#close();
  }
}
