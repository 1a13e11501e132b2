// Settings that evicted output has left in its terminal: modes, colours, scroll region, title. A screen
// continues with them if that output was never drawn. Only control sequences are parsed, which is cheaper
// than drawing a flood.
import { bytesWithEscapes } from '../../text/c1-escapes.ts';
import { KEY_REQUESTS, KeyReporting } from '../../text/key-reporting.ts';
import type { ScreenName } from './inside.ts';
import { Pen } from './pen.ts';
import { coloursOf } from './set-strings.ts';
import { UnendedSequence } from '../../text/unended-sequence.ts';

/**
 * Maximum characters of a retained open sequence. A longer one is replaced by an opening of the same kind, which the
 * terminal ignores, whatever follows.
 */
const OPEN_CHARS = 4096;
/** Maximum characters of all settings; beyond it the oldest are dropped. */
const STATE_CHARS = 16 * 1024;
/** Maximum number of pen sequences that are read from a piece, backwards from its end to the last reset. */
const PENS = 64;

const ESC = 0x1b;
/** First UTF-8 byte of C1 controls, and of some other characters. */
const LEAD = Buffer.of(0xc2);
const SO = 0x0e;
const SI = 0x0f;
const CSI = '\u001b[';
/** Sequence that resets all settings of key encodings. */
const ALL_LEVELS = '\u001b[<99u\u001b[>m\u001b[>f';
/* oxlint-disable no-control-regex -- these are control sequences */
/**
 * Matches sequences that set or reset modes, key encodings, scroll region and cursor shape; keypad and saved cursor;
 * character sets and their selection; titles, links, colours, progress and pointer shape. The pen is excluded,
 * because coloured output sets it too often.
 */
const SETTING =
  /\u001b(?:\[(?:(\??)([\d;]+)([hl])|([<=>])([\d;]*)([umnf])|[\d;]*(?:[rsu]| q|"q|!p))|[=>c78no]|[()*+\-.][0-~]|\](?:([0-28]);[^\u0007\u0018\u001a\u001b]*|(4;\d+|9;4|22|104|11\d)(?:;[^?\u0007\u0018\u001a\u001b]*)?|(1\d);([^\u0007\u0018\u001a\u001b]*))(?=[\u0007\u001b]))|[\u000e\u000f]/g;
/**
 * Detects sequences other than those of the pen, which may make up a tenth of coloured output. A truncated
 * sequence at the end does not count.
 */
const MORE_THAN_PEN = /\u001b(?!$|\[[\d;:]*(?:m|$))|[\u000e\u000f]/;
const MORE_THAN_PEN_AND_USUAL_CHARSET = /\u001b(?!$|\[[\d;:]*(?:m|$)|\((?:B|$))|\u000e/;
const SGR = /\u001b\[([\d;:]{0,128})m/y;
/** Matches an unfinished sequence at the end of a piece, which the next piece may continue. */
const OPEN = /^\u001b(?:|\[[ -?]*|[()*+\-./]|\][^\u0007\u0018\u001a\u001b]*|[PX^_][^\u0018\u001a\u001b]*)$/;
/* oxlint-enable no-control-regex */
const BEGINS_WITH_RESET = /^0*(?:;|$)/;

const ALTERNATE_SCREEN: ReadonlySet<string> = new Set(['47', '1047', '1049']);
const SAVED_CURSOR: ReadonlySet<string> = new Set(['1048', '1049']);

/** Settings that are saved with a cursor, except the pen, with their defaults. */
const AT_FIRST: ReadonlyMap<string, string> = new Map([
  ...['(', ')', '*', '+'].map((slot): [string, string] => [slot, `\u001b${slot}B`]),
  ['shift', '\u000f'],
  ['"q', '\u001b[0"q'],
  ['?6', '\u001b[?6l'],
  ['?7', '\u001b[?7h'],
]);
/** Alternative intermediate bytes for two of the slots. */
const OTHER_SLOTS: ReadonlyMap<string, string> = new Map([
  ['-', ')'],
  ['.', '*'],
]);
/** Final characters of LS2 and LS3, and the empty string for SO or SI. */
const SHIFTS: ReadonlySet<string> = new Set(['', 'n', 'o']);

interface Saved {
  readonly pen: Pen;
  readonly settings: ReadonlyMap<string, string>;
}

const NOTHING_SAVED: Saved = { pen: Pen.plain, settings: AT_FIRST };

/** Tracks the settings of evicted output, one character per byte, without decoding. */
export class EvictedState {
  /**
   * The last sequence of each kind, in order; together they have the same effect on the settings as all
   * output.
   */
  readonly #settings = new Map<string, string>();
  readonly #keys = new KeyReporting();
  #chars = 0;
  #pen = Pen.plain;
  /** Parameters of the pen sequences since `#pen`. */
  #penChanges: string[] = [];
  readonly #saved: Record<ScreenName, Saved> = { normal: NOTHING_SAVED, alternate: NOTHING_SAVED };
  /** Index in the current piece up to which the pen has been read. */
  #penFrom = 0;
  #open = '';
  readonly #unended = new UnendedSequence();
  /** True when the last byte may be the first of a C1 control. */
  #isCut = false;

  /** Parses the next piece; the pieces must be consecutive. */
  take(piece: Buffer): void {
    const whole = bytesWithEscapes(this.#isCut ? Buffer.concat([LEAD, piece]) : piece);
    this.#isCut = whole.at(-1) === LEAD[0];
    const bytes = this.#isCut ? whole.subarray(0, -1) : whole;
    this.#unended.take(bytes);
    const first = bytes.indexOf(ESC);
    if (this.#open !== '') {
      const rest = bytes.toString('latin1', 0, first < 0 ? bytes.length : first + 1);
      this.#look(this.#open + rest);
      if (first < 0 && this.#open !== '') return;
    }
    const from = Math.min(...[first, bytes.indexOf(SO), bytes.indexOf(SI)].filter((at) => at >= 0));
    if (from === Number.POSITIVE_INFINITY) return;
    const text = bytes.toString('latin1', from);
    const isMore =
      this.#settings.has('(') || this.#settings.has('shift')
        ? MORE_THAN_PEN
        : MORE_THAN_PEN_AND_USUAL_CHARSET;
    if (isMore.test(text)) this.#look(text);
    else this.#lookAtEnd(text);
  }

  /** Output that sets the same state in a terminal without an open sequence, and leaves the same sequence open. */
  get sequence(): Buffer {
    const isNormal = this.#shown === 'normal';
    const normalFlags = this.#keys.flagsSequence('normal');
    const parts = [
      // The key settings of the normal screen precede the switch to the alternate one, whose own follow below.
      isNormal || normalFlags === '' ? '' : ALL_LEVELS + normalFlags,
      ...this.#settings.values(),
      isNormal ? this.#keys.hiddenFlagsSequence() : '',
      // The following sequences replace what the settings above have set.
      ALL_LEVELS,
      this.#keys.flagsSequence(this.#shown),
      this.#keys.resourcesSequence(),
      this.#changedPen().sequence,
      this.#open,
      this.#isCut ? LEAD.toString('latin1') : '',
    ];
    return Buffer.from(parts.join(''), 'latin1');
  }

  get #shown(): ScreenName {
    return this.#settings.get('screen')?.endsWith('h') ? 'alternate' : 'normal';
  }

  #look(text: string): void {
    for (const match of text.matchAll(SETTING)) {
      const [sequence, isPrivate, modes, final, prefix, params, letter, title, other, first, colours = ''] =
        match;
      const string = title ?? other;
      if (modes !== undefined && isPrivate === '') {
        for (const mode of modes.split(';')) this.#set(`mode ${mode}`, `\u001b[${mode}${final}`);
      } else if (modes !== undefined) {
        for (const mode of modes.split(';')) this.#setMode(text, match.index, mode, final === 'h');
      } else if (params !== undefined) {
        const request = KEY_REQUESTS.find((each) => each.prefix === prefix && each.final === letter);
        if (request) this.#keys.take(request, params.split(';').map(Number), this.#shown);
      } else if (first !== undefined) {
        for (const [which, each] of coloursOf(Number(first), colours))
          this.#set(which, `\u001b]${which};${each}\u0007`);
      } else if (string !== undefined) this.#set(string, `${sequence}\u0007`);
      else this.#setOther(text, match.index, sequence);
    }
    this.#lookAtEnd(text);
  }

  #lookAtEnd(text: string): void {
    this.#takePen(text, text.length);
    this.#penFrom = 0;
    const last = text.slice(text.lastIndexOf('\u001b'));
    this.#open = last.length > OPEN_CHARS ? this.#unended.opening : OPEN.test(last) ? last : '';
  }

  #setMode(text: string, at: number, mode: string, isSet: boolean): void {
    if (isSet && SAVED_CURSOR.has(mode)) this.#save(text, at);
    const isScreen = ALTERNATE_SCREEN.has(mode);
    // Each screen has a separate scroll region, so the one of the previous screen is dropped.
    if (isScreen) this.#unset('r');
    if (isScreen || !SAVED_CURSOR.has(mode)) {
      this.#set(isScreen ? 'screen' : `?${mode}`, `\u001b[?${mode}${isSet ? 'h' : 'l'}`);
    }
    // A terminal restores its own saved cursor when it switches screens, so the tracked settings must come later.
    if (!isSet && SAVED_CURSOR.has(mode)) this.#restore(at, this.#shown);
  }

  #setOther(text: string, at: number, sequence: string): void {
    const kind = sequence.charAt(1);
    const final = sequence.slice(-1);
    if (kind === '7') this.#save(text, at);
    else if (kind === '8') this.#restore(at, this.#shown);
    else if (kind === 'c') this.#reset(at, sequence);
    else if (kind === '=' || kind === '>') this.#set('keypad', sequence);
    else if (SHIFTS.has(kind)) this.#set('shift', sequence);
    else if (kind !== '[') this.#set(OTHER_SLOTS.get(kind) ?? kind, sequence);
    else if (final === 's') this.#save(text, at);
    else if (final === 'u') this.#restore(at, this.#shown);
    else if (final === 'p') this.#reset(at, sequence);
    else this.#set(sequence.endsWith('"q') ? '"q' : final, sequence);
  }

  #reset(at: number, sequence: string): void {
    this.#saved[this.#shown] = NOTHING_SAVED;
    this.#restore(at, this.#shown);
    this.#keys.reset();
    if (sequence === '\u001bc') {
      this.#saved.normal = NOTHING_SAVED;
      this.#saved.alternate = NOTHING_SAVED;
      this.#settings.clear();
      this.#chars = 0;
    }
    this.#set('reset', sequence);
  }

  #set(kind: string, sequence: string): void {
    this.#unset(kind);
    this.#settings.set(kind, sequence);
    this.#chars += sequence.length;
    for (const oldest of this.#settings.keys()) {
      if (this.#chars <= STATE_CHARS) break;
      this.#unset(oldest);
    }
  }

  #unset(kind: string): void {
    this.#chars -= this.#settings.get(kind)?.length ?? 0;
    this.#settings.delete(kind);
  }

  #save(text: string, at: number): void {
    this.#takePen(text, at);
    const settings = Array.from(AT_FIRST, ([kind, first]): [string, string] => [
      kind,
      this.#settings.get(kind) ?? first,
    ]);
    this.#saved[this.#shown] = { pen: this.#changedPen(), settings: new Map(settings) };
  }

  #restore(at: number, which: ScreenName): void {
    const { pen, settings } = this.#saved[which];
    for (const [kind, sequence] of settings) {
      if (this.#settings.has(kind)) this.#set(kind, sequence);
    }
    this.#pen = pen;
    this.#penChanges = [];
    this.#penFrom = at;
  }

  /** Reads the pen sequences before `to`, backwards to the last reset, which overrides all earlier ones. */
  #takePen(text: string, to: number): void {
    const found: string[] = [];
    // The search is limited to this part, because text without such a sequence would be searched repeatedly.
    const part = text.slice(this.#penFrom, to);
    let at = part.lastIndexOf(CSI);
    while (at >= 0 && found.length < PENS) {
      SGR.lastIndex = at;
      const params = SGR.exec(part)?.[1];
      if (params !== undefined) found.push(params);
      const isReset = params !== undefined && BEGINS_WITH_RESET.test(params);
      if (isReset) this.#penChanges = [];
      if (at === 0 || isReset) break;
      at = part.lastIndexOf(CSI, at - 1);
    }
    this.#penChanges.push(...found.reverse());
    if (this.#penChanges.length > PENS) this.#changedPen();
    this.#penFrom = to;
  }

  #changedPen(): Pen {
    for (const params of this.#penChanges) this.#pen = this.#pen.after(parsed(params));
    this.#penChanges = [];
    return this.#pen;
  }
}

/** Returns parameters as from a parser: sub-parameters as a list after their parameter. */
function parsed(params: string): (number | number[])[] {
  return params.split(';').flatMap((param) => {
    const [main, ...sub] = param.split(':');
    return sub.length === 0
      ? [Number(main)]
      : [Number(main), sub.map((each) => (each === '' ? -1 : Number(each)))];
  });
}
