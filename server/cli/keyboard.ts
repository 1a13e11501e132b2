// What is typed on a raw terminal, to the process; looked through for the keys that leave it.
import { ConnectionLost, NotOnline } from '../../web/client/exec-client.ts';
import type { Connection, WriteOutcome } from '../../web/client/exec-client.ts';
import type { DetachKeys } from './detach-keys.ts';
import { say } from './notes.ts';

const CTRL_C = 0x03;

export interface KeyboardOptions {
  readonly connection: Connection;
  readonly detachKeys: DetachKeys;
  /** Null: only looking. */
  readonly write: ((bytes: Uint8Array) => Promise<WriteOutcome>) | null;
  readonly left: () => void;
  readonly failed: (error: unknown) => void;
}

export class Keyboard {
  readonly #options: KeyboardOptions;

  constructor(options: KeyboardOptions) {
    this.#options = options;
  }

  /** Until the returned undo. */
  listen(): () => void {
    const { stdin } = process;
    const typed = (chunk: Buffer): void => this.#typed(chunk);
    // The terminal has gone: a hang-up says so, too.
    const gone = (): void => undefined;
    stdin.on('data', typed);
    stdin.on('error', gone);
    return () => {
      stdin.off('data', typed);
      stdin.pause();
    };
  }

  #typed(chunk: Buffer): void {
    const { connection, detachKeys, write, left, failed } = this.#options;
    const { bytes, isDetached } = detachKeys.type(chunk);
    const isOnline = connection.state.kind === 'online';
    if (write && isOnline && bytes.length > 0) {
      write(bytes).then(
        (outcome) =>
          outcome === 'inDoubt' && say('the connection was lost: not sure that the last keys arrived'),
        (error: unknown) => {
          if (!(error instanceof NotOnline || error instanceof ConnectionLost)) failed(error);
        },
      );
    }
    // Keys are not kept for later, when they would mean something else; but there is always a way out.
    const wantsOut = (!write || !isOnline) && bytes.includes(CTRL_C);
    if (isDetached || wantsOut) left();
  }
}
