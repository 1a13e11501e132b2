// The control sequences in a terminal's output: which ones it would answer, and which modes they leave it in.

/** Whole sequences, as Latin-1: strings (OSC, DCS, APC, PM, SOS), CSI, and the short ones. */
const SEQUENCE =
  // oxlint-disable-next-line no-control-regex -- these are control sequences
  /\u001b([\]PX^_])([^\u0007\u001b]*)(?:\u0007|\u001b\\)|\u001b\[([<-?]*)([0-9:;]*)([ -/]*)([@-~])|\u001b([ -/]*[0-Z\\`-~])|\u0005/g;

/** One that has begun at the end of the output and may go on. */
// oxlint-disable-next-line no-control-regex -- these are control sequences
const BEGUN = /\u001b(?:\[[0-?]*[ -/]*|[\]PX^_][^\u0007\u001b]*\u001b?|[ -/]*)$/;

/** Of a sequence that has begun; a longer one (a picture, as a rule) is passed on as it comes. */
const HELD_CHARS = 8192;

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
    const isPlain = !output.includes(0x1b) && !output.includes(0x05);
    if (isPlain && this.#begun === '') return output;
    const text = this.#begun + Buffer.from(output).toString('latin1');
    const begun = BEGUN.exec(text)?.[0] ?? '';
    this.#begun = begun.length <= HELD_CHARS ? begun : '';
    const whole = text.slice(0, text.length - this.#begun.length);
    const passed = whole.replaceAll(SEQUENCE, (sequence, ...groups: (string | undefined)[]) => {
      const [kind, payload = '', prefix = '', params = '', middle = '', final, short] = groups;
      if (final !== undefined) return this.#csi(sequence, { prefix, params, middle, final }, quietly);
      if (short !== undefined) this.#short(short);
      const isQuery = kind === undefined ? short === 'Z' || short === undefined : asksByString(kind, payload);
      return quietly && isQuery ? '' : sequence;
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

  #csi(sequence: string, csi: Csi, quietly: boolean): string {
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
    return quietly && asks(csi) ? '' : sequence;
  }

  #mode(mode: number, isOn: boolean): void {
    if (OFF_AT_FIRST.has(mode) && isOn) this.#changed.add(mode);
    else if (ON_AT_FIRST.has(mode) && !isOn) this.#changed.add(mode);
    else this.#changed.delete(mode);
  }

  #short(sequence: string): void {
    if (sequence === '=') this.#hasKeypad = true;
    else if (sequence === '>') this.#hasKeypad = false;
    else if (sequence === 'c') this.#forget();
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

function asksByString(kind: string, payload: string): boolean {
  if (kind === ']') return /(?:^|;)\?(?:;|$)/.test(payload);
  if (kind === 'P') return /^[$+]q/.test(payload);
  return kind === '_' && /^G(?:[^;]*,)?a=q/.test(payload);
}
