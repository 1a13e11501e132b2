// Converts the bytes of one stream to lines: decodes them incrementally, turns colours and links into styles, applies
// edits within a line, and removes all other control sequences.
import { OpenLine } from './open-line.ts';
import { withEscapes } from '../../../text/c1-escapes.ts';
import { escapeOf, marksAtEnd, nextHidden } from '../../../text/visible.ts';
import { ESCAPE_STYLE, PLAIN_STYLE, styleAfter, withLink, type TextStyle } from './text-style.ts';

/** Maximum line length; longer lines are broken, so that an endless line can be drawn. */
export const MOST_LINE_CHARACTERS = 8192;
/** Maximum length of a control sequence's parameters; longer sequences are ignored. */
const MOST_PARAMS = 256;
/** Maximum length of an operating system command; longer links are ignored. */
const MOST_OSC_CHARACTERS = 4096;

const LINE_FEED = 0x0a;
const ESC = '\u001b';

export interface LineEvents {
  /** Called when a line starts at a byte offset over all streams; `continues` is true for the rest of a broken line. */
  began(line: OpenLine, offset: number, continues: boolean): void;
  changed(line: OpenLine): void;
  ended(line: OpenLine): void;
}

/** Final bytes of sequences that start a line, since they move right, and of those that only edit a started line. */
const PLACES: ReadonlySet<string> = new Set('G`CaI');
const EDITS: ReadonlySet<string> = new Set('DHfZJKXP@b');
/** Parameters of selective erase (DECSED, DECSEL), which spares protected text; a log has no protected text. */
const SELECTIVE = /^\?[\d;]*$/;

type Place = 'ground' | 'escape' | 'charset' | 'csi' | 'string' | 'stringEscape';

export class StreamReader {
  readonly #events: LineEvents;
  readonly #decoder = new TextDecoder();
  #place: Place = 'ground';
  #params = '';
  /** Operating system command read so far; null within another kind of string, or when it is too long. */
  #osc: string | null = null;
  #style: TextStyle = PLAIN_STYLE;
  #line: OpenLine | null = null;
  #isInserting = false;
  /** Number of combining marks at the end of the text, since a few may follow a letter before the rest is escaped. */
  #marks = 0;
  /** Style saved with the cursor; null when nothing is saved. */
  #savedStyle: TextStyle | null = null;
  #continues = false;
  /** Byte offset of the line, including a leading control sequence; null until its first byte arrives. */
  #lineOffset: number | null = null;

  constructor(events: LineEvents) {
    this.#events = events;
  }

  /** Reads bytes; `offset` is their byte offset over all streams. */
  read(bytes: Uint8Array, offset: number): void {
    if (isAscii(bytes)) {
      this.#readText(this.#decoder.decode(bytes, { stream: true }), offset);
    } else {
      // A line feed byte is never part of another character, so each line's offset is known.
      for (let from = 0; from < bytes.length;) {
        const feed = bytes.indexOf(LINE_FEED, from);
        const end = feed < 0 ? bytes.length : feed + 1;
        // The offset includes the bytes of a still incomplete first character.
        this.#lineOffset ??= offset + from;
        const text = this.#decoder.decode(bytes.subarray(from, end), { stream: true });
        this.#readText(withEscapes(text), offset + from);
        from = end;
      }
    }
    if (this.#line) this.#events.changed(this.#line);
  }

  /** Ends the open line and sequence and resets the style, because no more bytes follow or some are missing. */
  end(): void {
    this.#readText(this.#decoder.decode(), this.#lineOffset ?? 0);
    this.#endLine();
    this.#lineOffset = null;
    this.#place = 'ground';
    this.#style = PLAIN_STYLE;
  }

  /** Breaks the open line; the rest becomes a new line that continues it. */
  breakLine(): void {
    this.#line = null;
    this.#continues = true;
  }

  #readText(text: string, offset: number): void {
    let at = 0;
    while (at < text.length) {
      this.#lineOffset ??= offset + at;
      if (this.#place !== 'ground') {
        this.#step(text[at] ?? '');
        at += 1;
        continue;
      }
      const special = nextHidden(text, at, this.#marks);
      const end = special?.index ?? text.length;
      if (end > at) this.#put(text.slice(at, end), this.#style);
      if (special) this.#act(special.character);
      at = end + (special?.character.length ?? 0);
    }
  }

  #act(character: string): void {
    switch (character) {
      case '\n':
        this.#open();
        this.#endLine();
        this.#lineOffset = null;
        return;
      case '\r':
        this.#line?.toStart();
        return;
      case '\b':
        this.#line?.back();
        return;
      case '\t':
        this.#put(character, this.#style);
        return;
      case '\u0007':
        return;
      case ESC:
        this.#place = 'escape';
        return;
      default:
        this.#putInstead(character);
    }
  }

  #putInstead(character: string): void {
    const words = escapeOf(character);
    if (this.#open().used + words.length > MOST_LINE_CHARACTERS) this.#breakOff();
    this.#open().putInstead(words, character, ESCAPE_STYLE);
  }

  #put(text: string, style: TextStyle): void {
    let rest = text;
    while (rest.length > 0) {
      const line = this.#open();
      const room = MOST_LINE_CHARACTERS - line.used;
      if (rest.length <= room) {
        line.put(rest, style);
        this.#marks = marksAtEnd(rest, this.#marks);
        return;
      }
      // Do not split a surrogate pair.
      const cut = isHighSurrogate(rest.charCodeAt(room - 1)) ? room - 1 : Math.max(0, room);
      if (cut > 0) line.put(rest.slice(0, cut), style);
      rest = rest.slice(cut);
      this.#breakOff();
    }
  }

  #breakOff(): void {
    this.#endLine();
    this.#continues = true;
  }

  #open(): OpenLine {
    if (!this.#line) {
      this.#line = new OpenLine(MOST_LINE_CHARACTERS);
      if (this.#isInserting) this.#line.edit('h', '4', this.#style);
      this.#events.began(this.#line, this.#lineOffset ?? 0, this.#continues);
      this.#continues = false;
    }
    return this.#line;
  }

  #endLine(): void {
    if (this.#line) this.#events.ended(this.#line);
    this.#line = null;
    this.#continues = false;
    this.#marks = 0;
  }

  /**
   * Reads one character of a sequence. A line feed, CAN or SUB ends any sequence, so that it cannot swallow the text
   * that follows.
   */
  #step(character: string): void {
    if (character === '\n' || character === '\u0018' || character === '\u001a') {
      this.#place = 'ground';
      if (character === '\n') this.#act(character);
      return;
    }
    switch (this.#place) {
      case 'escape':
        this.#params = '';
        if (character === '[') this.#place = 'csi';
        else if (/[\]PX^_]/.test(character)) {
          this.#place = 'string';
          this.#osc = character === ']' ? '' : null;
        } else if (/[ #%()*+\-./]/.test(character)) this.#place = 'charset';
        else if (character !== ESC) {
          this.#place = 'ground';
          if (character === '7') this.#save();
          else if (character === '8') this.#restore();
          else if (character === 'c') this.#reset();
        }
        return;
      case 'charset':
        this.#place = 'ground';
        return;
      case 'csi':
        if (character === ESC) this.#place = 'escape';
        else if (character >= '@' && character <= '~') this.#control(character);
        else if (this.#params.length < MOST_PARAMS) this.#params += character;
        return;
      case 'string':
        if (character === '\u0007') this.#command();
        else if (character === ESC) this.#place = 'stringEscape';
        else if (this.#osc !== null)
          this.#osc = this.#osc.length < MOST_OSC_CHARACTERS ? this.#osc + character : null;
        return;
      case 'stringEscape':
        if (character === '\\') this.#command();
        else this.#place = 'string';
        return;
      case 'ground':
    }
  }

  /** Applies an operating system command; a log supports only hyperlinks (OSC 8). */
  #command(): void {
    this.#place = 'ground';
    const [, address] = /^8;[^;]*;(.*)$/.exec(this.#osc ?? '') ?? [];
    if (address !== undefined) this.#style = withLink(this.#style, address || null);
  }

  /** Applies a control sequence: styles, and moves and edits within the line; the log never moves to another line. */
  #control(final: string): void {
    this.#place = 'ground';
    const isErasing = final === 'J' || final === 'K';
    const params = isErasing && SELECTIVE.test(this.#params) ? this.#params.slice(1) : this.#params;
    if (!/^[\d;:]*$/.test(params) || params.length >= MOST_PARAMS) return;
    if (final === 'm') this.#style = styleAfter(this.#style, params);
    else if (final === 's' && params === '') this.#save();
    else if (final === 'u' && params === '') this.#restore();
    else if (PLACES.has(final)) this.#open().edit(final, params, this.#style);
    else if (EDITS.has(final)) this.#line?.edit(final, params, this.#style);
    else if ((final === 'h' || final === 'l') && params.split(';').includes('4')) {
      this.#isInserting = final === 'h';
      this.#line?.edit(final, params, this.#style);
    }
  }

  /** Saves the style, and the column of the line. */
  #save(): void {
    this.#savedStyle = this.#style;
    this.#open().save();
  }

  #reset(): void {
    this.#style = PLAIN_STYLE;
    this.#savedStyle = null;
    this.#isInserting = false;
    this.#line?.reset();
  }

  #restore(): void {
    this.#style = this.#savedStyle ?? this.#style;
    this.#line?.restore();
  }
}

function isAscii(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte >= 0x80) return false;
  return true;
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
