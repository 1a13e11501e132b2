// The text of a segment with secrets masked as in any other view of its process: separately in each stream,
// because output of another stream may split a secret.
import type { Stream } from '../../protocol/process.ts';
import { findSecrets, LONGEST_SECRET, maskSpans, type Before } from '../../text/masking.ts';
import { MISSING, NOTHING_BEFORE, textBefore } from '../../text/text-before.ts';

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
  readonly parts: TextPart[];
  /** The text before the run, in which a secret may begin. */
  readonly before: Before;
}

/** Text after a range that is searched for the end of a secret. */
const AFTER_BYTES = 64 * 1024;

/** The segment before; null when it is missing, undefined when the text begins the recording. */
export type Previous = PartedText | null | undefined;

/** Returns the text of a segment with its secrets masked. */
export function maskedText({ text, parts }: PartedText, previous: Previous): string {
  return maskedRuns(
    text,
    runsIn(parts, endOf(previous?.parts), (stream) => beforeIn(previous, stream)),
  );
}

/** Returns the part of the masked text from `start` to `end`, which takes less time than all of it. */
export function maskedRange(
  { text, parts }: PartedText,
  previous: Previous,
  { start, end }: { readonly start: number; readonly end: number },
): string {
  const whole = clipped(parts, 0, start);
  const gap = whole.findLastIndex((part, at) => at > 0 && part.offset !== endOf([whole[at - 1] ?? part]));
  const earlier = { text, parts: whole.slice(Math.max(0, gap)) };
  const lastOffset = endOf(previous?.parts);
  const isCut = gap > 0 || (lastOffset !== undefined && lastOffset !== whole[0]?.offset);
  const beforeOf = (stream: Stream): Before => {
    const oldest = isCut && whole.length > 0 ? MISSING : beforeIn(previous, stream);
    return textBefore(textsOf(earlier, stream), oldest, LONGEST_SECRET, Infinity);
  };
  const runs = runsIn(clipped(parts, start, end + AFTER_BYTES), endOf(whole) ?? lastOffset, beforeOf);
  return maskedRuns(text, runs).slice(0, end - start);
}

/** Returns the parts of a text between two places. */
const clipped = (parts: readonly TextPart[], from: number, to: number): readonly TextPart[] =>
  parts
    .filter(({ start, end }) => start < to && end > from)
    .map((part) => {
      const start = Math.max(part.start, from);
      return { ...part, start, end: Math.min(part.end, to), offset: part.offset + start - part.start };
    });

/** Returns the bytes of all output up to the end of the last part; undefined without parts. */
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
    const { spans } = findSecrets(all, { cutOff });
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

/**
 * Returns the runs in the parts. `nextOffset`: offset at which the text before the parts ends, if there is any;
 * `beforeOf` returns that text of a stream.
 */
function runsIn(
  parts: readonly TextPart[],
  nextOffset: number | undefined,
  beforeOf: (stream: Stream) => Before,
): readonly Run[] {
  const runs: Run[] = [];
  const open = new Map<Stream, Run>();
  let isCutOff = false;
  let expected = nextOffset;
  for (const part of parts) {
    if (expected !== undefined && part.offset !== expected) {
      isCutOff = true;
      open.clear();
    }
    expected = part.offset + part.end - part.start;
    let run = open.get(part.stream);
    if (!run) {
      run = { parts: [], before: isCutOff ? MISSING : beforeOf(part.stream) };
      open.set(part.stream, run);
      runs.push(run);
    }
    run.parts.push(part);
  }
  return runs;
}

/** Returns the end of a stream in the previous segment. */
function beforeIn(previous: Previous, stream: Stream): Before {
  if (previous === null) return MISSING;
  if (previous === undefined) return NOTHING_BEFORE;
  // The previous segment may follow an earlier one, whose text is missing here.
  return textBefore(
    textsOf(previous, stream),
    (previous.parts[0]?.offset ?? 0) > 0 ? MISSING : NOTHING_BEFORE,
  );
}

/** Yields the pieces of a stream, newest first. */
function* textsOf({ text, parts }: PartedText, stream: Stream): Generator<string> {
  for (const part of parts.toReversed()) if (part.stream === stream) yield text.slice(part.start, part.end);
}
