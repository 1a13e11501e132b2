// Secrets in output as xterm.js draws it, where it may read the output differently than other terminals.
import { findIn, LONGEST_ANNOUNCEMENT, type FoundSpans, type Span } from './secret-spans.ts';
import { asBytes, bytesOfUnit, decodedText, isUtf8, type DecodedText } from './utf8-text.ts';
import { BEYOND_ASCII, withoutControls, type WithoutControls } from './without-controls.ts';

/** Places are those of the printed text; for the other members, see `Found`. */
export interface XtermReading extends FoundSpans {
  readonly open: string;
  /** Place from which the printed text has to be searched together with later text. */
  readonly restFrom: number;
  /** Returns a short text for the printed text from `restFrom` on; for `tail`, see `WithoutControls.rest`. */
  readonly rest: (tail: number) => string;
}

interface Options {
  readonly isWhole: boolean;
  readonly isBytes: boolean;
}

/** Returns null where `shown`, the common reading, holds for xterm.js, too. */
export function xtermReading(
  printed: string,
  shown: WithoutControls | null,
  { isWhole, isBytes }: Options,
): XtermReading | null {
  const read = readingOf(printed, shown, isBytes);
  if (read === null) return null;
  const { own, text, places } = read;
  const placeOf = (at: number): number => {
    const place = own.places[at];
    return place === undefined ? printed.length : (places?.[place] ?? place);
  };
  const isAfterGap = (at: number): boolean =>
    at > 0 && placeOf(at) > placeOf(at - 1) + bytesAt(own.plain, at - 1, isBytes);
  const { spans, openFrom } = findIn(own.plain, isWhole, isAfterGap);
  const from = Math.max(0, openFrom - LONGEST_ANNOUNCEMENT);
  const encoded = isBytes ? asBytes : (plain: string): string => plain;
  return {
    spans: spans.flatMap(own.spread).flatMap((span) => printedSpans(text, places, span)),
    openFrom: placeOf(openFrom),
    open: encoded(own.plain.slice(openFrom)),
    restFrom: placeOf(from),
    rest: (tail) => encoded(own.rest(from, Math.max(0, text.length - printed.length + tail))),
  };
}

/** Returns the number of letters that a terminal shows at least, so that enough text before a secret is searched. */
export function fewestLetters(bytes: string): number {
  const shown = withoutControls(bytes);
  return Math.min(
    shown?.plain.length ?? bytes.length,
    readingOf(bytes, shown, true)?.own.plain.length ?? Infinity,
  );
}

function readingOf(
  printed: string,
  shown: WithoutControls | null,
  isBytes: boolean,
): { readonly own: WithoutControls; readonly text: string; readonly places: Uint32Array | null } | null {
  if (shown?.isDoubtful !== true && (!isBytes || !BEYOND_ASCII.test(printed) || isUtf8(printed))) return null;
  const decoded: DecodedText | null = isBytes ? decodedText(printed) : null;
  const text = decoded?.text ?? printed;
  const own = withoutControls(text, 'xterm.js');
  return { own, text, places: decoded?.places ?? null };
}

const bytesAt = (text: string, at: number, isBytes: boolean): number =>
  isBytes ? bytesOfUnit(text.charCodeAt(at)) : 1;

/** Returns the parts of the printed text for a span of the decoded text, without the bytes that are not shown. */
function printedSpans(text: string, places: Uint32Array | null, span: Span): readonly Span[] {
  if (places === null) return [span];
  const pieces: Span[] = [];
  for (let at = span.start; at < span.end; at += 1) {
    const start = places[at] ?? 0;
    let end = start;
    for (; at < span.end && places[at] === end; at += 1) end += bytesAt(text, at, true);
    at -= 1;
    pieces.push({ start, end });
  }
  return pieces;
}
