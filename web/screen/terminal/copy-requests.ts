// A program's requests to set the clipboard (OSC 52). Only the controller sees and can grant them; a program can never
// read the clipboard.
import type { Terminal } from '@xterm/xterm';
import { fromBase64 } from '../../../client/bytes.ts';

/** Maximum text size: a person could not review more. */
const MOST_BYTES = 100 * 1024;

/** Time for which requests are ignored after one was declined. */
const QUIET_MS = 60_000;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns the text of an OSC 52 sequence; null for a query, and for text that is empty, too long or invalid. */
export function wantedText(data: string): string | null {
  const [, encoded] = /^[cpqs0-7]*;([A-Za-z0-9+/]+={0,2})$/.exec(data) ?? [];
  if (encoded === undefined || encoded.length > (MOST_BYTES * 4) / 3 + 4) return null;
  try {
    const bytes = fromBase64(encoded);
    return bytes.length > MOST_BYTES ? null : utf8.decode(bytes);
  } catch {
    return null;
  }
}

export interface CopyRequestsOptions {
  readonly terminal: Terminal;
  /** Returns true when this page's user may be asked now. */
  readonly mayAsk: () => boolean;
  /** Called with the number of characters to copy; null when the request is over. */
  readonly asks: (chars: number | null) => void;
}

/**
 * A displayed request stays until it is answered, and others are dropped meanwhile, so that only the text of
 * the displayed request is copied.
 */
export class CopyRequests {
  readonly #options: CopyRequestsOptions;
  #shown: string | null = null;
  #quietUntilMs = 0;

  constructor(options: CopyRequestsOptions) {
    this.#options = options;
    options.terminal.parser.registerOscHandler(52, (data) => {
      const text = options.mayAsk() && performance.now() >= this.#quietUntilMs ? wantedText(data) : null;
      if (text !== null && this.#shown === null) this.#show(text);
      return true;
    });
  }

  /** Text of the displayed request; empty when there is none. */
  get text(): string {
    return this.#shown ?? '';
  }

  granted(): void {
    this.#show(null);
  }

  ignored(): void {
    this.#quietUntilMs = performance.now() + QUIET_MS;
    this.#show(null);
  }

  #show(text: string | null): void {
    this.#shown = text;
    this.#options.asks(text === null ? null : text.length);
  }
}
