// What output that is no longer retained has left set in its terminal: modes, colours, region, title. A screen of which that
// output was never drawn goes on with it. Only control sequences are looked at: to draw a flood is what is to be spared.
import { Pen } from './pen.ts';

/** A sequence that is open for longer than this is given up. */
const OPEN_CHARS = 4096;
/** Of all that is kept; beyond it what was set first is given up. */
const STATE_CHARS = 16 * 1024;
/** Of colours that are set one over the other and never reset, so many of a piece count. */
const PENS = 64;

const ESC = 0x1b;
const CSI = '\u001b[';
/* oxlint-disable no-control-regex -- these are control sequences */
/**
 * Private modes, insert mode, region, cursor shape, resets; keypad, saved cursor; character sets; titles and colours, and
 * what resets those. All but the pen, which coloured output sets too often to be looked at each time.
 */
const SETTING =
  /\u001b(?:\[(?:\?([\d;]+)([hl])|4[hl]|[\d;]*r|\d* q|!p)|[=>c78]|[()*+\-./][0-~]|\](?:([02]);[^\u0007\u0018\u001a\u001b]*|(4;\d+|1[0-2]|104|11[0-2])(?:;[^?\u0007\u0018\u001a\u001b]*)?)(?=[\u0007\u001b]))/g;
/** Coloured output has a pen in every tenth byte, and often this character set with it. What the end cuts off is neither. */
const MORE_THAN_PEN = /\u001b(?!$|\[[\d;:]*(?:m|$))/;
const MORE_THAN_PEN_AND_USUAL_CHARSET = /\u001b(?!$|\[[\d;:]*(?:m|$)|\((?:B|$))/;
const SGR = /\u001b\[([\d;:]{0,128})m/y;
/** At the end of a piece: what the next one may go on with. */
const OPEN = /^\u001b(?:|\[[ -?]*|[()*+\-./]|[P\]X^_][^\u0007\u0018\u001a\u001b]*)$/;
/* oxlint-enable no-control-regex */
const BEGINS_WITH_RESET = /^0*(?:;|$)/;

const ALTERNATE_SCREEN: ReadonlySet<string> = new Set(['47', '1047', '1049']);
const SAVED_CURSOR: ReadonlySet<string> = new Set(['1048', '1049']);

/** A character is a byte: nothing is decoded. */
export class TrimmedState {
  /** The last sequence of each kind, in their order: written again, they leave set what all of them did. */
  readonly #settings = new Map<string, string>();
  #chars = 0;
  #pen = Pen.plain;
  /** The parameters of what has changed it since. */
  #penChanges: string[] = [];
  #savedPen = Pen.plain;
  /** In the piece that is looked at: the pen that is before it has been taken. */
  #penFrom = 0;
  #open = '';

  /** The next piece; each follows the one before. */
  take(bytes: Buffer): void {
    const first = bytes.indexOf(ESC);
    if (this.#open !== '') {
      const rest = bytes.toString('latin1', 0, first < 0 ? OPEN_CHARS : first + 1);
      this.#look(this.#open + rest);
    }
    if (first < 0) return;
    const text = bytes.toString('latin1', first);
    const isMore = this.#settings.has('(') ? MORE_THAN_PEN : MORE_THAN_PEN_AND_USUAL_CHARSET;
    if (isMore.test(text)) this.#look(text);
    else this.#lookAtEnd(text);
  }

  /** Written to a terminal that is not in the midst of a sequence, leaves set the same, and open what is open. */
  get sequence(): Buffer {
    const settings = [...this.#settings.values()].join('');
    return Buffer.from(`${settings}${this.#changedPen().sequence}${this.#open}`, 'latin1');
  }

  #look(text: string): void {
    for (const match of text.matchAll(SETTING)) {
      const [sequence, modes, final, title, colour] = match;
      const string = title ?? colour;
      if (modes !== undefined) {
        for (const mode of modes.split(';')) this.#setMode(text, match.index, mode, final === 'h');
      } else if (string !== undefined) this.#set(string, `${sequence}\u0007`);
      else this.#setOther(text, match.index, sequence);
    }
    this.#lookAtEnd(text);
  }

  #lookAtEnd(text: string): void {
    this.#takePen(text, text.length);
    this.#penFrom = 0;
    const last = text.slice(text.lastIndexOf('\u001b'));
    this.#open = last.length <= OPEN_CHARS && OPEN.test(last) ? last : '';
  }

  #setMode(text: string, at: number, mode: string, isSet: boolean): void {
    if (SAVED_CURSOR.has(mode)) {
      if (isSet) this.#savePen(text, at);
      else this.#restorePen(at);
    }
    const isScreen = ALTERNATE_SCREEN.has(mode);
    // A region is its screen's.
    if (isScreen) this.#unset('r');
    this.#set(isScreen ? 'screen' : `?${mode}`, `\u001b[?${mode}${isSet ? 'h' : 'l'}`);
  }

  #setOther(text: string, at: number, sequence: string): void {
    const kind = sequence.charAt(1);
    const final = sequence.slice(-1);
    if (kind === '7') this.#savePen(text, at);
    else if (kind === '8') this.#restorePen(at);
    else if (kind === 'c') this.#reset(at, sequence);
    else if (kind === '=' || kind === '>') this.#set('keypad', sequence);
    else if (kind !== '[') this.#set(kind, sequence);
    else if (final === 'p') this.#reset(at, sequence);
    else this.#set(final === 'h' || final === 'l' ? 'insert' : final, sequence);
  }

  #reset(at: number, sequence: string): void {
    this.#savedPen = Pen.plain;
    this.#restorePen(at);
    if (sequence === '\u001bc') {
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

  #savePen(text: string, at: number): void {
    this.#takePen(text, at);
    this.#savedPen = this.#changedPen();
  }

  #restorePen(at: number): void {
    this.#pen = this.#savedPen;
    this.#penChanges = [];
    this.#penFrom = at;
  }

  /** Back from `to` to the last reset, since what was set before that does not count. */
  #takePen(text: string, to: number): void {
    const found: string[] = [];
    // Only this part: where it has no sequence, all before it would be looked through each time.
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

/** As a parser gives them: sub-parameters as a list after the one that they belong to. */
function parsed(params: string): (number | number[])[] {
  return params.split(';').flatMap((param) => {
    const [main, ...sub] = param.split(':');
    return sub.length === 0
      ? [Number(main)]
      : [Number(main), sub.map((each) => (each === '' ? -1 : Number(each)))];
  });
}
