// Sends our own stdin to a process: in order, with limited bytes in flight, and paused while disconnected.
import type { Connection, RemoteProcess, WriteOutcome } from '../../client/exec-client.ts';
import { untilState } from './connect.ts';
import { say } from './notes.ts';

/** Limit of bytes that have been sent and not been accepted. */
const UNDERWAY_BYTES = 1024 * 1024;

export interface InputPumpOptions {
  readonly remote: Pick<RemoteProcess, 'write' | 'closeStdin'>;
  readonly connection: Connection;
  /** True when the end of our stdin ends the process's stdin. */
  readonly passesEnd: boolean;
}

/** Resolves at the end of stdin, or when the process accepts no more. */
export async function pumpInput({ remote, connection, passesEnd }: InputPumpOptions): Promise<void> {
  const underway = new Underway();
  for await (const chunk of ownInput()) {
    await untilState(connection, ({ kind }) => kind === 'online');
    underway.add(chunk.length, remote.write(chunk));
    if ((await underway.fits()) === 'stop') return;
  }
  if ((await underway.isEmpty()) === 'stop' || !passesEnd) return;
  await passEnd(remote, connection);
}

async function* ownInput(): AsyncGenerator<Buffer> {
  try {
    yield* process.stdin as AsyncIterable<Buffer>;
  } catch (error) {
    // A terminal that has gone, or a folder as stdin: the process gets an end of file, as it would here.
    say(`stdin cannot be read: ${(error as Error).message}`);
  }
}

/** Writes that have not been answered. */
class Underway {
  readonly #writes = new Set<Promise<void>>();
  #bytes = 0;
  #isRefused = false;

  add(bytes: number, write: Promise<WriteOutcome>): void {
    this.#bytes += bytes;
    const settled = write.then((outcome) => {
      this.#bytes -= bytes;
      this.#writes.delete(settled);
      if (outcome === 'inDoubt') say(`the connection was lost; ${bytes} bytes of input may not have arrived`);
      else if (outcome !== 'accepted') this.#isRefused = true;
    });
    // A failure is thrown at the next wait.
    settled.catch(() => undefined);
    this.#writes.add(settled);
  }

  fits(): Promise<'goOn' | 'stop'> {
    return this.#until(() => this.#bytes <= UNDERWAY_BYTES);
  }

  isEmpty(): Promise<'goOn' | 'stop'> {
    return this.#until(() => this.#writes.size === 0);
  }

  /** `stop`: the process accepts no more. */
  async #until(done: () => boolean): Promise<'goOn' | 'stop'> {
    while (!done() && !this.#isRefused) await Promise.race(this.#writes);
    return this.#isRefused ? 'stop' : 'goOn';
  }
}

/** Sends the end again when it may not have arrived: ending twice is harmless. */
async function passEnd(remote: InputPumpOptions['remote'], connection: Connection): Promise<void> {
  for (;;) {
    await untilState(connection, ({ kind }) => kind === 'online');
    if ((await remote.closeStdin()) !== 'inDoubt') return;
  }
}
