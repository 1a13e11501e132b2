// Sends the input of a raw terminal to the process, and detects the detach keys in it.
import { ConnectionLost, NotOnline } from '../../client/exec-client.ts';
import type { Connection, WriteOutcome } from '../../client/exec-client.ts';
import type { DetachKeys } from './detach-keys.ts';
import { printNote } from './notes.ts';

const CTRL_C = 0x03;
/** Time after which an incomplete sequence of detach keys is sent to the process instead of being held back. */
const HELD_MS = 500;

export interface KeyboardOptions {
  readonly connection: Connection;
  readonly detachKeys: DetachKeys;
  /** Writes to the process; null when the terminal only watches. */
  readonly write: ((bytes: Uint8Array) => Promise<WriteOutcome>) | null;
  readonly left: () => void;
  readonly failed: (error: unknown) => void;
}

export class Keyboard {
  readonly #options: KeyboardOptions;
  #heldTimer: NodeJS.Timeout | null = null;

  constructor(options: KeyboardOptions) {
    this.#options = options;
  }

  /** Listens until the returned function is called. */
  listen(): () => void {
    const { stdin } = process;
    const typed = (chunk: Buffer): void => this.#typed(chunk);
    // An error means that the terminal has closed; it needs no handling, because a hangup signal follows.
    const gone = (): void => undefined;
    stdin.on('data', typed);
    stdin.on('error', gone);
    return () => {
      stdin.off('data', typed);
      this.#stopTimer();
      stdin.pause();
    };
  }

  #typed(chunk: Buffer): void {
    const { connection, detachKeys, write, left } = this.#options;
    const { bytes, isDetached, hasKey } = detachKeys.type(chunk);
    this.#send(bytes);
    // Reports do not stop the timer: any number may arrive, and they must not delay a held key.
    if (hasKey || !detachKeys.isHolding) this.#stopTimer();
    if (!isDetached && detachKeys.isHolding) {
      this.#heldTimer ??= setTimeout(() => {
        this.#heldTimer = null;
        this.#send(detachKeys.release());
      }, HELD_MS);
    }
    // Keys typed while disconnected are dropped, as they might mean something else later. Ctrl-C detaches then,
    // and when this terminal only watches.
    const wantsOut = (!write || connection.state.kind !== 'online') && bytes.includes(CTRL_C);
    if (isDetached || wantsOut) left();
  }

  #send(bytes: Buffer): void {
    const { connection, write, failed } = this.#options;
    if (!write || connection.state.kind !== 'online' || bytes.length === 0) return;
    write(bytes).then(
      (outcome) =>
        outcome === 'inDoubt' && printNote('the connection was lost; the last keys may not have arrived'),
      (error: unknown) => {
        if (!(error instanceof NotOnline || error instanceof ConnectionLost)) failed(error);
      },
    );
  }

  #stopTimer(): void {
    if (this.#heldTimer) clearTimeout(this.#heldTimer);
    this.#heldTimer = null;
  }
}
