// Requests of a program to set the clipboard (OSC 52): each is shown to the person in control, who alone can grant it.
// A program never gets the present contents.
import type { Terminal } from '@xterm/xterm';
import { fromBase64 } from '../../../client/bytes.ts';

/** Longest text: a person could not review a longer one first. */
const MOST_BYTES = 100 * 1024;

/** Time for which requests are ignored after one was declined. */
const QUIET_MS = 60_000;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns the text of an OSC 52; null for a query, too long a text, invalid text, or none. */
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
  /** Returns true when the person at this page may be asked now. */
  readonly mayAsk: () => boolean;
  /** Called with the number of characters to be copied; null when the request is over. */
  readonly asks: (chars: number | null) => void;
}

/**
 * A shown request stays until it is answered, and others are dropped meanwhile, so that only text a person has seen is
 * copied.
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

  /** The text that would be copied. */
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
