// The line being typed, as far as the keys reveal it: erased characters are removed.

/** Maximum number of characters tracked before the cursor; longer text is pasted, and nobody erases it key by key. */
const MOST_CHARS = 10_000;

const PASTE_START = '\u001b[200~';
/** Matches a whole pasted text, a key's sequence, or one character. */
const KEYS =
  // oxlint-disable-next-line no-control-regex -- keys send control sequences
  /\u001b\[200~(?<pasted>.*?)(?:\u001b\[201~|$)|\u001b\[[\d;:?]*[ -/]*[@-~]|\u001bO.|\u001b\u001b?.?|./gsu;

type Edit = (line: TypedLine) => void;

const toStart: Edit = (line) => line.move(-line.before.length);
const toEnd: Edit = (line) => line.move(line.after.length);
const left: Edit = (line) => line.move(-1);
const right: Edit = (line) => line.move(1);
const eraseLetter: Edit = (line) => line.eraseBack(/.$/su);
const eraseNext: Edit = (line) => line.eraseOn(/^./su);

/** Keys that edit a line in Readline, including the tty's own keys for erasing. */
const EDITS: { readonly [key: string]: Edit } = {
  '\u0001': toStart,
  '\u001b[H': toStart,
  '\u001bOH': toStart,
  '\u0005': toEnd,
  '\u001b[F': toEnd,
  '\u001bOF': toEnd,
  '\u0002': left,
  '\u001b[D': left,
  '\u001bOD': left,
  '\u0006': right,
  '\u001b[C': right,
  '\u001bOC': right,
  '\u007f': eraseLetter,
  '\b': eraseLetter,
  '\u001b[3~': eraseNext,
  '\u000b': (line) => line.eraseOn(/^.*/s),
  '\u0015': (line) => line.eraseBack(/.*$/s),
  '\u0017': (line) => line.eraseBack(/\S*\s*$/u),
  '\u001b\u007f': (line) => line.eraseBack(/[\p{L}\p{N}]*[^\p{L}\p{N}]*$/u),
};

/** Keys that end or abandon a line: Enter, Ctrl+C and Ctrl+D. */
const ENDS = '\r\n\u0003\u0004';

export class TypedLine {
  before = '';
  /** Text after the cursor. */
  after = '';
  /**
   * True when the text is no longer known: a key may have changed it (completion, history, undo), or it is too long.
   */
  #isUnknown = false;

  /** True while the line has, or may have, text that was neither ended nor abandoned nor erased. */
  get isHalf(): boolean {
    return this.#isUnknown || this.before !== '' || this.after !== '';
  }

  /** Processes typed keys; returns true when one of them ended or emptied the line. */
  type(keys: string): boolean {
    let hasEnded = false;
    for (const { 0: key, groups } of keys.matchAll(KEYS)) {
      const wasHalf = this.isHalf;
      if (key.startsWith(PASTE_START)) this.#insert(groups?.['pasted'] ?? '');
      else this.#key(key);
      if (ENDS.includes(key) || (wasHalf && !this.isHalf)) hasEnded = true;
    }
    return hasEnded;
  }

  move(by: number): void {
    const at = Math.max(0, this.before.length + by);
    const text = this.before + this.after;
    this.before = text.slice(0, at);
    this.after = text.slice(at);
  }

  eraseBack(what: RegExp): void {
    this.before = this.before.replace(what, '');
  }

  eraseOn(what: RegExp): void {
    this.after = this.after.replace(what, '');
  }

  #key(key: string): void {
    const edit = EDITS[key];
    if (ENDS.includes(key)) this.#empty();
    else if (edit) this.#edit(key, edit);
    else if (key >= ' ' || key === '\t') this.#insert(key);
    // Keys without a character do not count as typing in an empty line.
    else if (this.isHalf) this.#isUnknown = true;
    if (key === '\t') this.#isUnknown = true;
  }

  #edit(key: string, edit: Edit): void {
    edit(this);
    // Ctrl+U at the end of the line empties it even if its text is unknown.
    if (key === '\u0015' && this.after === '') this.#isUnknown = false;
  }

  #insert(text: string): void {
    if (this.before.length + text.length > MOST_CHARS) this.#isUnknown = true;
    else this.before += text;
  }

  #empty(): void {
    this.before = '';
    this.after = '';
    this.#isUnknown = false;
  }
}
