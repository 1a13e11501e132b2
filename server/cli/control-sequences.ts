// The control sequences in a terminal's output: which ones it would answer, and which modes they leave it in.

/** What a terminal executes, or leaves out, within a sequence; CAN, SUB and ESC end it. */
const WITHIN = String.raw`[\x00-\x17\x19\x1c-\x1f\x7f]`;
/** Those of C1 are one character, which UTF-8 writes as two bytes; here everything is Latin-1. */
const STRING = String.raw`(?:\x1b${WITHIN}*([\]PX^_])|\xc2([\x90\x98\x9d-\x9f]))((?:(?!\xc2\x9c)[^\x07\x18\x1a\x1b])*?)`;
const CSI = String.raw`(?:\x1b${WITHIN}*\[|\xc2\x9b)((?:[0-?]|${WITHIN})*(?:[ -/]|${WITHIN})*)`;
const SHORT = String.raw`\x1b((?:[ -/]|${WITHIN})*`;

/** Whole sequences: strings (OSC, DCS, APC, PM, SOS), which any ESC ends, CSI, and the short ones. */
const SEQUENCE = new RegExp(
  [
    String.raw`${STRING}(?:\x07|\x1b\\|\xc2\x9c|[\x18\x1a]|(?=\x1b[^\\])|$)`,
    `${CSI}([@-~])`,
    String.raw`${SHORT}[0-Z\\` + '`-~])',
    String.raw`\xc2(\x9a)`,
    String.raw`\x05`,
  ].join('|'),
  'g',
);

/** One that has begun at the end of the output and may go on. */
const BEGUN = new RegExp(String.raw`(?:${STRING}(?:\x1b|\xc2)?|${CSI}|${SHORT})|\xc2)$`);

/** Of a sequence that has begun. A longer one (a picture, as a rule) is passed on as it comes … */
const HELD_CHARS = 8192;
/** … and where nothing may be answered left out: its end may be a question. */
const HELD_QUIETLY_CHARS = 1024 * 1024;

/** The letter that ESC would be followed by, of a C1 character. */
const afterEscape = (c1: string): string => String.fromCodePoint((c1.codePointAt(0) ?? 0) - 0x40);

const withoutOthers = (text: string): string => text.replaceAll(new RegExp(WITHIN, 'g'), '');
/** What a terminal does all the same when the sequence around it is left out: the ends of lines above all. */
const others = (text: string): string => text.replaceAll(/[^\n\r\t]/g, '');

/** Modes that are off at first and disturb whoever comes after, and those that are on at first. */
const OFF_AT_FIRST: ReadonlySet<number> = new Set([
  1, 5, 6, 9, 47, 1000, 1002, 1003, 1004, 1005, 1006, 1015, 1016, 1047, 1049, 2004, 2026, 2031, 2048,
]);
const ON_AT_FIRST: ReadonlySet<number> = new Set([7, 25]);

interface Csi {
  readonly prefix: string;
  readonly params: string;
  readonly middle: string;
  readonly final: string;
}

export class ControlSequences {
  #begun = '';
  /** Private modes that are not as they were at first. */
  readonly #changed = new Set<number>();
  #keyboardDepth = 0;
  #hasOtherKeys = false;
  #hasKeypad = false;
  #hasCursorStyle = false;
  #hasRegion = false;

  /**
   * What of the output goes to the terminal; a sequence that has not ended waits for its end. `quietly`: without those
   * that make a terminal write an answer, for output that is not this terminal's to answer.
   */
  pass(output: Uint8Array, quietly: boolean): Uint8Array {
    const isPlain = ![0x1b, 0x05, 0xc2].some((byte) => output.includes(byte));
    if (isPlain && this.#begun === '') return output;
    const text = this.#begun + Buffer.from(output).toString('latin1');
    const begun = BEGUN.exec(text)?.[0] ?? '';
    const isLong = begun.length > (quietly ? HELD_QUIETLY_CHARS : HELD_CHARS);
    this.#begun = isLong ? '' : begun;
    const whole = isLong && !quietly ? text : text.slice(0, text.length - begun.length);
    const passed = whole.replaceAll(SEQUENCE, (sequence, ...groups: (string | undefined)[]) => {
      const [kind, c1Kind, payload = '', csi = '', final, short, c1Short] = groups;
      const string = kind ?? (c1Kind && afterEscape(c1Kind));
      const isQuery = string
        ? asksByString(string, withoutOthers(payload))
        : final
          ? this.#csi(csiOf(withoutOthers(csi), final))
          : this.#short(withoutOthers(short ?? (c1Short ? afterEscape(c1Short) : '')));
      return quietly && isQuery ? others(csi + (short ?? '')) : sequence;
    });
    return Buffer.from(passed, 'latin1');
  }

  /** What puts the terminal back as it was at first, as far as what has passed has changed it. */
  undo(): string {
    const changed = [...this.#changed].toSorted((one, other) => one - other);
    const undone = [
      ...(this.#hasRegion ? ['\u001b7\u001b[r\u001b8'] : []),
      ...(this.#keyboardDepth > 0 ? [`\u001b[<${this.#keyboardDepth}u`] : []),
      ...(this.#hasOtherKeys ? ['\u001b[>4m'] : []),
      ...(this.#hasKeypad ? ['\u001b>'] : []),
      ...changed.map((mode) => `\u001b[?${mode}${ON_AT_FIRST.has(mode) ? 'h' : 'l'}`),
      ...(this.#hasCursorStyle ? ['\u001b[0 q'] : []),
    ].join('');
    this.#forget();
    this.#begun = '';
    return undone;
  }

  /** Whether it is a question; what it changes is remembered. */
  #csi(csi: Csi): boolean {
    const { prefix, params, middle, final } = csi;
    if (prefix === '?' && middle === '' && (final === 'h' || final === 'l')) {
      for (const mode of params.split(';')) this.#mode(Number(mode), final === 'h');
    } else if (final === 'u' && prefix === '>') this.#keyboardDepth += 1;
    else if (final === 'u' && prefix === '<') {
      this.#keyboardDepth = Math.max(0, this.#keyboardDepth - (Number(params) || 1));
    } else if (final === 'm' && prefix === '>') this.#hasOtherKeys = /^4;[1-9]/.test(params);
    else if (final === 'q' && middle === ' ') this.#hasCursorStyle = !/^0?$/.test(params);
    else if (final === 'r' && prefix === '' && middle === '') this.#hasRegion = params !== '';
    else if (final === 'p' && middle === '!') this.#forget();
    return asks(csi);
  }

  #mode(mode: number, isOn: boolean): void {
    if (OFF_AT_FIRST.has(mode) && isOn) this.#changed.add(mode);
    else if (ON_AT_FIRST.has(mode) && !isOn) this.#changed.add(mode);
    else this.#changed.delete(mode);
  }

  /** The same; empty of ENQ, which is one, too. */
  #short(sequence: string): boolean {
    if (sequence === '=') this.#hasKeypad = true;
    else if (sequence === '>') this.#hasKeypad = false;
    else if (sequence === 'c') this.#forget();
    return sequence === 'Z' || sequence === '';
  }

  #forget(): void {
    this.#changed.clear();
    this.#keyboardDepth = 0;
    this.#hasOtherKeys = false;
    this.#hasKeypad = false;
    this.#hasCursorStyle = false;
    this.#hasRegion = false;
  }
}

function csiOf(body: string, final: string): Csi {
  const [, prefix = '', params = '', middle = ''] = /^([<-?]*)([0-9:;]*)[0-?]*([ -/]*)$/.exec(body) ?? [];
  return { prefix, params, middle, final };
}

/** Whether a terminal answers it: attributes, status, modes, size, version, keyboard, colours. */
function asks({ prefix, params, middle, final }: Csi): boolean {
  switch (middle + final) {
    case 'c':
    case '$p':
    case '*y':
    case '$w':
    case '&u':
      return true;
    case 'n':
      return prefix !== '>';
    case 'x':
      return prefix === '';
    case 't':
      return prefix === '' && /^(?:1[1-9]|2[01])(?:;|$)/.test(params);
    case 'q':
      return prefix === '>';
    case 'u':
    case 'm':
    case 'S':
      return prefix === '?';
    default:
      return false;
  }
}

/** The same; and to write to the clipboard is not for output that nobody here answers for, either. */
function asksByString(kind: string, payload: string): boolean {
  if (kind === ']') return /(?:^|;)\?(?:;|$)|^0*52;/.test(payload);
  if (kind === 'P') return /^[$+]q/.test(payload);
  return kind === '_' && /^G(?:[^;]*,)?a=q/.test(payload);
}
