// Extracts from a process's output what lists show: last line, title, and the terminal's requests for attention.
import type { EventLog } from './event-log.ts';
import { lastLine, LastOutput, type OutputEnd } from './last-line.ts';
import type { Attention, AttentionListener } from './process-view.ts';
import { TerminalHints } from './terminal-hints.ts';

const NO_ATTENTION: Attention = { bellAtMs: null, notification: null, progress: null };

export class ShownOutput {
  readonly #log: EventLog;
  readonly #lastOutput = new LastOutput();
  /** Null without a terminal. */
  readonly #hints: TerminalHints | null;
  #lastLine: { readonly line: string | null; readonly atBytes: number } = { line: null, atBytes: 0 };
  #lastOutputAtMs: number | null = null;

  constructor(log: EventLog, isTty: boolean, onAttention: AttentionListener) {
    this.#log = log;
    this.#hints = isTty ? new TerminalHints(onAttention) : null;
  }

  get isFullScreen(): boolean {
    return this.#hints?.isAlternateScreen ?? false;
  }
  get lastOutputAtMs(): number | null {
    return this.#lastOutputAtMs;
  }
  get attention(): Attention {
    return this.#hints?.attention ?? NO_ATTENTION;
  }
  get title(): string | null {
    return this.#hints?.title ?? null;
  }
  get lastLine(): string | null {
    if (this.isFullScreen) return null;
    this.readLastLine();
    return this.#lastLine.line;
  }
  get outputEnd(): OutputEnd {
    return this.#lastOutput.end;
  }

  /** Adds the next piece of output, which the log must already have. */
  take(bytes: Buffer, atMs = Date.now()): void {
    this.#lastOutputAtMs = atMs;
    this.#lastOutput.take(bytes);
    this.#hints?.scan(bytes, atMs);
  }

  /** Stores the last line, since the log may evict the output that contains it. */
  readLastLine(): void {
    const atBytes = this.#log.totalBytes;
    if (this.#lastLine.atBytes === atBytes) return;
    const { end } = this.#lastOutput;
    this.#lastLine = { line: lastLine(this.#log.tail(end.bytes), end) ?? this.#lastLine.line, atBytes };
  }
}
