// Settings made by OSC strings, which a terminal does not report: titles, colours, pointer shape, progress.
import type { Terminal } from '@xterm/headless';
import { range } from './pen.ts';

/** Maximum number of palette entries, because a program may set any number; the first ones are retained. */
const MOST_COLOURS = 256;
/** Maximum length of a string; a longer one is omitted. */
const TEXT_CHARS = 4096;

/** OSC numbers of titles: window and icon, icon only, window only; titles survive a reset. */
const TITLES: readonly number[] = [0, 1, 2];
/**
 * OSC numbers of the colours of text, background, cursor, pointer, highlight …; the number plus 100 resets a colour.
 */
const COLOURS: readonly number[] = range(10, 19);
const POINTER_SHAPE = 22;
const PROGRESS = 'progress';
const IS_PROGRESS = /^4;/;
const IS_NO_PROGRESS = /^4(?:$|;0*(?:;|$))/;

export class SetStrings {
  /** Setting → the string that sets it, in order of setting, because one string may override another. */
  readonly #strings = new Map<string, string>();
  /** Palette entry → the string that sets it, in order of setting. */
  readonly #palette = new Map<string, string>();

  constructor({ parser }: Terminal) {
    const osc = (id: number, hook: (data: string) => void): void => {
      parser.registerOscHandler(id, (data) => {
        if (data.length <= TEXT_CHARS) hook(data);
        return false;
      });
    };
    for (const id of TITLES) osc(id, (data) => keep(this.#strings, String(id), `${id};${data}`));
    for (const id of COLOURS) {
      osc(id, (data) => {
        for (const [which, colour] of coloursOf(id, data)) keep(this.#strings, which, `${which};${colour}`);
      });
    }
    osc(POINTER_SHAPE, (data) => {
      if (!data.includes('?')) keep(this.#strings, String(POINTER_SHAPE), `${POINTER_SHAPE};${data}`);
    });
    for (const id of COLOURS) osc(100 + id, () => this.#strings.delete(String(id)));
    osc(4, (data) => {
      if (data.includes('?')) return;
      const pairs = data.split(';');
      for (let at = 0; at + 1 < pairs.length; at += 2) this.#keepColour(pairs[at] ?? '', pairs[at + 1] ?? '');
    });
    osc(104, (data) => {
      if (data === '') this.#palette.clear();
      else for (const index of data.split(';')) this.#palette.delete(index);
    });
    osc(9, (data) => {
      if (IS_NO_PROGRESS.test(data)) this.#strings.delete(PROGRESS);
      else if (IS_PROGRESS.test(data)) keep(this.#strings, PROGRESS, `9;${data}`);
    });
  }

  /** Sequence that restores all settings in a fresh terminal. */
  get sequence(): string {
    return [...this.#strings.values(), ...this.#palette.values()].join('');
  }

  reset(): void {
    for (const name of this.#strings.keys()) if (!TITLES.includes(Number(name))) this.#strings.delete(name);
    this.#palette.clear();
  }

  #keepColour(index: string, colour: string): void {
    if (this.#palette.size < MOST_COLOURS || this.#palette.has(index))
      keep(this.#palette, index, `4;${index};${colour}`);
  }
}

function keep(strings: Map<string, string>, name: string, string: string): void {
  strings.delete(name);
  strings.set(name, `\u001b]${string}\u0007`);
}

/** Returns the colours set by an OSC 10 to 19, each with its number; queries and empty values are omitted. */
export const coloursOf = (
  first: number,
  data: string,
): readonly (readonly [which: string, colour: string])[] =>
  data.split(';').flatMap((colour, at) => {
    const isSet = colour !== '' && colour !== '?' && COLOURS.includes(first + at);
    return isSet ? [[String(first + at), colour] as const] : [];
  });
