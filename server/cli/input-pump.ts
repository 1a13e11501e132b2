// Sends this command's stdin to a process: in order, with limited bytes in flight, and paused while disconnected.
import type { Connection, RemoteProcess, WriteOutcome } from '../../client/exec-client.ts';
import { bytesText } from '../../text/amounts.ts';
import { untilState } from './connect.ts';
import { printNote } from './notes.ts';

/** Number of sent but not yet accepted bytes above which stdin is not read. */
const UNDERWAY_BYTES = 1024 * 1024;

export interface InputPumpOptions {
  readonly remote: Pick<RemoteProcess, 'write' | 'closeStdin'>;
  readonly connection: Connection;
  /** True when the end of stdin also ends the stdin of the process. */
  readonly passesEnd: boolean;
  /** True when the process has a terminal, on which the end of stdin is a typed end of file (Ctrl-D). */
  readonly tty: boolean;
}

/** Sends stdin to the process until the end of stdin, or until the process accepts no more input. */
export async function pumpInput({ remote, connection, passesEnd, tty }: InputPumpOptions): Promise<void> {
  const underway = new Underway();
  for await (const chunk of ownInput(underway)) {
    await untilState(connection, ({ kind }) => kind === 'online');
    underway.add(chunk.length, remote.write(chunk));
    if ((await underway.fits()) === 'stop') return;
  }
  if ((await underway.isEmpty()) === 'stop' || !passesEnd) return;
  await passEnd(remote, connection, tty);
}

async function* ownInput(underway: Underway): AsyncGenerator<Buffer> {
  try {
    yield* process.stdin as AsyncIterable<Buffer>;
  } catch (error) {
    if (underway.hasStopped) return;
    // A stdin that cannot be read, such as a closed terminal or a folder, counts as ended.
    printNote(`stdin cannot be read: ${(error as Error).message}`);
  }
}

/** Writes that are not acknowledged yet. */
class Underway {
  readonly #writes = new Set<Promise<void>>();
  #bytes = 0;
  #isRefused = false;
  /** True once a write has failed or was refused, which destroys stdin, so an error of reading stdin is expected. */
  hasStopped = false;

  add(bytes: number, write: Promise<WriteOutcome>): void {
    this.#bytes += bytes;
    const settled = write.then((outcome) => {
      this.#bytes -= bytes;
      this.#writes.delete(settled);
      if (outcome === 'inDoubt')
        printNote(`the connection was lost; ${bytesText(bytes)} of input may not have arrived`);
      else if (outcome !== 'accepted') {
        this.#isRefused = true;
        this.#stop();
      }
    });
    // The rejected write stays in the set, so that a wait throws its error.
    settled.catch(() => this.#stop());
    this.#writes.add(settled);
  }

  #stop(): void {
    this.hasStopped = true;
    process.stdin.destroy();
  }

  fits(): Promise<'goOn' | 'stop'> {
    return this.#until(() => this.#bytes <= UNDERWAY_BYTES);
  }

  isEmpty(): Promise<'goOn' | 'stop'> {
    return this.#until(() => this.#writes.size === 0);
  }

  /** `stop`: the process accepts no more input. */
  async #until(done: () => boolean): Promise<'goOn' | 'stop'> {
    while (!done() && !this.#isRefused) await Promise.race(this.#writes);
    return this.#isRefused ? 'stop' : 'goOn';
  }
}

/**
 * Sends the end of stdin, and repeats it while it may not have arrived; but not on a terminal, where a second one could
 * end another program that reads from it.
 */
async function passEnd(
  remote: InputPumpOptions['remote'],
  connection: Connection,
  tty: boolean,
): Promise<void> {
  for (;;) {
    await untilState(connection, ({ kind }) => kind === 'online');
    if ((await remote.closeStdin()) !== 'inDoubt') return;
    if (!tty) continue;
    printNote('the connection was lost; the end of the input may not have arrived');
    return;
  }
}
