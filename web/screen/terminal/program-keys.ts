// Keys in the encoding that the program requested: the kitty keyboard protocol, which xterm.js encodes, or xterm's
// modifyOtherKeys, which it does not. Requests are tracked here because xterm.js confuses those of its two screens.
import type { Terminal } from '@xterm/xterm';
import { followKeyRequests, type KeyReporting } from '../../../text/key-reporting.ts';
import { internalsFor } from '../../../text/xterm-internals.ts';
import type { Platform } from '../../state/page/platform.ts';

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'shiftKey' | 'altKey'>;

const NO_MODIFIER = { ctrlKey: false, shiftKey: false, altKey: false, metaKey: false };
const SHIFT = 1;
const ALT = 2;
const CTRL = 4;
/** Codes of the keys that produce a control character by themselves. */
const CODES: ReadonlyMap<string, number> = new Map([
  ['Enter', 13],
  ['Tab', 9],
  ['Escape', 27],
  ['Backspace', 127],
]);
// oxlint-disable-next-line no-control-regex -- this is a control sequence
const SPELT_WITHOUT_MODIFIER = /^\u001b\[(\d{1,5})u$/;
/** F3 in its legacy encoding, which is also a cursor position report; the kitty protocol has a number for it. */
// oxlint-disable-next-line no-control-regex -- this is a control sequence
const OLD_F3 = /^\u001b(?:O|\[1;([\d:]+))R$/;
/** Keys that produce control characters with Ctrl, including digits and slash. */
const CONTROL_INPUT = /^[a-z@[\\\]^_ ?/2-8]$/i;
const LETTER = /^[a-z]$/i;

export class ProgramKeys {
  readonly #terminal: Terminal;
  /** Internals of xterm.js; if null, xterm.js encodes keys by its own flags. */
  readonly #internals: ReturnType<typeof internalsFor>;
  readonly #keys: KeyReporting;
  /** `KeyboardEvent.code` of each key pressed in this terminal and not yet released; other releases are not sent. */
  readonly #down = new Set<string>();

  /** Construct this before the handlers that decide which queries are answered: xterm.js calls the newest first. */
  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#internals = internalsFor(terminal, 'keys');
    this.#keys = followKeyRequests(terminal);
    this.#spellF3();
    const { parser } = terminal;
    parser.registerCsiHandler({ prefix: '?', final: 'u' }, () => {
      this.#setFlags(this.#flags);
      return false;
    });
    parser.registerCsiHandler({ prefix: '?', final: 'm' }, ([resource]) => {
      if (resource === 4) terminal.input(`\u001b[>4;${this.#keys.modifyOtherKeys}m`, false);
      return true;
    });
  }

  /** Returns false when the event was handled here and the terminal must ignore it. */
  handle(event: KeyboardEvent, platform: Platform): boolean {
    if (event.type === 'keyup') {
      this.#setFlags(this.#down.delete(event.code) ? this.#flags : 0);
      return true;
    }
    if (event.type !== 'keydown') return true;
    // Platform shortcuts go to the browser.
    const isPlatforms = event.metaKey || event.key === 'Meta';
    this.#setFlags(isPlatforms ? 0 : this.#flags);
    if (!isPlatforms) this.#down.add(event.code);
    // AltGr, and Option on a Mac, produce characters on some keyboard layouts.
    const isThirdLevel =
      event.getModifierState('AltGraph') || (platform === 'mac' && event.altKey && !event.ctrlKey);
    if (this.#flags > 0 || isPlatforms || isThirdLevel || event.isComposing) return true;
    const spelt = this.#otherKey(event);
    if (spelt === null) return true;
    event.preventDefault();
    event.stopPropagation();
    this.#terminal.input(spelt, true);
    return false;
  }

  /**
   * Returns the bytes for a key that the page presses, such as one of its on-screen keys; null when the program
   * requested no encoding that covers it.
   */
  spelt(key: Pick<Key, 'key'> & Partial<Key>): string | null {
    const event = { ...NO_MODIFIER, code: '', keyCode: 0, repeat: false, type: 'keydown', ...key };
    if (this.#flags === 0) return this.#otherKey(event);
    this.#setFlags(this.#flags);
    return this.#internals?.['_keyboardService'].evaluateKeyDown(event).key ?? null;
  }

  /**
   * Returns the bytes for the terminal's `data` as if Ctrl were held; null when `data` is not a single key, or the
   * program requested no encoding that covers it.
   */
  withCtrl(data: string): string | null {
    const [, code] = SPELT_WITHOUT_MODIFIER.exec(data) ?? [];
    const key = code === undefined ? data : String.fromCodePoint(Number(code));
    return Array.from(key).length === 1 ? this.spelt({ key, ctrlKey: true }) : null;
  }

  #spellF3(): void {
    if (!this.#internals) return;
    const { _keyboardService: service } = this.#internals;
    for (const name of ['evaluateKeyDown', 'evaluateKeyUp'] as const) {
      const evaluate = service[name].bind(service) as (event: object) => { readonly key?: string };
      service[name] = (event: object) => {
        const result = evaluate(event);
        const [found, modifiers] = (this.#flags > 0 && OLD_F3.exec(result?.key ?? '')) || [];
        if (found === undefined) return result;
        return { ...result, key: modifiers === undefined ? '\u001b[13~' : `\u001b[13;${modifiers}~` };
      };
    }
  }

  get #flags(): number {
    return this.#keys.flags(this.#terminal.buffer.active.type);
  }

  /** Sets the kitty keyboard flags of xterm.js; called before each use, since xterm.js also changes them. */
  #setFlags(flags: number): void {
    if (this.#internals) this.#internals.coreService.kittyKeyboard.flags = flags;
  }

  #otherKey(event: Key): string | null {
    const { modifyOtherKeys: level, isShort } = this.#keys;
    const modifiers = modifiersOf(event);
    const code = level > 0 && modifiers > 0 ? otherKeyCode(event, modifiers, level) : null;
    if (code === null) return null;
    return isShort ? `\u001b[${code};${modifiers + 1}u` : `\u001b[27;${modifiers + 1};${code}~`;
  }
}

const modifiersOf = ({ shiftKey, altKey, ctrlKey }: Key): number =>
  (shiftKey ? SHIFT : 0) | (altKey ? ALT : 0) | (ctrlKey ? CTRL : 0);

/**
 * Returns the code to send, as xterm does: level 1 covers keys that would otherwise be lost, level 2 all keys whose
 * modifier would be lost; null for a key that is sent as usual.
 */
function otherKeyCode({ key }: Key, modifiers: number, level: number): number | null {
  // Shift+Tab has its own sequence.
  if (key === 'Tab' && modifiers === SHIFT) return null;
  if (key === 'Enter' || key === 'Tab') return CODES.get(key) ?? null;
  const code = CODES.get(key) ?? (Array.from(key).length === 1 ? (key.codePointAt(0) ?? null) : null);
  if (level > 1) return modifiers === SHIFT && key !== ' ' && !CODES.has(key) ? null : code;
  // Ctrl+Shift with a letter would produce the same control character as Ctrl, so the letter needs a code.
  const isShifted = (modifiers & SHIFT) !== 0 && LETTER.test(key);
  const hasAlways = (modifiers & CTRL) === 0 || CODES.has(key) || (CONTROL_INPUT.test(key) && !isShifted);
  return hasAlways ? null : code;
}
