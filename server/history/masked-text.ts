// The text of a segment with secrets masked as in any other view of its process: in each stream by itself, because
// output of another stream may part a secret.
import type { Stream } from '../../protocol/process.ts';
import { findSecrets, LONGEST_ANNOUNCEMENT, LONGEST_SECRET, maskSpans } from '../../text/masking.ts';

/** A piece of output in a text. */
export interface TextPart {
  readonly stream: Stream;
  readonly start: number;
  readonly end: number;
  /** Bytes of all output before it. */
  readonly offset: number;
}

export interface PartedText {
  readonly text: string;
  /** All of the text in order; empty for the text of a few frames. */
  readonly parts: readonly TextPart[];
}

/** Output of one stream without a gap. */
interface Run {
  readonly parts: TextPart[];
  /** The text before it, in which a secret may begin. */
  readonly before: string;
  /** True when the text before it is missing. */
  readonly isCutOff: boolean;
}

const BEFORE_CHARS = LONGEST_SECRET + LONGEST_ANNOUNCEMENT;

/** `previous`: the segment before; null when it is missing, undefined when the text begins the recording. */
export function maskedText({ text, parts }: PartedText, previous: PartedText | null | undefined): string {
  const own = runsIn(parts, previous === null ? null : (previous ?? NOTHING));
  const pieces: { readonly start: number; readonly text: string }[] = [];
  for (const run of own) {
    const output = run.parts.map(({ start, end }) => text.slice(start, end)).join('');
    const all = run.before + output;
    const { spans } = findSecrets(all, { cutOff: run.isCutOff ? 'letters' : null });
    const shown = maskSpans(all, spans);
    let at = run.before.length;
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

const NOTHING: PartedText = { text: '', parts: [] };

function runsIn(parts: readonly TextPart[], previous: PartedText | null): readonly Run[] {
  const runs: Run[] = [];
  const open = new Map<Stream, Run>();
  const last = previous?.parts.at(-1);
  let isCutOff = previous === null;
  let nextOffset = last && last.offset + last.end - last.start;
  for (const part of parts) {
    if (nextOffset !== undefined && part.offset !== nextOffset) {
      isCutOff = true;
      open.clear();
    }
    nextOffset = part.offset + part.end - part.start;
    let run = open.get(part.stream);
    if (!run) {
      const before = isCutOff || !previous ? '' : endOf(previous, part.stream);
      run = { parts: [], before, isCutOff };
      open.set(part.stream, run);
      runs.push(run);
    }
    run.parts.push(part);
  }
  return runs;
}

/** Returns the end of a stream. */
function endOf({ text, parts }: PartedText, stream: Stream): string {
  const pieces: string[] = [];
  let length = 0;
  for (let at = parts.length - 1; at >= 0 && length < BEFORE_CHARS; at -= 1) {
    const part = parts[at];
    if (part?.stream !== stream) continue;
    pieces.push(text.slice(part.start, part.end));
    length += part.end - part.start;
  }
  return pieces.reverse().join('').slice(-BEFORE_CHARS);
}
