// What comes from our own stdin, to a process: in order, no more of it at once than fits, kept while there is no connection.
import type { Connection, RemoteProcess, WriteOutcome } from '../../client/exec-client.ts';
import { untilState } from './connect.ts';
import { say } from './notes.ts';

/** Bytes that have been sent and not been accepted. */
const UNDERWAY_BYTES = 1024 * 1024;

export interface InputPumpOptions {
  readonly remote: RemoteProcess;
  readonly connection: Connection;
  /** Whether the end of our stdin is the end of the process's. */
  readonly passesEnd: boolean;
}

/** Resolves at the end of stdin, or when the process takes no more. */
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
    // A terminal that has gone, or a folder: for the process it is the end, as it would be here.
    say(`stdin cannot be read: ${(error as Error).message}`);
  }
}

/** Writes without an answer yet. */
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
    // A failure is told to whoever waits, the next time.
    settled.catch(() => undefined);
    this.#writes.add(settled);
  }

  fits(): Promise<'goOn' | 'stop'> {
    return this.#until(() => this.#bytes <= UNDERWAY_BYTES);
  }

  isEmpty(): Promise<'goOn' | 'stop'> {
    return this.#until(() => this.#writes.size === 0);
  }

  /** `stop`: the process takes no more. */
  async #until(done: () => boolean): Promise<'goOn' | 'stop'> {
    while (!done() && !this.#isRefused) await Promise.race(this.#writes);
    return this.#isRefused ? 'stop' : 'goOn';
  }
}

/** An end that may not have arrived is passed on again: it is an end all the same. */
async function passEnd(remote: RemoteProcess, connection: Connection): Promise<void> {
  for (;;) {
    await untilState(connection, ({ kind }) => kind === 'online');
    if ((await remote.closeStdin()) !== 'inDoubt') return;
  }
}
