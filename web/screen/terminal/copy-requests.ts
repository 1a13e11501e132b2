// What a program wants to have in the clipboard (OSC 52): a wish, shown to the person who controls it and granted by no
// one else. What is there already it is never told.
import type { Terminal } from '@xterm/xterm';
import { fromBase64 } from '../../../client/bytes.ts';

/** Longer texts are none that a person could look at first. */
const MOST_BYTES = 100 * 1024;

/** Who has said no is not asked again for a while. */
const QUIET_MS = 60_000;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of an OSC 52, or null: a question, too long, no text, nothing. */
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
  /** Whether who sits here may be asked now. */
  readonly mayAsk: () => boolean;
  /** So many characters are wanted to be copied; null when nothing is any more. */
  readonly asks: (chars: number | null) => void;
}

/** What is shown stays until it is answered, and what comes meanwhile is not wanted: nothing is copied that nobody saw. */
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

  /** What is wanted to be copied. */
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
