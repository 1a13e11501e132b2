// State of a terminal beyond its cells and reported modes, tracked by parser hooks or read from the internals
// of xterm.js.
import type { Terminal } from '@xterm/headless';
import { followKeyRequests, type KeyReporting } from '../../text/key-reporting.ts';
import { hasSaved, savedRow } from '../../text/terminal-saving.ts';
import { CellLinks, openLink } from './cell-links.ts';
import { DO_NOT_PROTECT, lastOf, PROTECT } from './cells.ts';
import { asciiSequence, Charsets, charsetsSequence, type Designated } from './charsets.ts';
import { insideOf, type InnerScreen, type ScreenName } from './inside.ts';
import { Pen } from './pen.ts';
import { SetModes } from './set-modes.ts';
import { SetStrings } from './set-strings.ts';

/** State that is saved with a cursor and cannot be read. */
interface Saved {
  readonly pen: Pen;
  readonly charsets: Designated;
}

const NOTHING_SAVED: Saved = { pen: Pen.plain, charsets: [] };

export class TrackedState {
  readonly #terminal: Terminal;
  pen = Pen.plain;
  readonly #saved: Record<ScreenName, Saved> = { normal: NOTHING_SAVED, alternate: NOTHING_SAVED };
  readonly #modes = new SetModes();
  readonly #keys: KeyReporting;
  readonly #charsets: Charsets;
  #cursorStyle = 0;
  readonly #strings: SetStrings;

  /** Calls `redrawn` when nothing of a screen's earlier content is left. */
  constructor(terminal: Terminal, redrawn: (which: ScreenName) => void) {
    this.#terminal = terminal;
    this.#charsets = new Charsets(terminal);
    this.#strings = new SetStrings(terminal);
    this.#keys = followKeyRequests(terminal);
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
    csi({ final: 's' }, () => this.#save());
    csi({ final: 'u' }, () => this.#restore());
    csi({ intermediates: ' ', final: 'q' }, (params) => {
      this.#cursorStyle = number(params[0]);
    });
    for (const final of ['h', 'l'] as const) {
      csi({ final }, (params) => {
        for (const mode of params) this.#modes.keep(String(number(mode)), final);
      });
      csi({ prefix: '?', final }, (params) => {
        for (const mode of params) this.#modes.keep(`?${number(mode)}`, final);
        this.#setModes(params, final === 'h');
      });
    }
    csi({ intermediates: '!', final: 'p' }, () => this.#softReset());
    esc({ final: '7' }, () => this.#save());
    esc({ final: '8' }, () => this.#restore());
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
  }

  get hasRegion(): boolean {
    return this.#regionOf(this.#shown) !== '';
  }

  /**
   * Returns the sequence for the alternate screen's keyboard flags, to be written before all cells when the normal
   * screen is shown.
   */
  header(): string {
    return this.#keys.hiddenFlagsSequence();
  }

  /**
   * Returns the switch to the alternate screen, to be written after the normal screen's cells, because
   * leaving the alternate screen restores them.
   */
  toAlternate(): string {
    return [
      this.#regionOf('normal'),
      this.#tabStopsOf('normal'),
      this.#keys.flagsSequence('normal'),
      this.#switchToAlternate(),
      // xterm.js has a region for each screen; other terminals have one for both, which is therefore reset.
      this.#regionOf('normal') && '\u001b[r',
      // The switch fills the alternate screen with the background of the current pen, so it is cleared with a plain
      // one.
      '\u001b[0m\u001b[2J\u001b[H',
    ].join('');
  }

  /**
   * Returns a switch that leaves the normal screen's cursor in place, because its row decides which lines a resize to
   * fewer rows drops. Mode 1049, the only one that some terminals support, saves the cursor, so it is used only if that
   * cursor is already saved.
   */
  #switchToAlternate(): string {
    const { cursorX, cursorY } = this.#terminal.buffer.normal;
    const screen = this.#screen('normal');
    const isSaved = hasSaved(screen) && screen.savedX === cursorX && savedRow(screen) === cursorY;
    if (isSaved) return this.#saving('normal', '\u001b[?1049h');
    return [
      this.#saving('normal', '\u001b7'),
      this.#cursorSequence('normal', cursorX, cursorY, false),
      '\u001b[?1047h',
    ].join('');
  }

  /** Returns the settings to be written after all cells. */
  trailer(): string {
    const { buffer, modes } = this.#terminal;
    const { cursorX, cursorY } = buffer.active;
    const { charsetLevel, isProtected, link } = insideOf(this.#terminal);
    return [
      this.#regionOf(this.#shown),
      this.#tabStopsOf(this.#shown),
      this.#saving(this.#shown, '\u001b7'),
      modes.originMode ? '\u001b[?6h' : '',
      this.#cursorSequence(this.#shown, cursorX, cursorY, modes.originMode),
      this.pen.sequence,
      isProtected ? PROTECT : '',
      link ? openLink(link) : '',
      charsetsSequence(this.#charsets.designated, charsetLevel),
      this.#cursorStyle > 0 ? `\u001b[${this.#cursorStyle} q` : '',
      this.#strings.sequence,
      modesSequence(modes),
      this.#modes.sequence,
      this.#keys.resourcesSequence(),
      this.#keys.flagsSequence(this.#shown),
    ].join('');
  }

  get #shown(): ScreenName {
    return this.#terminal.buffer.active.type;
  }

  #screen(which: ScreenName): InnerScreen {
    return insideOf(this.#terminal).screens[which];
  }

  /**
   * Returns a sequence that sets up a screen's saved state, saves it with `save`, and then resets everything except
   * cursor and pen; empty when nothing is saved, because a resize would move a cursor that is saved here.
   */
  #saving(which: ScreenName, save: string): string {
    const screen = this.#screen(which);
    if (!hasSaved(screen)) return '';
    const { pen, charsets } = this.#saved[which];
    const isProtected = screen.savedCurAttrData.isProtected() !== 0;
    const row = savedRow(screen);
    return [
      screen.savedOriginMode ? '\u001b[?6h' : '',
      this.#cursorSequence(which, screen.savedX, row, screen.savedOriginMode),
      screen.savedWraparoundMode ? '' : '\u001b[?7l',
      charsetsSequence(charsets, screen.savedGlevel),
      pen.sequence,
      isProtected ? PROTECT : '',
      save,
      isProtected ? DO_NOT_PROTECT : '',
      screen.savedOriginMode ? '\u001b[?6l' : '',
      screen.savedWraparoundMode ? '' : '\u001b[?7h',
      asciiSequence(charsets, screen.savedGlevel),
    ].join('');
  }

  /**
   * Returns the sequence that moves the cursor. It sets a pending wrap by printing the last column again,
   * which is the only way.
   */
  #cursorSequence(which: ScreenName, x: number, y: number, isOriginMode: boolean): string {
    const { buffer, cols } = this.#terminal;
    const row = Math.max(0, y - (isOriginMode ? this.#screen(which).scrollTop : 0));
    if (x < cols) return position(x, row);
    const line = buffer[which].getLine(buffer[which].baseY + y);
    if (!line) return position(cols - 1, row);
    const links = new CellLinks(this.#terminal);
    const { from, text } = lastOf(line, cols, links);
    return position(from, row) + text + links.close();
  }

  #regionOf(which: ScreenName): string {
    const { scrollTop, scrollBottom } = this.#screen(which);
    const isWhole = scrollTop === 0 && scrollBottom === this.#terminal.rows - 1;
    return isWhole ? '' : `\u001b[${scrollTop + 1};${scrollBottom + 1}r`;
  }

  #tabStopsOf(which: ScreenName): string {
    const { tabs } = this.#screen(which);
    const columns = Array.from({ length: this.#terminal.cols }, (_, x) => x);
    const areUsual = columns.every((x) => x in tabs === (x % 8 === 0));
    // The normal screen's tab stops were set before, and other terminals have one set for both screens.
    if (areUsual && (which === 'normal' || this.#tabStopsOf('normal') === '')) return '';
    const stops = columns.filter((x) => x in tabs);
    return ['\u001b[3g', ...stops.map((x) => `${position(x, 0)}\u001bH`)].join('');
  }

  #save(): void {
    this.#saved[this.#shown] = { pen: this.pen, charsets: this.#charsets.designated };
  }

  #restore(which = this.#shown): void {
    const { pen, charsets } = this.#saved[which];
    this.pen = pen;
    this.#charsets.designated = charsets;
  }

  #setModes(params: Params, isSet: boolean): void {
    for (const param of params) {
      if (typeof param !== 'number') continue;
      // Mode 2 designates all sets as ASCII, and leaves VT52, which is not supported.
      if (isSet && param === 2) this.#charsets.reset();
      if (isSet && (param === 1048 || param === 1049)) this.#save();
      else if (param === 1048) this.#restore();
      // Leaving the alternate screen restores the normal one's cursor.
      else if (param === 1049) this.#restore('normal');
    }
  }

  #softReset(): void {
    this.pen = Pen.plain;
    this.#saved[this.#shown] = NOTHING_SAVED;
    this.#charsets.reset();
  }

  #reset(): void {
    this.#softReset();
    this.#saved.normal = NOTHING_SAVED;
    this.#saved.alternate = NOTHING_SAVED;
    this.#modes.reset();
    this.#cursorStyle = 0;
    this.#strings.reset();
  }
}

type Params = readonly (number | readonly number[])[];

const number = (param: number | readonly number[] | undefined): number =>
  typeof param === 'number' ? param : 0;

const position = (x: number, y: number): string => `\u001b[${y + 1};${x + 1}H`;

/** Returns the modes that a terminal reports and that differ from the defaults; origin mode is set elsewhere. */
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
    modes.showCursor ? '' : '\u001b[?25l',
    modes.synchronizedOutputMode ? '\u001b[?2026h' : '',
    modes.wraparoundMode ? '' : '\u001b[?7l',
    mouse[modes.mouseTrackingMode],
  ].join('');
}
