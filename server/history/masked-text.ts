// The text of a segment with secrets masked as in any other view of its process: separately in each stream,
// because output of another stream may split a secret.
import type { Stream } from '../../protocol/process.ts';
import { findSecrets, maskSpans, type Before } from '../../text/masking.ts';
import { MISSING, MOST_BEFORE, NOTHING_BEFORE, textBefore } from '../../text/text-before.ts';

/** A piece of output in a text. */
export interface TextPart {
  readonly stream: Stream;
  readonly start: number;
  readonly end: number;
  /** Bytes of all output before the piece. */
  readonly offset: number;
}

export interface PartedText {
  readonly text: string;
  /** Pieces of the whole text in order; empty when only some frames were read. */
  readonly parts: readonly TextPart[];
}

/** Output of one stream without a gap. */
interface Run {
  readonly parts: readonly TextPart[];
  /** The text before the run, in which a secret may begin. */
  readonly before: Before;
}

/** Text after a range that is searched for the end of a secret. */
const AFTER_BYTES = 64 * 1024;

/** The previous segment; null when it is missing, undefined when the text begins the recording. */
export type Previous = PartedText | null | undefined;

export const maskedText = (segment: PartedText, previous: Previous): string =>
  maskedRuns(segment.text, runsOf(segment, previous));

/** Number of ranges that are masked one by one, before the whole text is. */
const MOST_RANGES = 2;

/**
 * Returns a function that reads a range of the masked text. It masks each of the first few ranges alone if the text
 * right before it suffices, and otherwise masks the whole text once.
 */
export function maskedRanges(
  segment: PartedText,
  previous: Previous,
): (range: { readonly start: number; readonly end: number }) => string {
  const { text } = segment;
  const runs = runsOf(segment, previous);
  let ranges = 0;
  let whole: string | null = null;
  return ({ start, end }) => {
    ranges += 1;
    const own =
      whole === null && ranges <= MOST_RANGES ? runs.map((run) => within(text, run, start, end)) : [null];
    if (own.every((run) => run !== null)) return maskedRuns(text, own).slice(0, end - start);
    whole ??= maskedRuns(text, runs);
    return whole.slice(start, end);
  };
}

/** Returns the part of a run in a range; null when more text before it is needed than `textBefore` collects. */
function within(text: string, { parts, before: oldest }: Run, start: number, end: number): Run | null {
  const earlier = clipped(parts, 0, start);
  const before = textBefore(textsOf({ text, parts: earlier }), oldest);
  const length = earlier.reduce((sum, part) => sum + part.end - part.start, 0);
  if (before.cutOff !== null && length >= MOST_BEFORE) return null;
  return { parts: clipped(parts, start, end + AFTER_BYTES), before };
}

/** Returns the parts of a text between two places. */
const clipped = (parts: readonly TextPart[], from: number, to: number): readonly TextPart[] =>
  parts
    .filter(({ start, end }) => start < to && end > from)
    .map((part) => {
      const start = Math.max(part.start, from);
      return { ...part, start, end: Math.min(part.end, to), offset: part.offset + start - part.start };
    });

/** Returns the number of bytes of all output up to the end of the last part; undefined without parts. */
function endOf(parts: readonly TextPart[] | undefined): number | undefined {
  const last = parts?.at(-1);
  return last && last.offset + last.end - last.start;
}

/** Returns the text of the runs, masked, in the order of its pieces. */
function maskedRuns(text: string, runs: readonly Run[]): string {
  const pieces: { readonly start: number; readonly text: string }[] = [];
  for (const run of runs) {
    const output = run.parts.map(({ start, end }) => text.slice(start, end)).join('');
    const { text: before, cutOff } = run.before;
    const all = before + output;
    const { spans } = findSecrets(all, { cutOff, isBytes: true });
    const shown = maskSpans(all, spans);
    let at = before.length;
    for (const { start, end } of run.parts) {
      pieces.push({ start, text: shown.slice(at, at + end - start) });
      at += end - start;
    }
  }
  return pieces
    .toSorted((one, other) => one.start - other.start)
    .map((piece) => piece.text)
    .join('');
}

function runsOf({ parts }: PartedText, previous: Previous): readonly Run[] {
  const runs: (Run & { readonly parts: TextPart[] })[] = [];
  const open = new Map<Stream, (typeof runs)[number]>();
  let isCutOff = false;
  // The first part must continue the previous segment, or begin at 0 if that segment has no output or this is the
  // first; otherwise, output is missing.
  let expected = previous === null ? undefined : (endOf(previous?.parts) ?? 0);
  for (const part of parts) {
    if (expected !== undefined && part.offset !== expected) {
      isCutOff = true;
      open.clear();
    }
    expected = part.offset + part.end - part.start;
    let run = open.get(part.stream);
    if (!run) {
      run = { parts: [], before: isCutOff ? MISSING : beforeIn(previous, part.stream) };
      open.set(part.stream, run);
      runs.push(run);
    }
    run.parts.push(part);
  }
  return runs;
}

/** Returns the text before the first run of a stream: the end of that stream in the previous segment. */
function beforeIn(previous: Previous, stream: Stream): Before {
  if (previous === null) return MISSING;
  if (previous === undefined) return NOTHING_BEFORE;
  const { text, parts } = previous;
  const afterGap = parts.findLastIndex(
    (part, at) => at > 0 && part.offset !== endOf(parts.slice(at - 1, at)),
  );
  const known = parts.slice(Math.max(0, afterGap)).filter((part) => part.stream === stream);
  // The previous segment may follow an earlier one, whose text is missing here.
  const isCutOff = afterGap > 0 || (parts[0]?.offset ?? 0) > 0;
  return textBefore(textsOf({ text, parts: known }), isCutOff ? MISSING : NOTHING_BEFORE);
}

/** Yields the text of each part, newest first. */
function* textsOf({ text, parts }: PartedText): Generator<string> {
  for (const part of parts.toReversed()) yield text.slice(part.start, part.end);
}
