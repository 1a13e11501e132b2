// The log as observers see it: secrets are masked byte for byte, so that seqs, sizes and gaps are unchanged.
import type { OutputEvent } from '../keeper/log-event.ts';
import type { LogView } from '../keeper/process-view.ts';
import type { Stream } from '../../protocol/process.ts';
import { findSecrets, maskSpans, type Before } from '../../text/masking.ts';
import type { Span } from '../../text/secret-spans.ts';
import { MISSING, NOTHING_BEFORE, textBefore } from '../../text/text-before.ts';
import { withoutControls } from '../../text/without-controls.ts';

interface Seen {
  /** The event with its secrets masked; null when it contains none. */
  readonly masked: OutputEvent | null;
  /** Text at the end of the event that may begin a secret, without control sequences. */
  readonly open: string;
}

/** Maximum number of events to search back: people cannot read a secret spread among more events of other streams. */
const MOST_EVENTS_BACK = 4096;

/**
 * Maximum size of the text of a stream that is searched at once, and maximum number of events from which it
 * is collected. Small events are searched together, because each search also reads the much longer text
 * before them.
 */
const RUN_BYTES = 64 * 1024;
const RUN_EVENTS = 4096;

const NOTHING_SEEN: Seen = { open: '', masked: null };

const logs = new WeakMap<LogView, RedactedLog>();

/** Returns the redacted view of a log; all observers share it, so that a chunk is not searched again for each. */
export function redacted(log: LogView): RedactedLog {
  const known = logs.get(log) ?? new RedactedLog(log);
  logs.set(log, known);
  return known;
}

/**
 * Returns a variant of `redacted` for consecutive parts of one log, each of which continues the search of the
 * part before.
 */
export function redactedInOrder(): (log: LogView) => RedactedLog {
  let earlier: RedactedLog | null = null;
  return (log) => {
    const next = redacted(log);
    if (earlier) next.continue(earlier);
    earlier = next;
    return next;
  };
}

export class RedactedLog {
  readonly #log: LogView;
  /** Results by seq while the event is retained, so that they stay the same when earlier text is evicted. */
  readonly #seen = new WeakMap<object, Map<number, Seen>>();
  /**
   * Seq of each stream's newest searched event, which may have been evicted since, and the text to search
   * together with later output.
   */
  readonly #newest = new Map<Stream, Before & { readonly seq: number }>();

  constructor(log: LogView) {
    this.#log = log;
  }

  /** Continues the search of an earlier part of the log, if its newest searched events adjoin or are in this part. */
  continue(earlier: RedactedLog): void {
    const { firstSeq, nextSeq } = this.#log;
    for (const [stream, before] of earlier.#newest)
      if (before.seq >= firstSeq - 1 && before.seq < nextSeq) this.#newest.set(stream, before);
  }

  /**
   * Returns the event with its secrets masked, or the event itself when it contains none; the same object each time
   * while the event is retained.
   */
  see(event: OutputEvent): OutputEvent {
    return this.#look(event).masked ?? event;
  }

  /** Returns the newest retained output with secrets masked, like `LogView.tail`. */
  tail(bytes: number): Buffer {
    this.#log.seal();
    const { firstSeq, nextSeq } = this.#log;
    let length = 0;
    let from = nextSeq;
    while (from > firstSeq && length < bytes) {
      from -= 1;
      const event = this.#log.at(from);
      if (event?.kind === 'output') length += event.bytes.length;
    }
    const pieces: Buffer[] = [];
    // Events are read in order, so that the text before each has already been searched.
    for (let seq = from; seq < nextSeq; seq += 1) {
      const event = this.#log.at(seq);
      if (event?.kind === 'output') pieces.push(this.see(event).bytes);
    }
    return Buffer.concat(pieces, length).subarray(Math.max(0, length - bytes));
  }

  /** End of the newest output if it may begin a secret; otherwise empty. */
  get open(): string {
    this.#log.seal();
    for (let seq = this.#log.nextSeq - 1; seq >= this.#log.firstSeq; seq -= 1) {
      const event = this.#log.at(seq);
      if (event?.kind === 'output') return this.#look(event).open;
    }
    return '';
  }

  #look(event: OutputEvent): Seen {
    return this.#known(event.seq) ?? this.#search(event, this.#runAfter(event));
  }

  /** Returns the later events of the same stream to search with this one, up to one with a known result or a limit. */
  #runAfter(event: OutputEvent): readonly OutputEvent[] {
    const run: OutputEvent[] = [];
    let length = event.bytes.length;
    const end = Math.min(this.#log.nextSeq, event.seq + RUN_EVENTS);
    for (let seq = event.seq + 1; seq < end && length < RUN_BYTES; seq += 1) {
      const next = this.#log.at(seq);
      if (next?.kind !== 'output' || next.stream !== event.stream) continue;
      if (this.#known(seq)) break;
      run.push(next);
      length += next.bytes.length;
    }
    return run;
  }

  /**
   * Searches an event and those after it in its stream, and stores the results of those still retained; returns the
   * result of the first.
   */
  #search(first: OutputEvent, others: readonly OutputEvent[]): Seen {
    const run = [first, ...others];
    const last = others.at(-1) ?? first;
    const { text: before, cutOff } = this.#before(first);
    const text = before + Buffer.concat(run.map(({ bytes }) => bytes)).toString('latin1');
    const { spans, open: lastOpen, rest } = findSecrets(text, { cutOff, isBytes: true });
    const shown = spans.length === 0 ? text : maskSpans(text, spans);
    let at = before.length;
    const seen = run.map((event): Seen => {
      const from = at;
      at += event.bytes.length;
      const own = shown.slice(from, at);
      const masked = own === text.slice(from, at) ? null : { ...event, bytes: Buffer.from(own, 'latin1') };
      const open = event === last ? lastOpen : '';
      return masked || open !== '' ? { open, masked } : NOTHING_SEEN;
    });
    for (const [place, each] of run.entries()) this.#keep(each.seq, seen[place] ?? NOTHING_SEEN);
    const { seq, stream } = last;
    if (seq > (this.#newest.get(stream)?.seq ?? 0)) this.#newest.set(stream, { seq, ...rest() });
    return seen[0] ?? NOTHING_SEEN;
  }

  #known(seq: number): Seen | undefined {
    const segment = this.#log.segmentOf(seq);
    return segment && this.#seen.get(segment)?.get(seq);
  }

  #keep(seq: number, seen: Seen): void {
    const segment = this.#log.segmentOf(seq);
    if (!segment) return;
    const known = this.#seen.get(segment) ?? new Map<number, Seen>();
    known.set(seq, seen);
    this.#seen.set(segment, known);
  }

  /** Returns the preceding text of the same stream in which a secret may begin. */
  #before({ seq, stream }: OutputEvent): Before {
    const { firstSeq } = this.#log;
    const oldest = Math.max(firstSeq, seq - MOST_EVENTS_BACK);
    let previous = seq - 1;
    while (previous >= oldest && !this.#isOf(stream, previous)) previous -= 1;
    if (previous < oldest && oldest > firstSeq) return NOTHING_BEFORE;
    const newest = this.#newest.get(stream);
    // The search may continue even after the event that was evicted last (`oldest - 1`).
    const searched = newest && newest.seq < seq && newest.seq >= oldest - 1 ? newest : null;
    return textBefore(
      this.#textsBefore(previous, searched?.seq ?? oldest - 1, stream),
      searched ?? (oldest > 1 ? MISSING : NOTHING_BEFORE),
      this.#known(previous)?.open.length,
    );
  }

  /** Yields the text of each event of the stream, newest first. */
  *#textsBefore(newest: number, after: number, stream: Stream): Generator<string> {
    for (let at = newest; at > after; at -= 1) {
      const event = this.#log.at(at);
      if (event?.kind === 'output' && event.stream === stream) yield event.bytes.toString('latin1');
    }
  }

  #isOf(stream: Stream, seq: number): boolean {
    const event = this.#log.at(seq);
    return event?.kind === 'output' && event.stream === stream;
  }
}

/**
 * Returns output for a terminal with secrets masked, including those in the open end of the log, wherever the output
 * draws that end.
 */
export function redactedBytes(data: Uint8Array, open: string): Buffer {
  const text = Buffer.from(data.buffer, data.byteOffset, data.length).toString('latin1');
  return Buffer.from(redactedText(text, open, true), 'latin1');
}

/**
 * Returns the text with secrets masked, including those in the last occurrence of `open`, whatever their colours.
 * `isBytes`: the text has one character per byte.
 */
export function redactedText(text: string, open: string, isBytes = false): string {
  const { spans: found } = findSecrets(text, { isWhole: true, cutOff: 'lines', isBytes });
  const known = maskSpans(text, found);
  if (open === '') return known;
  const word = withoutControls(open)?.plain ?? open;
  const shown = withoutControls(text);
  const spans = spansOfOpen(shown?.plain ?? text, word);
  return maskSpans(known, shown ? spans.flatMap(shown.spread) : spans);
}

/**
 * Returns the spans of the last printed word that must be masked. A snapshot may draw its last letter at the very end,
 * since a combining mark may still follow it.
 */
function spansOfOpen(plain: string, word: string): Span[] {
  const isApart = plain.endsWith(word.slice(-1));
  const whole = plain.lastIndexOf(word);
  const at = whole < 0 && isApart ? plain.lastIndexOf(word.slice(0, -1)) : whole;
  if (at < 0) return [];
  return findSecrets(word).spans.flatMap(({ start, end }) => [
    { start: at + start, end: at + Math.min(end, whole < 0 ? word.length - 1 : end) },
    ...(isApart && end === word.length ? [{ start: plain.length - 1, end: plain.length }] : []),
  ]);
}
