// Extracts the text that a terminal shows from printed text, with the position of each letter.
import { noCellSource } from './no-cell.ts';
import { cellsOf } from './characters.ts';
import type { Span } from './secret-spans.ts';
import { UTF16 } from './utf8-text.ts';
import { hasExecuted, isReadDifferently, XTERM_MOVES, XTERM_SEQUENCES } from './xterm-sequences.ts';

export interface WithoutControls {
  readonly plain: string;
  /** Index in the printed text of each letter of `plain`. */
  readonly places: Uint32Array;
  /** Returns the index in `plain` of the first letter at or after an index in the printed text. */
  readonly plainAt: (place: number) => number;
  /** Returns true if a sequence or control precedes the letter at an index of `plain`. */
  readonly isAfterGap: (at: number) => boolean;
  /**
   * Returns the parts of the printed text for a span of `plain`, without sequences but with overprinted
   * letters.
   */
  readonly spread: (span: Span) => Span[];
  /** True if xterm.js, which the page uses, may show other text. */
  readonly isDoubtful: boolean;
  /** True if a repetition (REP) follows a sequence, after which only some terminals repeat the letter. */
  readonly hasLooseRepeats: boolean;
  /** Returns the printed text with each character of a sequence or control replaced by NUL. */
  readonly gapped: () => string;
  /**
   * Index in `plain` of the first sequence or control at which a sequence that began before the text may end;
   * null if there is none.
   */
  readonly firstEnd: number | null;
  /** Contents of strings, such as titles and addresses of links, in the printed text. */
  readonly strings: readonly ControlString[];
  /**
   * Returns a short text that can replace the text from an index of `plain` on when later text is searched
   * with it. Of an incomplete sequence, it contains the printed text from `tail` on.
   */
  readonly rest: (from: number, tail: number) => string;
}

/**
 * Terminal whose rules count. `xterm` repeats a letter (REP) across other sequences. `xterm.js`, which needs decoded
 * text, ends some strings earlier and moves the cursor less often.
 */
export type Terminal = 'common' | 'xterm' | 'xterm.js';

/** Content of a string; `hasEnded` is false when it may go on after the text. */
export interface ControlString extends Span {
  readonly hasEnded: boolean;
}

/** Maximum number of copies per REP; no secret has so many equal letters in a row. */
const MOST_REPEATS = 255;
/** Maximum number of letters produced by all REPs together, per letter of the text. */
const REPEATED_PER_LETTER = 4;

/** Text before a C1 control in bytes decoded as Latin-1: the UTF-8 lead byte C2, or no byte of a UTF-8 sequence. */
const C1 = String.raw`(?:\u00c2|(?<![\u0080-\u00f4]))`;
/** Controls that a terminal executes inside a sequence, and DEL, which it ignores there; none ends the sequence. */
const EXECUTED = String.raw`\u0000-\u0017\u0019\u001c-\u001f\u007f`;
const ESC = String.raw`\u001b[${EXECUTED}]*`;
/** Parameters of a CSI sequence; characters in a wrong order do not end the sequence either. */
const PARAMETERS = String.raw`[ -?${EXECUTED}]*`;
const C1_CONTROLS = [
  String.raw`${C1}[\u0090\u0098\u009d-\u009f][^\u0007\u0018\u001a\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?`,
  String.raw`${C1}\u009b${PARAMETERS}[@-~]?`,
  String.raw`${C1}[\u0080-\u009f]`,
].join('|');

/** 8-bit controls, and whole 8-bit sequences for colours. */
export const EIGHT_BIT = new RegExp(String.raw`${C1}(?:\u009b[\d;:]*m|[\u0080-\u009f])`, 'g');

/** First character at which a sequence that began before the text may end. */
export const SEQUENCE_END = new RegExp(String.raw`[\u0007\u0018\u001a\u001b]|${C1}[\u0080-\u009f]`);

const C0 = String.raw`[\u0000-\u0008\u000e-\u001f\u007f]`;
/** Quick check: most text contains none of these. */
const ANY = new RegExp(`${C0}|[\\u0080-\\uffff]`);

/** OSC and other strings, CSI, and short sequences, also if incomplete. */
const SEQUENCES = String.raw`${ESC}[\]PX^_][^\u0007\u0018\u001a\u001b]*(?:\u0007|\u001b\\)?|${ESC}\[${PARAMETERS}[@-~]?|\u001b[ -/${EXECUTED}]*[0-~]?`;

/** Expressions, compiled on first use. */
let controls: { readonly all: RegExp; readonly xtermJs: RegExp; readonly noCell: RegExp } | null = null;
function expressions(): NonNullable<typeof controls> {
  if (controls === null) {
    const noCell = noCellSource();
    controls = {
      all: new RegExp([SEQUENCES, C0, C1_CONTROLS, noCell].join('|'), 'g'),
      xtermJs: new RegExp([XTERM_SEQUENCES, C0, noCell].join('|'), 'g'),
      noCell: new RegExp(`^(?:${noCell})$`),
    };
  }
  return controls;
}

/**
 * Sequences that move the cursor elsewhere; after other sequences, such as colours, the next letter is adjacent to
 * the last.
 */
const MOVES =
  // oxlint-disable-next-line no-control-regex -- these are control sequences
  /^(?:\u001b[8DEMc]|\u00c2?[\u0084\u0085\u008d]|(?:\u001b\[|\u00c2?\u009b)[\d:;]*[A-ILMSTZ`adefru])$/;
const IN_SEQUENCE = new RegExp(`[${EXECUTED}]+`, 'g');
const AFTER_ESC = new RegExp(`^${ESC}`);

/** Returns a sequence without the controls that a terminal executes inside it. */
const withoutExecuted = (sequence: string): string => sequence.replace(IN_SEQUENCE, '');

const STRING_START = new RegExp(String.raw`^(?:${ESC}[\]PX^_]|\u00c2?[\u0090\u0098\u009d-\u009f])`);
/* oxlint-disable no-control-regex -- these are control sequences */
const STRING_END = /(?:\u0007|\u001b\\)$/;
/** End of a string that began with an 8-bit control; in one that began with ESC, `\u009c` is part of a character. */
const EIGHT_BIT_END = /(?:\u0007|\u001b\\|\u009c)$/;
/** Incomplete sequence other than a string. */
const BEGUN = /^(\u001b\[|\u00c2?\u009b)([0-?]*)([ -/][ -?]*)?$|^\u001b[ -/]*$/;
/* oxlint-enable no-control-regex */
/** Maximum number of characters of a sequence's parameters that can have an effect. */
const MOST_PARAMETERS = 32;

const BACKSPACE = '\b';
export const BEYOND_ASCII = /[\u0080-\uffff]/;
const LINE_FEED = 0x0a;
const SPACE = 0x20;

/** Repeats the last letter (REP); the first parameter is the count. */
// oxlint-disable-next-line no-control-regex -- these are control sequences
const REPEAT = /^(?:\u001b\[|\u00c2?\u009b)(\d*)(?:[;:][\d;:]*)?b$/;
const ALL_REPEATS = new RegExp(String.raw`[[\u009b][\d;:${EXECUTED}]*b`, 'g');

/** Returns the text without controls; null, except for `xterm.js`, when there is nothing to remove. */
export function withoutControls(text: string, terminal: 'xterm.js'): WithoutControls;
export function withoutControls(text: string, terminal?: Terminal): WithoutControls | null;
export function withoutControls(text: string, terminal: Terminal = 'common'): WithoutControls | null {
  if (terminal !== 'xterm.js' && !ANY.test(text)) return null;
  const { all, xtermJs, noCell } = expressions();
  const isXtermJs = terminal === 'xterm.js';
  let repeatsLeft = repeatsIn(text);
  const codes = new Uint16Array(text.length + repeatsLeft);
  const places = new Uint32Array(codes.length);
  const isControl = new Uint8Array(text.length);
  let length = 0;
  const add = (code: number, place: number): void => {
    codes[length] = code;
    places[length] = place;
    length += 1;
  };
  let from = 0;
  /** True if a letter was printed last, so that REP repeats it. */
  let afterLetter = false;
  /** Index in `plain` → number of times that only some terminals repeat the letter before it. */
  const looseRepeats = new Map<number, number>();
  let firstEnd: number | null = null;
  const strings: ControlString[] = [];
  let last = '';
  let isDoubtful = false;
  let hasBackspace = false;
  /** Removes what the next printed character overwrites: one cell, which may be half of the last letter. */
  const goBack = (): void => {
    hasBackspace = true;
    if (length === 0 || codes[length - 1] === LINE_FEED) return;
    length -= 1;
    if (!isXtermJs) return;
    const [high = 0, low = 0] = codes.subarray(Math.max(0, length - 1), length + 1);
    const isPair = length > 0 && high >= 0xd800 && high < 0xdc00 && low >= 0xdc00 && low < 0xe000;
    if (isPair) length -= 1;
    const code = isPair ? String.fromCharCode(high, low).codePointAt(0) : codes[length];
    if (cellsOf(code ?? 0) > 1) add(SPACE, places[length] ?? 0);
  };
  const take = (to: number): void => {
    if (from < to) afterLetter = text.charCodeAt(to - 1) >= SPACE;
    for (; from < to; from += 1) add(text.charCodeAt(from), from);
  };
  for (const { index, 0: sequence } of text.matchAll(isXtermJs ? xtermJs : all)) {
    take(index);
    from = index + sequence.length;
    isControl.fill(1, index, from);
    last = sequence;
    const content = contentOf(sequence);
    if (content !== null) {
      const { start, end } = content;
      // A string without its own end is ended by any sequence that follows.
      const hasEnded = end < sequence.length || from < text.length;
      strings.push({ start: index + start, end: index + end, hasEnded });
    }
    if (firstEnd === null && SEQUENCE_END.test(sequence)) firstEnd = length;
    const bare = withoutExecuted(sequence);
    const repeated = isXtermJs && hasExecuted(sequence) ? null : REPEAT.exec(bare);
    isDoubtful ||= isReadDifferently(sequence, bare, text.charCodeAt(from));
    // A backspace that a terminal executes within a sequence also moves the cursor.
    if (content === null && sequence.length > 1 && sequence.includes(BACKSPACE))
      for (const letter of sequence) if (letter === BACKSPACE) goBack();
    if (repeated) {
      const letter = codes[length - 1] ?? LINE_FEED;
      const times = Math.min(Math.max(1, Number(repeated[1])), MOST_REPEATS, repeatsLeft);
      if (!afterLetter) looseRepeats.set(length, times + (looseRepeats.get(length) ?? 0));
      if (length > 0 && letter >= SPACE && (afterLetter || terminal === 'xterm')) {
        repeatsLeft -= times;
        for (let time = 0; time < times; time += 1) add(letter, index);
      }
    }
    // A backspace by itself; those within a sequence are executed above.
    else if (sequence === BACKSPACE) goBack();
    else if ((isXtermJs ? XTERM_MOVES : MOVES).test(bare)) add(LINE_FEED, index);
    afterLetter &&= noCell.test(sequence);
  }
  if (from === 0 && !isXtermJs) return null;
  const begun = from === text.length ? last : '';
  take(text.length);
  return {
    plain: UTF16.decode(codes.subarray(0, length)),
    places: places.subarray(0, length),
    plainAt(place) {
      let at = length;
      while (at > 0 && (places[at - 1] ?? 0) >= place) at -= 1;
      return at;
    },
    isDoubtful: isDoubtful || (hasBackspace && BEYOND_ASCII.test(text)),
    isAfterGap: (at) => at > 0 && (places[at] ?? 0) > (places[at - 1] ?? 0) + 1,
    hasLooseRepeats: looseRepeats.size > 0,
    firstEnd,
    strings,
    gapped() {
      const pieces: string[] = [];
      let end = 0;
      for (let at = 0; at < text.length; at = end) {
        end = at + 1;
        while (end < text.length && isControl[end] === isControl[at]) end += 1;
        pieces.push(isControl[at] === 1 ? GAP.repeat(end - at) : text.slice(at, end));
      }
      return pieces.join('');
    },
    rest(start, tail) {
      const pieces: string[] = [];
      for (let at = start; at <= length; at += 1) {
        const isGap = at < length ? (places[at] ?? 0) > (places[at - 1] ?? 0) + 1 : !afterLetter;
        if (at > start && isGap) pieces.push(GAP);
        const times = at > start ? looseRepeats.get(at) : undefined;
        if (times !== undefined) pieces.push(`${GAP}\u001b[${Math.min(times, MOST_REPEATS)}b`);
        if (at < length) pieces.push(String.fromCharCode(codes[at] ?? 0));
      }
      return pieces.join('') + shortened(begun, Math.max(0, text.length - tail));
    },
    spread({ start, end }) {
      const first = start === 0 ? 0 : (places[start - 1] ?? 0) + 1;
      const last = places[end - 1] ?? first;
      const pieces: Span[] = [];
      for (let at = first; at <= last; at += 1) {
        if (isControl[at] === 1) continue;
        const piece = at;
        while (at < last && isControl[at + 1] !== 1) at += 1;
        pieces.push({ start: piece, end: at + 1 });
      }
      return pieces;
    },
  };
}

/** Returns the content of a string; null for other sequences. */
function contentOf(sequence: string): Span | null {
  // Most sequences are a single control, so the expression is rarely executed.
  const mayBegin = sequence.length > 1 || sequence >= '\u0080';
  const start = mayBegin ? STRING_START.exec(sequence)?.[0].length : undefined;
  if (start === undefined) return null;
  const ending = sequence.startsWith('\u001b') ? STRING_END : EIGHT_BIT_END;
  const end = ending.exec(sequence)?.index ?? sequence.length;
  return { start, end: Math.max(start, end) };
}

/** Control that replaces all sequences between two letters. */
const GAP = '\u0000';

/**
 * Returns a short equivalent of an incomplete sequence at the end of a text, or a character without a cell itself;
 * empty for a complete sequence.
 */
function shortened(printed: string, tailLength: number): string {
  const content = contentOf(printed);
  if (content) {
    const opener = printed.slice(0, content.start).replace(AFTER_ESC, (esc) => esc.slice(0, 1));
    const isEnded = content.end < printed.length;
    return isEnded ? '' : GAP + opener + printed.slice(content.start).slice(-tailLength);
  }
  const sequence = printed.replace(AFTER_ESC, (esc) => esc.slice(0, 1));
  const begun = BEGUN.exec(withoutExecuted(sequence));
  if (!begun) return expressions().noCell.test(sequence) ? sequence : '';
  const [, csi, parameters = '', more = ''] = begun;
  return csi === undefined
    ? GAP + sequence.slice(0, 2)
    : GAP + csi + parameters.replace(/^0+/, '').slice(0, MOST_PARAMETERS) + more.slice(0, 1);
}

/** Returns an upper bound of the number of letters that REPs produce. */
function repeatsIn(text: string): number {
  let sum = 0;
  for (const [repeat] of text.matchAll(ALL_REPEATS))
    sum += Math.min(Math.max(1, Number(/\d+/.exec(withoutExecuted(repeat)))), MOST_REPEATS);
  return Math.min(sum, REPEATED_PER_LETTER * text.length);
}
