// The text of a segment with secrets masked as in any other view of its process: separately in each stream,
// because output of another stream may split a secret.
import type { Stream } from '../../protocol/process.ts';
import { findSecrets, maskSpans, type Before } from '../../text/masking.ts';
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

/** `previous`: the segment before; null when it is missing, undefined when the text begins the recording. */
export function maskedText({ text, parts }: PartedText, previous: PartedText | null | undefined): string {
  const own = runsIn(parts, previous === null ? null : (previous ?? NOTHING));
  const pieces: { readonly start: number; readonly text: string }[] = [];
  for (const run of own) {
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
      run = { parts: [], before: isCutOff || !previous ? MISSING : endOf(previous, part.stream) };
      open.set(part.stream, run);
      runs.push(run);
    }
    run.parts.push(part);
  }
  return runs;
}

function endOf(previous: PartedText, stream: Stream): Before {
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
