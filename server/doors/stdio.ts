// stdin and stdout as a Channel: one message per line, for a program that has spawned the gateway as a child.
import { isUtf8 } from 'node:buffer';
import type { Readable, Writable } from 'node:stream';
import { numberText } from '../../text/amounts.ts';
import type { Channel, ChannelEvents } from '../rpc/channel.ts';
import { Lines } from '../rpc/lines.ts';

export interface StdioLimits {
  readonly messageBytes: number;
  readonly lastRepliesMs: number;
}

export class StdioChannel implements Channel {
  readonly peer = 'stdio';
  readonly ends = null;
  /** Always 0, since there are no other clients to protect. */
  readonly arrivingBytes = 0;
  readonly window = null;
  /** Resolves when the last message is written, its time limit has passed, or a stream has failed. */
  readonly gone: Promise<void>;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #limits: StdioLimits;
  #state: 'open' | 'closing' | 'gone' = 'open';
  #onGone: () => void = () => {};
  #resolve: () => void = () => {};

  constructor(input: Readable, output: Writable, limits: StdioLimits) {
    this.#input = input;
    this.#output = output;
    this.#limits = limits;
    this.gone = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    // EPIPE: the reader has closed the pipe, so no replies can be sent.
    output.on('error', () => this.#finish());
    input.on('error', () => this.#finish());
  }

  get unsentBytes(): number {
    return this.#output.writableLength;
  }

  listen(events: ChannelEvents): void {
    const { messageBytes } = this.#limits;
    const lines = new Lines(messageBytes, {
      onLine: (line) => {
        if (!isUtf8(line)) events.onMalformed('a line that is not UTF-8');
        else if (!isBlank(line)) events.onMessage(line.toString('utf8'));
      },
      onTooLong: () => events.onMalformed(`a line of ${numberText(messageBytes)} bytes or more`),
    });
    this.#onGone = () => events.onClose();
    this.#output.on('drain', () => events.onDrain());
    this.#input.on('data', (chunk: Buffer) => lines.push(chunk));
    this.#input.on('end', () => {
      lines.end();
      events.onEnd();
    });
  }

  send(message: string | Buffer): void {
    if (this.#state !== 'open') return;
    this.batch(() => {
      this.#output.write(message);
      this.#output.write('\n');
    });
  }

  batch(work: () => void): void {
    this.#output.cork();
    try {
      work();
    } finally {
      this.#output.uncork();
    }
  }

  close(): void {
    if (this.#state !== 'open') return;
    this.#state = 'closing';
    this.#input.pause();
    const finish = (): void => {
      clearTimeout(timer);
      this.#finish();
    };
    const timer = setTimeout(finish, this.#limits.lastRepliesMs);
    // The callback runs when everything before it is written.
    this.#output.write('', finish);
  }

  #finish(): void {
    if (this.#state === 'gone') return;
    this.#state = 'gone';
    this.#onGone();
    this.#resolve();
  }
}

/** Returns true for a blank line, which is not a message. */
function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
