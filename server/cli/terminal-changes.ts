// Tracks the terminal state that output changes apart from the screen, and creates the sequences that undo the changes.
import { outsideChanges } from './outside-changes.ts';
import type { Csi, Escape, Param, Sequence } from './sequence-parser.ts';

const CSI = '\u001b[';
/** Ends VT52 mode, in which a terminal recognizes none of the other sequences. */
const VT52_LEFT = '\u001b<';

const CURSOR_SHOWN = 25;
const ON_AT_FIRST: ReadonlySet<number> = new Set([7, 8, CURSOR_SHOWN]);
/**
 * Modes of the mouse wheel, the Alt and Num Lock keys, and the alternate screen, whose defaults differ between
 * terminals. They are saved (XTSAVE) and restored; terminals without XTSAVE keep the program's settings.
 */
const DIFFERENT_AT_FIRST: ReadonlySet<number> = new Set([1007, 1034, 1035, 1036, 1039, 1046]);
const OTHER_SCREEN: ReadonlySet<number> = new Set([47, 1047, 1049]);
/** Mode that is on by default: the terminal does not echo typed text itself. */
const ANSI_ON_AT_FIRST = 12;
/** Highest mode whose change is always remembered; higher modes are ignored once there are MOST_CHANGES changes. */
const HIGHEST_MODE = 9999;
const MOST_CHANGES = 1024;
const HIGHEST_KEY_FORMAT = 9;
const TAB_WIDTH = 8;
const MOST_COLUMNS = 2000;

/**
 * Order in which changes are undone: first those that prevent a terminal from interpreting the other undo sequences,
 * and last the saved cursor.
 */
const TURNS = [
  ...(['hearing', 'outside', 'otherScreen', 'screen', 'modes'] as const),
  ...(['area', 'letters', 'keys', 'look', 'saved'] as const),
];
type Turn = (typeof TURNS)[number];

/**
 * Changes that a saved cursor includes; they are undone even if the program has reset them, since restoring the
 * cursor may bring them back.
 */
const SAVED_WITH_CURSOR: ReadonlySet<Turn> = new Set(['area', 'letters']);

/** Settings by prefix, middle and final characters: the turn, the default number, and the undo sequence after CSI. */
const SETTINGS: { readonly [name: string]: readonly [turn: Turn, first: number, undo: string] } = {
  i: ['hearing', 4, '4i'],
  '?i': ['hearing', 4, '?4i'],
  '$}': ['hearing', 0, '0$}'],
  '"q': ['letters', 0, '0"q'],
  '*x': ['letters', 0, '0*x'],
  '>s': ['keys', 0, '>0s'],
  ' q': ['look', 0, '0 q'],
  q: ['look', 0, '0q'],
  '$~': ['look', 0, '0$~'],
  '>p': ['look', 1, '>1p'],
};

/**
 * Character set slots (G0 to G3) by the intermediate character that designates a set to them; a slot is named after the
 * intermediate character for sets of 94 characters.
 */
const SLOTS: { readonly [middle: string]: string } = {
  '(': '(',
  ')': ')',
  '*': '*',
  '+': '+',
  '-': ')',
  '.': '*',
  '/': '+',
};

const SAVED = ['saved', 'saved', `${CSI}m\u001b7`] as const;

/**
 * Turns origin mode off and removes margins; both move the cursor to the first line, so the cursor is saved and
 * restored. Restoring the cursor turns the mode on again in terminals without a soft reset, such as tmux, so the mode
 * is turned off once more between 1049h and 1049l: the cursor that these save and restore does not include the mode.
 */
const NO_ORIGIN = `${CSI}!p\u001b7${CSI}r${CSI}?6l\u001b8${CSI}?1049h${CSI}?6l${CSI}?1049l`;

/** Escape sequences with one undo sequence, by intermediate and final characters: name, turn and undo sequence. */
const SHORT: { readonly [letters: string]: readonly [name: string, turn: Turn, undo: string] } = {
  n: ['shift', 'letters', '\u000f'],
  o: ['shift', 'letters', '\u000f'],
  '|': ['right', 'letters', '\u001b}'],
  '~': ['right', 'letters', '\u001b}'],
  V: ['guarded', 'letters', '\u001bW'],
  '%@': ['coding', 'letters', '\u001b%G'],
  ' G': ['answers', 'keys', '\u001b F'],
  '=': ['keypad', 'keys', '\u001b>'],
  '7': SAVED,
};
const SHORT_UNDOES: { readonly [letters: string]: string } = { ' F': 'answers', '>': 'keypad' };

export class TerminalChanges {
  readonly #changes = new Map<string, { readonly turn: Turn; readonly undo: string }>();
  /** Number of keyboard modes on kitty's stacks that the program has pushed and not popped, for each screen. */
  #pushed = { main: 0, other: 0 };
  #hasOtherTabs = false;
  /** True when text may be printed with a colour or an attribute, which a saved cursor includes. */
  #isPenChanged = false;
  /** Modes whose former state must be saved before the sequences that change them are written. */
  #unsaved: number[] = [];

  control(control: string): void {
    if (control === '\u000e') this.#change('shift', 'letters', '\u000f');
  }

  sequence(sequence: Sequence): void {
    if (sequence.kind === 'csi') this.#csi(sequence);
    else if (sequence.kind === 'escape') this.#escape(sequence);
    else if (sequence.opener === ']' && sequence.payload !== null) this.#osc(sequence.payload);
  }

  /**
   * Returns the sequence that saves the modes in `#unsaved`, and empties that list; `''` when it is empty. The sequence
   * must be written before those that change the modes.
   */
  takeSaving(): string {
    const modes = this.#unsaved.splice(0);
    return modes.length > 0 ? `${CSI}?${modes.join(';')}s` : '';
  }

  /** Forgets the changes of modes that can no longer be saved, so that `undo` does not restore these modes. */
  leaveUnsaved(): void {
    for (const mode of this.#unsaved.splice(0)) this.#changes.delete(nameOf(mode));
  }

  /**
   * Returns the sequences that restore a terminal of this width, and forgets the changes; empty if there are none. The
   * caller resets the colours and attributes of later text.
   */
  undo(columns: number): string {
    const { main, other } = this.#pushed;
    if (other > 0) {
      const popped = `${CSI}<${other}u`;
      const isThere = this.#screen === 'other';
      this.#change('pushed', 'otherScreen', isThere ? popped : `${CSI}?1047h${popped}${CSI}?1047l`);
    }
    if (main > 0) this.#change('pushed on main', 'modes', `${CSI}<${main}u`);
    if (this.#hasOtherTabs) this.#change('tabs', 'area', tabs(columns));
    // Some undo sequences save the cursor themselves, before the character sets are reset, so the saved cursor is
    // undone last.
    if ([...this.#changes.values()].some(({ undo }) => undo.includes('\u001b7'))) this.#change(...SAVED);
    const undone = [...this.#changes]
      .toSorted(
        ([one, { turn: first }], [other, { turn: second }]) =>
          TURNS.indexOf(first) - TURNS.indexOf(second) || (one < other ? -1 : 1),
      )
      .map(([, { undo }]) => undo);
    this.#changes.clear();
    this.#forget();
    return undone.join('');
  }

  #csi({ prefix, params, middle, final }: Csi): void {
    const name = `${prefix}${middle}${final}`;
    const [first = null] = params[0] ?? [];
    const setting = SETTINGS[name];
    if (setting) {
      const [turn, at, undo] = setting;
      this.#set(name, (first ?? at) !== at, turn, `${CSI}${undo}`);
      return;
    }
    switch (name) {
      case '?h':
      case '?l':
        for (const [mode] of params) this.#mode(mode ?? 0, final === 'h');
        break;
      case 'h':
      case 'l':
        for (const [mode] of params) this.#ansiMode(mode ?? 0, final === 'h');
        break;
      case 'r':
        if (params.some(([row]) => row !== null)) this.#change('margins', 'area', `\u001b7${CSI}r\u001b8`);
        break;
      case 's':
        this.#change(...SAVED);
        break;
      case 'm':
        this.#isPenChanged = (params.at(-1)?.[0] ?? 0) !== 0;
        break;
      // Sequence ?5W resets the tab stops, but not in every terminal, so it counts as a change, too.
      case 'g':
      case 'W':
      case '?W':
        this.#hasOtherTabs = true;
        break;
      default:
        this.#keyboard(name, params);
    }
  }

  #keyboard(name: string, params: readonly Param[]): void {
    const [first = null] = params[0] ?? [];
    const screen = this.#screen;
    if (name === '>u') this.#pushed[screen] += 1;
    else if (name === '<u') this.#pushed[screen] = Math.max(0, this.#pushed[screen] - (first || 1));
    else if (name === '=u' && this.#pushed[screen] === 0) {
      const turn = screen === 'main' ? 'modes' : 'otherScreen';
      this.#set(`set on ${screen}`, first !== 0, turn, `${CSI}=0u`);
    } else if (name === '>f' && (first ?? 0) <= HIGHEST_KEY_FORMAT) {
      this.#set(`key spelling ${first}`, params.length > 1, 'keys', `${CSI}>${first ?? 0}f`);
    } else if ((name === '>m' || name === '>n') && (first ?? 0) <= HIGHEST_KEY_FORMAT) {
      const value = params[1]?.[0] ?? null;
      const isSet = name === '>n' || (value !== null && !(first === 4 && value === 0));
      this.#set(`key format ${first}`, isSet, 'keys', `${CSI}>${first ?? 2}m`);
    }
  }

  #mode(mode: number, isOn: boolean): void {
    if (!this.#isRemembered(mode)) return;
    const off = `${CSI}?${mode}l`;
    const name = nameOf(mode);
    if (OTHER_SCREEN.has(mode)) {
      this.#set(name, isOn, 'screen', off);
      const isSaved = [...this.#changes.values()].some(({ turn }) => SAVED_WITH_CURSOR.has(turn));
      if (isOn && (isSaved || this.#isPenChanged || this.#changes.has('link'))) this.#change(...SAVED);
    } else if (mode === 2) this.#set(name, !isOn, 'hearing', VT52_LEFT);
    else if (mode === 6) {
      if (isOn) this.#change(name, 'area', NO_ORIGIN);
    } else if (mode === 1048) this.#change(...SAVED);
    else if (DIFFERENT_AT_FIRST.has(mode)) {
      if (!this.#changes.has(name)) this.#unsaved.push(mode);
      this.#change(name, 'modes', `${CSI}?${mode}r`);
    } else if (ON_AT_FIRST.has(mode))
      this.#set(name, !isOn, mode === 7 ? 'area' : 'modes', `${CSI}?${mode}h`);
    else this.#set(name, isOn, mode === 2026 ? 'hearing' : 'modes', off);
  }

  #ansiMode(mode: number, isOn: boolean): void {
    if (!this.#isRemembered(mode)) return;
    const isFirst = isOn === (mode === ANSI_ON_AT_FIRST);
    this.#set(`ansi ${nameOf(mode)}`, !isFirst, 'modes', `${CSI}${mode}${isOn ? 'l' : 'h'}`);
  }

  #isRemembered(mode: number): boolean {
    return mode <= HIGHEST_MODE || this.#changes.size < MOST_CHANGES;
  }

  #escape({ middle, final }: Escape): void {
    const letters = `${middle}${final}`;
    const slot = SLOTS[middle[0] ?? ''];
    const short = SHORT[letters];
    if (slot !== undefined) {
      if (letters !== `${slot}B`) this.#change(`slot ${slot}`, 'letters', `\u001b${slot}B`);
    } else if (short) this.#change(...short);
    else if (letters === 'H') this.#hasOtherTabs = true;
    else if (letters === 'c') this.#reset();
    else this.#changes.delete(SHORT_UNDOES[letters] ?? '');
  }

  #osc(payload: string): void {
    for (const { name, undo } of outsideChanges(payload)) {
      if (undo === null) this.#changes.delete(name);
      else this.#change(name, 'outside', undo);
    }
  }

  get #screen(): 'main' | 'other' {
    return [...OTHER_SCREEN].some((mode) => this.#changes.has(nameOf(mode))) ? 'other' : 'main';
  }

  #set(name: string, isChanged: boolean, turn: Turn, undo: string): void {
    if (isChanged) this.#change(name, turn, undo);
    else if (!SAVED_WITH_CURSOR.has(turn)) this.#changes.delete(name);
  }

  #change(name: string, turn: Turn, undo: string): void {
    this.#changes.set(name, { turn, undo });
  }

  /**
   * Handles a full reset, which undoes all changes except those by OSC strings (palette, links and the like), and in
   * some terminals leaves the cursor hidden.
   */
  #reset(): void {
    for (const [name, { turn }] of this.#changes)
      if (turn !== 'outside' && name !== nameOf(CURSOR_SHOWN)) this.#changes.delete(name);
    this.#forget();
  }

  #forget(): void {
    this.#pushed = { main: 0, other: 0 };
    this.#hasOtherTabs = false;
    this.#isPenChanged = false;
  }
}

/** Returns a name that sorts by number. */
const nameOf = (mode: number): string => `mode ${String(mode).padStart(5, '0')}`;

/** Returns the sequences that set the default tab stops and leave the cursor in place. */
function tabs(columns: number): string {
  const stops: string[] = [];
  for (let column = 1 + TAB_WIDTH; column <= Math.min(columns, MOST_COLUMNS); column += TAB_WIDTH)
    stops.push(`${CSI}${column}G\u001bH`);
  return `\u001b7${CSI}3g${stops.join('')}\u001b8`;
}
