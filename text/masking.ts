// Finds secrets in text, complete or still incomplete, and masks them with the same number of characters.
import { CUT } from './cut.ts';
import { MOST_RECOGNIZED } from './secret-shapes.ts';
import {
  ANCHORS,
  findIn,
  LONGEST_ANNOUNCEMENT,
  MOST_TRACKED,
  type FoundSpans,
  type Span,
} from './secret-spans.ts';
import { EIGHT_BIT, withoutControls, type ControlString } from './without-controls.ts';
import { xtermReading } from './xterm-reading.ts';

export interface Found {
  readonly spans: readonly Span[];
  /** Start of the part that later text may complete into a secret; the text's length if there is none. */
  readonly openFrom: number;
  /** Text of that part as it is shown, without control sequences. */
  readonly open: string;
  /** Returns the text to search together with later text; its length is limited, whatever sequences it contained. */
  readonly rest: () => Before;
}

/** Text that precedes the text to search. */
export interface Before {
  readonly text: string;
  /** Kind of cut, as in `Where`; null if nothing is missing. */
  readonly cutOff: 'letters' | 'sequence' | null;
}

/** Last bytes of a character whose first byte is missing, in output decoded as Latin-1. */
export const CUT_CHARACTER = /^[\u0080-\u00bf]{1,3}/;

export interface Where {
  /** True when no more text follows. */
  readonly isWhole?: boolean;
  /**
   * Kind of cut when earlier text is missing: rows above a screen (`lines`), an eviction at any letter
   * (`letters`), or text that may have begun a sequence (`sequence`).
   */
  readonly cutOff?: 'lines' | Before['cutOff'];
  /** True for bytes decoded as Latin-1; some may not be valid UTF-8. */
  readonly isBytes?: boolean;
}

/**
 * Finds the secrets in a text. An end that may be the start of a secret is masked unless `isWhole`, to be on
 * the safe side.
 */
export const findSecrets = (printed: string, where: Where = {}): Found => find(printed, where, true);

/** `isOutput`: also search the contents of control strings; false for such contents, since strings are not nested. */
function find(
  printed: string,
  { isWhole = false, cutOff = null, isBytes = false }: Where,
  isOutput: boolean,
): Found {
  const text =
    cutOff === 'letters' ? printed.replace(CUT_CHARACTER, (cut) => '\u0000'.repeat(cut.length)) : printed;
  // Sequences are removed, because a word may be printed in several colours, and a terminal's lines end with colour
  // sequences.
  const shown = withoutControls(text);
  // Gaps replace the sequences here, because a secret may also begin right after a sequence that follows a letter.
  const found = findIn(shown?.gapped() ?? text, isWhole);
  // The unchanged text is searched, too, because some readers show an unfinished string, or a sequence of a stray 8-bit
  // byte, as text.
  const raw = shown && findIn(text, isWhole);
  const plain = shown?.plain ?? text;
  const more = shown && findIn(plain, isWhole, shown.isAfterGap);
  const other = shown?.hasLooseRepeats ? withoutControls(text, 'xterm') : null;
  const repeated = other && findIn(other.plain, isWhole, other.isAfterGap).spans.flatMap(other.spread);
  const xterm = xtermReading(text, shown, { isWhole, isBytes });
  const strings =
    shown && isOutput ? shown.strings.map((each) => inString(text, each, { isWhole, isBytes })) : [];
  const firstEnd = shown?.firstEnd ?? null;
  const rests = [...cutRests(plain, cutOff, firstEnd), ...keyRests(plain)];
  const openPrinted = Math.min(found.openFrom, raw?.openFrom ?? text.length, xterm?.openFrom ?? text.length);
  let openFrom = Math.min(more?.openFrom ?? plain.length, shown?.plainAt(openPrinted) ?? openPrinted);
  // A secret whose start was cut off may continue after the end.
  const openRest =
    isWhole || cutOff === 'lines'
      ? undefined
      : rests.find(
          ({ start, end }) => end === plain.length && start <= openFrom && end - start <= MOST_TRACKED,
        );
  if (openRest) openFrom = openRest.start;
  const inPlain = [...(more?.spans ?? []), ...rests.filter(({ start, end }) => start < end)];
  // Only the last string can be open.
  const openString = strings.at(-1)?.openFrom ?? text.length;
  const isOpenInXterm = xterm !== null && xterm.openFrom <= (shown?.places[openFrom] ?? text.length);
  return {
    spans: [
      ...found.spans,
      ...(raw?.spans ?? []).flatMap((span) => aroundControls(text, span)),
      ...(shown ? inPlain.flatMap(shown.spread) : inPlain),
      ...(repeated ?? []),
      ...(xterm?.spans ?? []),
      ...strings.flatMap(({ spans }) => spans),
    ],
    openFrom: Math.min(openString, shown ? (shown.places[openFrom] ?? text.length) : openFrom),
    open: isOpenInXterm && xterm.open !== '' ? xterm.open : plain.slice(openFrom),
    rest() {
      const from = openRest ? openFrom : Math.max(0, openFrom - LONGEST_ANNOUNCEMENT);
      const tail = Math.max(0, Math.min(openPrinted, openString) - LONGEST_ANNOUNCEMENT);
      const place = Math.min(shown ? (shown.places[from] ?? tail) : from, xterm?.restFrom ?? text.length);
      const still = cutOff === 'letters' && from > 0 ? 'sequence' : cutOff;
      const last = text.slice(place);
      const rest =
        isOpenInXterm && !openRest
          ? () => xterm.rest(tail)
          : () => shown?.rest(from, tail) ?? text.slice(from);
      return {
        text: last.length > LONGEST_REST ? rest() : last,
        cutOff: openRest ? 'letters' : firstEnd !== null || still === 'lines' ? null : still,
      };
    },
  };
}

/**
 * Returns the parts of the span around its 8-bit controls, which stay, because they decide how the text after them is
 * read.
 */
function aroundControls(text: string, { start, end }: Span): readonly Span[] {
  const pieces: Span[] = [];
  let from = start;
  for (const { index, 0: control } of text.slice(start, end).matchAll(EIGHT_BIT)) {
    pieces.push({ start: from, end: start + index });
    from = start + index + control.length;
  }
  return [...pieces, { start: from, end }].filter((piece) => piece.start < piece.end);
}

/** Maximum length of text that is searched again as printed; longer text is searched without its sequences. */
const LONGEST_REST = 32 * 1024;

/** Matches printable ASCII, the content of most strings, in which no invisible character separates letters. */
const PLAIN = /^[ -~]*$/;

/** Matches the parameters at the start of a string and the letter after them. */
// oxlint-disable-next-line no-control-regex -- a terminal skips controls among the parameters
const INTRODUCER = /^[\u0000-?]*[@-~]/;

/** Finds the secrets in the content of a string; no secret continues after the end of the string. */
function inString(
  text: string,
  { start, end, hasEnded }: ControlString,
  { isWhole, isBytes }: Required<Pick<Where, 'isWhole' | 'isBytes'>>,
): FoundSpans {
  const content = text.slice(start, end);
  if (hasEnded && PLAIN.test(content) && !mayHaveSecrets(content))
    return { spans: [], openFrom: text.length };
  const spans: Span[] = [];
  let openFrom = text.length;
  // A letter may end the introducer of the string, as in a DCS, or be the first letter of its content.
  for (const from of new Set([0, INTRODUCER.exec(content)?.[0].length ?? 0])) {
    const found = find(content.slice(from), { isWhole: isWhole || hasEnded, isBytes }, false);
    const offset = start + from;
    spans.push(...found.spans.map((span) => ({ start: offset + span.start, end: offset + span.end })));
    if (offset + found.openFrom < end) openFrom = Math.min(openFrom, offset + found.openFrom);
  }
  return { spans, openFrom };
}

/** A full line of a private key, without other text on it. */
const KEY_LINES = String.raw`(?:[A-Za-z0-9+/=]{60,76}(?:\s{1,4}|$))`;
const CUT_OFF = {
  lines: new RegExp(
    String.raw`^\s{0,4}(?:[A-Za-z0-9+/=]{1,76}\s{1,4})?(?:${KEY_LINES}{2,200}(?:[A-Za-z0-9+/=]{1,76}(?=\s{0,4}$))?|[A-Za-z0-9+/=]{120,${MOST_RECOGNIZED}})`,
  ),
  letters: new RegExp(
    String.raw`^[^\u0000-\u0020\u007f]{0,4096}(?:\s{1,4}(?:${KEY_LINES}{1,200}(?:[A-Za-z0-9+/=]{1,76}$)?)?)?`,
  ),
};
/**
 * Rest of a sequence whose start is missing, up to a blank in it, as in `ESC SP F` and `ESC [ 1 SP q`. Behind
 * parameters only `q`, the shape of the cursor, counts, since a number and a blank are usually text.
 */
const REST_OF_SEQUENCE = /^(?:[0-9;:]{1,32} (?=q)| {1,8})/;
const KEY_END = /-----END [A-Z ]{0,40}PRIVATE KEY/g;
/** `KEY_END` is the end of a secret whose start may be missing. */
const STARTS_OR_END = new RegExp(`${ANCHORS.source}|${KEY_END.source}`);
const KEY_LETTER = /[A-Za-z0-9+/=\s\\]/;

/** Finds what may be the rest of a secret: right after the cut, and after a sequence that may have begun before it. */
function cutRests(text: string, cutOff: Where['cutOff'], firstEnd: number | null): Span[] {
  if (!cutOff) return [];
  const ends = firstEnd === null || cutOff === 'lines' ? [] : [firstEnd];
  const starts = cutOff === 'sequence' ? ends : [0, ...ends];
  const { [cutOff === 'lines' ? 'lines' : 'letters']: expression } = CUT_OFF;
  return starts.map((start) => {
    const mayBeInSequence = cutOff === 'letters' && start === 0;
    const from = start + ((mayBeInSequence && REST_OF_SEQUENCE.exec(text)?.[0].length) || 0);
    return { start, end: from + (expression.exec(text.slice(from))?.[0].length ?? 0) };
  });
}

/** Finds ends of private keys whose beginning is missing. */
function keyRests(text: string): Span[] {
  const rests: Span[] = [];
  for (const { index } of text.matchAll(KEY_END)) {
    let start = index;
    while (start > 0 && index - start < MOST_RECOGNIZED && KEY_LETTER.test(text.charAt(start - 1)))
      start -= 1;
    // A key with its beginning was found already.
    const before = text.slice(Math.max(0, start - LONGEST_ANNOUNCEMENT), start);
    if (before.lastIndexOf('-----BEGIN ') <= before.lastIndexOf('-----END '))
      rests.push({ start, end: index });
  }
  return rests;
}

const COVER = '*';

/**
 * Returns the text with secrets masked by the same number of characters; spaces and C0 controls within a
 * secret stay.
 */
export function maskSpans(text: string, spans: readonly Span[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start)) {
    if (end <= at) continue;
    const from = Math.max(start, at);
    // oxlint-disable-next-line no-control-regex -- whitespace and controls are not masked
    pieces.push(text.slice(at, from), text.slice(from, end).replaceAll(/[^\u0000-\u0020]/g, COVER));
    at = end;
  }
  return pieces.join('') + text.slice(at);
}

/**
 * Returns true for every complete text without sequences that has a secret, and false for most others; much faster than
 * masking.
 */
export const mayHaveSecrets = (text: string): boolean => text.search(STARTS_OR_END) >= 0;

/** Masks a complete text. It may be cut at each `…`, so the start of a secret before a `…` is masked too. */
export function masked(text: string): string {
  const { spans } = findSecrets(text, { isWhole: true });
  const begun = text.includes(CUT) ? begunAtCuts(text) : [];
  return spans.length + begun.length === 0 ? text : maskSpans(text, [...spans, ...begun]);
}

function begunAtCuts(text: string): readonly Span[] {
  let at = 0;
  const pieces = text.split(CUT).slice(0, -1);
  return pieces.flatMap((piece) => {
    const from = at;
    at += piece.length + CUT.length;
    return findSecrets(piece).spans.map(({ start, end }) => ({ start: from + start, end: from + end }));
  });
}
