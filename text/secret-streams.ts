// Secrets in output that arrives in pieces: each may be split anywhere, and its beginning may be missing.
import { findSecrets, type Before } from './masking.ts';
import type { Span } from './secret-spans.ts';
import { MISSING, NOTHING_BEFORE } from './text-before.ts';

/** Finds secrets in one stream's output, piece by piece. */
export class SecretStream {
  #before: Before;

  /** `before`: what is known of the output before the first piece. */
  constructor(before: Before = NOTHING_BEFORE) {
    this.#before = before;
  }

  /** Returns the ranges to mask in the next piece. */
  next(piece: string): readonly Span[] {
    const { text, cutOff } = this.#before;
    const offset = text.length;
    const { spans, rest } = findSecrets(text + piece, { cutOff, isBytes: true });
    this.#before = rest();
    return spans
      .filter(({ end }) => end > offset)
      .map(({ start, end }) => ({ start: Math.max(0, start - offset), end: end - offset }));
  }
}

/** Finds secrets in the output of one process, which is read in order but perhaps not from its beginning. */
export class SecretStreams {
  readonly #streams = new Map<string, SecretStream>();
  /** Known end of the output before a stream's first piece; null until the first call of `next` or `cut`. */
  #before: Before | null = null;

  /** Marks missing output, after which the next word of each stream may be the rest of a secret. */
  cut(): void {
    this.#streams.clear();
    this.#before = MISSING;
  }

  /** Returns the ranges to mask in the next piece of a stream; `seq`: seq of the first event in the piece. */
  next(stream: string, seq: number, piece: string): readonly Span[] {
    this.#before ??= seq > 1 ? MISSING : NOTHING_BEFORE;
    const secrets = this.#streams.get(stream) ?? new SecretStream(this.#before);
    this.#streams.set(stream, secrets);
    return secrets.next(piece);
  }
}
