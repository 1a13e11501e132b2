// Parses a terminal's output into text and control sequences, in linear time and bounded memory.

/** Numbers of one parameter, null for an omitted one; numbers after a colon belong to the same parameter. */
export type Param = readonly (number | null)[];

export interface Csi {
  readonly kind: 'csi';
  /** Character before the parameters: `<`, `=`, `>` or `?`; empty if there is none. */
  readonly prefix: string;
  readonly params: readonly Param[];
  /** Intermediate characters, between the parameters and the final character. */
  readonly middle: string;
  readonly final: string;
}
export interface Escape {
  readonly kind: 'escape';
  readonly middle: string;
  readonly final: string;
}
/** OSC (`]`), DCS (`P`), SOS (`X`), PM (`^`) or APC (`_`); payloads of more than PAYLOAD_CHARS are null. */
export interface ControlString {
  readonly kind: 'string';
  readonly opener: string;
  readonly payload: string | null;
}
export type Sequence = Csi | Escape | ControlString;

export interface SequenceListener {
  /** Called with text, including controls that move the cursor within and between lines. */
  text: (text: string) => void;
  /** Called with any other C0 control outside strings, except ESC, CAN and SUB. */
  control: (control: string) => void;
  sequence: (sequence: Sequence) => void;
}

/** Maximum value of a number, since a larger one might overflow in a terminal. */
const LARGEST_NUMBER = 65_535;
/** Maximum number of parameters, and of numbers in each. */
const MOST_PARAMS = 64;
const MOST_MIDDLE = 2;
const PAYLOAD_CHARS = 4096;

const ESC = 0x1b;
const CAN = 0x18;
const SUB = 0x1a;
const BEL = 0x07;
const DEL = 0x7f;
const ST = 0x9c;

// oxlint-disable-next-line no-control-regex -- everything else is a control character
const TEXT = /[^\u0000-\u0007\u000e-\u001f\u007f-\u009f]+/y;
// oxlint-disable-next-line no-control-regex -- the payload of a string contains no control characters
const PAYLOAD = /[^\u0000-\u001f\u007f-\u009f]+/y;

const isC1 = (code: number): boolean => code >= 0x80 && code <= 0x9f;

/** A parser whose state within a sequence carries over from one piece of text to the next. */
export class SequenceParser {
  #state: 'text' | 'escape' | 'csi' | 'string' = 'text';
  #middle = '';
  #prefix = '';
  #params: (number | null)[][] = [];
  #isMalformed = false;
  #opener = '';
  #payload: string | null = '';

  /** True when all sequences so far are complete. */
  get isAtRest(): boolean {
    return this.#state === 'text';
  }

  /** Drops an unfinished sequence. */
  reset(): void {
    this.#state = 'text';
  }

  parse(text: string, listener: SequenceListener): void {
    for (let at = 0; at < text.length;) {
      const run = this.#state === 'text' ? TEXT : this.#state === 'string' ? PAYLOAD : null;
      if (run) {
        run.lastIndex = at;
        const [found] = run.exec(text) ?? [];
        if (found !== undefined) {
          at += found.length;
          if (run === TEXT) listener.text(found);
          else this.#addPayload(found);
          continue;
        }
      }
      at += this.#step(text.charCodeAt(at), listener) ? 1 : 0;
    }
  }

  /** Handles a control or a character of a sequence; returns false when the character must be read again, as text. */
  #step(code: number, listener: SequenceListener): boolean {
    if (code === ESC) {
      this.#endString(listener);
      this.#begin('escape');
    } else if (code === CAN || code === SUB) this.#state = 'text';
    else if (isC1(code)) this.#c1(code, listener);
    else if (this.#state === 'string') this.#inString(code, listener);
    else if (code < 0x20) listener[code >= 0x08 && code <= 0x0d ? 'text' : 'control'](charOf(code));
    else if (code === DEL) return true;
    else if (code > DEL) return this.#abort();
    else if (this.#state === 'csi') this.#inCsi(charOf(code), listener);
    else this.#inEscape(charOf(code), listener);
    return true;
  }

  /**
   * Handles C1 controls, which are two bytes in UTF-8 and mean the same as ESC and one character. Each of them ends a
   * string, as in DEC's terminals, and the string counts as complete, since a terminal may have applied it.
   */
  #c1(code: number, listener: SequenceListener): void {
    this.#endString(listener);
    if (code === ST) {
      this.#state = 'text';
      return;
    }
    this.#begin('escape');
    this.#inEscape(charOf(code - 0x40), listener);
  }

  #inString(code: number, listener: SequenceListener): void {
    if (code !== BEL || this.#opener !== ']') return;
    this.#endString(listener);
    this.#state = 'text';
  }

  #inEscape(char: string, listener: SequenceListener): void {
    if (char < '0') {
      if (this.#middle.length < MOST_MIDDLE) this.#middle += char;
      else this.#isMalformed = true;
    } else if (this.#middle === '' && char === '[') this.#begin('csi');
    else if (this.#middle === '' && ']PX^_'.includes(char)) {
      this.#begin('string');
      this.#opener = char;
    } else {
      this.#state = 'text';
      if (!this.#isMalformed) listener.sequence({ kind: 'escape', middle: this.#middle, final: char });
    }
  }

  #inCsi(char: string, listener: SequenceListener): void {
    if (char >= '@') {
      this.#state = 'text';
      const [prefix, middle] = [this.#prefix, this.#middle];
      const params = first(this.#params).map(first);
      if (!this.#isMalformed) listener.sequence({ kind: 'csi', prefix, params, middle, final: char });
    } else if (char < '0') {
      if (this.#middle.length < MOST_MIDDLE) this.#middle += char;
      else this.#isMalformed = true;
    } else if (this.#middle !== '') this.#isMalformed = true;
    else if (char >= '<') {
      if (this.#prefix !== '' || this.#params.length > 0) this.#isMalformed = true;
      else this.#prefix = char;
    } else this.#inParams(char);
  }

  #inParams(char: string): void {
    const params = this.#params;
    if (params.length === 0) params.push([null]);
    // One parameter and one number beyond the limit are stored, so that later digits do not extend the last valid one.
    if (params.length > MOST_PARAMS) return;
    const last = params.at(-1) ?? [];
    if (char === ';') params.push([null]);
    else if (char === ':') {
      if (last.length <= MOST_PARAMS) last.push(null);
    } else {
      const number = (last.at(-1) ?? 0) * 10 + Number(char);
      last[last.length - 1] = Math.min(number, LARGEST_NUMBER);
    }
  }

  #addPayload(text: string): void {
    if (this.#payload === null) return;
    const isLong = this.#payload.length + text.length > PAYLOAD_CHARS;
    this.#payload = isLong ? null : this.#payload + text;
  }

  #endString(listener: SequenceListener): void {
    if (this.#state !== 'string') return;
    listener.sequence({ kind: 'string', opener: this.#opener, payload: this.#payload });
  }

  #abort(): false {
    this.#state = 'text';
    return false;
  }

  #begin(state: 'escape' | 'csi' | 'string'): void {
    this.#state = state;
    this.#middle = '';
    this.#prefix = '';
    this.#params = [];
    this.#isMalformed = false;
    this.#payload = '';
  }
}

const first = <T>(all: readonly T[]): readonly T[] => all.slice(0, MOST_PARAMS);

const charOf = (code: number): string => String.fromCharCode(code);

/** Returns the sequence as it is written to a terminal, beginning with ESC; a null payload becomes empty. */
export function spell(sequence: Sequence): string {
  switch (sequence.kind) {
    case 'csi': {
      const { prefix, params, middle, final } = sequence;
      const numbers = params.map((param) => param.map((number) => number ?? '').join(':')).join(';');
      return `\u001b[${prefix}${numbers}${middle}${final}`;
    }
    case 'escape':
      return `\u001b${sequence.middle}${sequence.final}`;
    case 'string':
      return `\u001b${sequence.opener}${sequence.payload ?? ''}\u001b\\`;
  }
}
