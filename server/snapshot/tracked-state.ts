// What a terminal's state has beyond its cells and the modes that it tells of, followed by parser hooks.
import type { Terminal } from '@xterm/headless';
import { lastOf } from './cells.ts';
import { Pen } from './pen.ts';

interface SavedCursor {
  /** From 0, in the screen. */
  readonly x: number;
  readonly y: number;
  readonly pen: Pen;
}

export type ScreenName = 'normal' | 'alternate';

interface ScreenState {
  /** Rows from 1; null is the whole screen. */
  region: { readonly top: number; readonly bottom: number } | null;
  saved: SavedCursor | null;
}

/** Private modes that a terminal does not tell of, and what they are without being set. */
const PRIVATE_MODES: ReadonlyMap<number, boolean> = new Map([
  [12, false],
  [25, true],
  [1005, false],
  [1006, false],
  [1015, false],
  [1016, false],
  [2026, false],
]);

/** A program may set any number of colours and titles; of each kind the last counts, of the palette's so many. */
const PALETTE_ENTRIES = 256;
const TEXT_CHARS = 4096;

const CHARSET_SLOTS = ['(', ')', '*', '+', '-', '.', '/'];

/** The parameters of a colour's OSC → how it is set again. */
const DYNAMIC_COLOURS: readonly number[] = [10, 11, 12];

export class TrackedState {
  readonly #terminal: Terminal;
  pen = Pen.plain;
  readonly #screens: Readonly<Record<ScreenName, ScreenState>> = {
    normal: { region: null, saved: null },
    alternate: { region: null, saved: null },
  };
  readonly #modes = new Map<number, boolean>();
  readonly #charsets = new Map<string, string>();
  /** Null while they are where they are from the start. */
  #tabStops: Set<number> | null = null;
  #cursorStyle = 0;
  #shiftedOut = false;
  readonly #colours = new Map<string, string>();
  #title: string | null = null;

  /** `redrawn`: of that screen nothing of what was there before is there any more. */
  constructor(terminal: Terminal, redrawn: (which: ScreenName) => void) {
    this.#terminal = terminal;
    const { parser } = terminal;
    const csi = (
      id: { prefix?: string; intermediates?: string; final: string },
      hook: (p: Params) => void,
    ): void => {
      parser.registerCsiHandler(id, (params) => {
        hook(params);
        return false;
      });
    };
    const esc = (id: { intermediates?: string; final: string }, hook: () => void): void => {
      parser.registerEscHandler(id, () => {
        hook();
        return false;
      });
    };
    csi({ final: 'm' }, (params) => {
      this.pen = this.pen.after(params);
    });
    csi({ final: 'r' }, (params) => this.#setRegion(number(params[0]), number(params[1])));
    csi({ final: 's' }, () => this.#save());
    csi({ final: 'u' }, () => this.#restore());
    csi({ intermediates: ' ', final: 'q' }, (params) => {
      this.#cursorStyle = number(params[0]);
    });
    csi({ final: 'g' }, (params) => this.#clearTabStops(number(params[0])));
    csi({ prefix: '?', final: 'h' }, (params) => this.#setModes(params, true));
    csi({ prefix: '?', final: 'l' }, (params) => this.#setModes(params, false));
    csi({ intermediates: '!', final: 'p' }, () => this.#softReset());
    esc({ final: '7' }, () => this.#save());
    esc({ final: '8' }, () => this.#restore());
    esc({ final: 'H' }, () => this.#setTabStop());
    esc({ final: 'c' }, () => {
      this.#reset();
      redrawn('normal');
      redrawn('alternate');
    });
    csi({ final: 'J' }, (params) => {
      if (number(params[0]) === 2) redrawn(this.#terminal.buffer.active.type);
    });
    csi({ prefix: '?', final: 'h' }, (params) => {
      const isEntered = params.some((param) => param === 47 || param === 1047 || param === 1049);
      if (isEntered && terminal.buffer.active.type === 'normal') redrawn('alternate');
    });
    for (const slot of CHARSET_SLOTS) {
      for (const final of '0AB4C5RQKYE6ZH7='.split('')) {
        esc({ intermediates: slot, final }, () => this.#charsets.set(slot, final));
      }
    }
    this.#followStrings();
  }

  get hasRegion(): boolean {
    return this.#active.region !== null;
  }

  /** Of a run of bytes without open sequences: the control characters that no hook can see. */
  scan(bytes: Buffer): void {
    const out = bytes.lastIndexOf(0x0e);
    const back = bytes.lastIndexOf(0x0f);
    if (out !== back) this.#shiftedOut = out > back;
  }

  /** Rows may be gone; a terminal's own reset of its region is not announced. */
  resized(): void {
    this.#screens.normal.region = null;
    this.#screens.alternate.region = null;
  }

  /** After the normal screen's cells, when the alternate screen is shown: what leaving that one comes back to. */
  toAlternate(): string {
    const { region, saved } = this.#screens.normal;
    const { cursorX, cursorY } = this.#terminal.buffer.normal;
    return [
      regionSequence(region),
      position(Math.min(cursorX, this.#terminal.cols - 1), cursorY),
      (saved?.pen ?? Pen.plain).sequence,
      // It is entered with that pen, and filled with its background.
      '\u001b[?1049h\u001b[0m\u001b[2J\u001b[H',
    ].join('');
  }

  /** After all cells. */
  trailer(): string {
    const { buffer, cols, modes } = this.#terminal;
    const { active } = buffer;
    const { region, saved } = this.#active;
    return [
      regionSequence(region),
      this.#tabStopsSequence(cols),
      ...(saved ? [position(saved.x, saved.y), saved.pen.sequence, '\u001b7'] : []),
      modes.originMode ? '\u001b[?6h' : '',
      this.#cursorSequence(active.cursorX, active.cursorY - (modes.originMode ? (region?.top ?? 1) - 1 : 0)),
      this.pen.sequence,
      ...[...this.#charsets].map(([slot, final]) => `\u001b${slot}${final}`),
      this.#shiftedOut ? '\u000e' : '',
      this.#cursorStyle > 0 ? `\u001b[${this.#cursorStyle} q` : '',
      ...this.#colours.values(),
      this.#title === null ? '' : `\u001b]0;${this.#title}\u0007`,
      modesSequence(modes),
      ...[...this.#modes].map(([mode, isSet]) => `\u001b[?${mode}${isSet ? 'h' : 'l'}`),
    ].join('');
  }

  get #active(): ScreenState {
    return this.#screens[this.#terminal.buffer.active.type];
  }

  /** A cursor behind the last column (the next character wraps) gets there only by printing that column again. */
  #cursorSequence(x: number, row: number): string {
    const { buffer, cols } = this.#terminal;
    if (x < cols) return position(x, row);
    const { active } = buffer;
    const line = active.getLine(active.baseY + active.cursorY);
    if (!line) return position(cols - 1, row);
    const { from, text } = lastOf(line, cols);
    return position(from, row) + text;
  }

  #setRegion(top: number, bottom: number): void {
    const { rows } = this.#terminal;
    const first = Math.max(1, top);
    const last = bottom === 0 || bottom > rows ? rows : bottom;
    if (first < last)
      this.#active.region = first === 1 && last === rows ? null : { top: first, bottom: last };
  }

  #save(): void {
    const { cursorX, cursorY } = this.#terminal.buffer.active;
    this.#active.saved = { x: cursorX, y: cursorY, pen: this.pen };
  }

  #restore(): void {
    this.pen = this.#active.saved?.pen ?? Pen.plain;
  }

  #setModes(params: Params, isSet: boolean): void {
    for (const param of params) {
      if (typeof param !== 'number') continue;
      if (PRIVATE_MODES.has(param)) {
        if (PRIVATE_MODES.get(param) === isSet) this.#modes.delete(param);
        else this.#modes.set(param, isSet);
      }
      if (param === 1048 || param === 1049) {
        if (isSet) this.#save();
        else this.#pen1049();
      }
      // The alternate screen begins anew each time.
      if (isSet && (param === 47 || param === 1047 || param === 1049)) {
        this.#screens.alternate.region = null;
        this.#screens.alternate.saved = null;
      }
    }
  }

  /** Leaving the alternate screen restores the normal one's cursor. */
  #pen1049(): void {
    this.pen = this.#screens.normal.saved?.pen ?? Pen.plain;
  }

  #clearTabStops(kind: number): void {
    if (kind === 3) this.#tabStops = new Set();
    else if (kind === 0) this.#stops().delete(this.#terminal.buffer.active.cursorX);
  }

  #setTabStop(): void {
    this.#stops().add(this.#terminal.buffer.active.cursorX);
  }

  #stops(): Set<number> {
    const count = Math.ceil(this.#terminal.cols / 8);
    this.#tabStops ??= new Set(Array.from({ length: count }, (_, i) => i * 8));
    return this.#tabStops;
  }

  #tabStopsSequence(cols: number): string {
    if (!this.#tabStops) return '';
    const stops = [...this.#tabStops].filter((stop) => stop < cols);
    return ['\u001b[3g', ...stops.map((stop) => `\u001b[1;${stop + 1}H\u001bH`)].join('');
  }

  #softReset(): void {
    this.pen = Pen.plain;
    this.#active.region = null;
    this.#active.saved = null;
    this.#modes.delete(25);
    this.#charsets.clear();
    this.#shiftedOut = false;
  }

  #reset(): void {
    this.#softReset();
    for (const screen of [this.#screens.normal, this.#screens.alternate]) {
      screen.region = null;
      screen.saved = null;
    }
    this.#modes.clear();
    this.#tabStops = null;
    this.#cursorStyle = 0;
    this.#colours.clear();
  }

  #followStrings(): void {
    const { parser } = this.#terminal;
    const osc = (id: number, hook: (data: string) => void): void => {
      parser.registerOscHandler(id, (data) => {
        if (data.length <= TEXT_CHARS) hook(data);
        return false;
      });
    };
    for (const id of [0, 2]) osc(id, (data) => (this.#title = data));
    for (const id of DYNAMIC_COLOURS) {
      osc(id, (data) => {
        if (!data.includes('?')) this.#colours.set(String(id), `\u001b]${id};${data}\u0007`);
      });
      osc(100 + id, () => this.#colours.delete(String(id)));
    }
    osc(4, (data) => {
      if (data.includes('?')) return;
      const pairs = data.split(';');
      for (let at = 0; at + 1 < pairs.length && this.#colours.size < PALETTE_ENTRIES; at += 2) {
        this.#colours.set(`4;${pairs[at]}`, `\u001b]4;${pairs[at]};${pairs[at + 1]}\u0007`);
      }
    });
    osc(104, (data) => {
      const names = data === '' ? null : data.split(';').map((index) => `4;${index}`);
      for (const name of this.#colours.keys()) {
        if (name.startsWith('4;') && (names?.includes(name) ?? true)) this.#colours.delete(name);
      }
    });
  }
}

type Params = readonly (number | readonly number[])[];

const number = (param: number | readonly number[] | undefined): number =>
  typeof param === 'number' ? param : 0;

const position = (x: number, y: number): string => `\u001b[${y + 1};${x + 1}H`;

const regionSequence = (region: ScreenState['region']): string =>
  region ? `\u001b[${region.top};${region.bottom}r` : '';

/** The modes that a terminal tells of itself, as far as they are not as at the beginning; origin mode is set before. */
function modesSequence(modes: Terminal['modes']): string {
  const mouse = {
    none: '',
    x10: '\u001b[?9h',
    vt200: '\u001b[?1000h',
    drag: '\u001b[?1002h',
    any: '\u001b[?1003h',
  };
  return [
    modes.applicationCursorKeysMode ? '\u001b[?1h' : '',
    modes.applicationKeypadMode ? '\u001b=' : '',
    modes.bracketedPasteMode ? '\u001b[?2004h' : '',
    modes.insertMode ? '\u001b[4h' : '',
    modes.reverseWraparoundMode ? '\u001b[?45h' : '',
    modes.sendFocusMode ? '\u001b[?1004h' : '',
    modes.wraparoundMode ? '' : '\u001b[?7l',
    mouse[modes.mouseTrackingMode],
  ].join('');
}
