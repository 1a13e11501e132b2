// Settings by strings (OSC) that a terminal does not report: titles, colours, the shape of the pointer, a progress.
import type { Terminal } from '@xterm/headless';
import { range } from './pen.ts';

/** Limit of palette entries, as a program may set any number of colours; the first ones are kept. */
const MOST_KEPT = 256;
/** Limit of a string; a longer one is omitted. */
const TEXT_CHARS = 4096;

/** OSC numbers of the title of window and icon, and of each of them; titles survive a reset. */
const TITLES: readonly number[] = [0, 1, 2];
/** OSC numbers of the text, background, cursor, pointer, highlight …; these plus 100 reset them. */
const COLOURS: readonly number[] = range(10, 19);
const POINTER_SHAPE = 22;
const PROGRESS = 'progress';
const IS_PROGRESS = /^4;/;
const IS_NO_PROGRESS = /^4(?:$|;0*(?:;|$))/;

export class SetStrings {
  /** Setting → the string that sets it again, in the order of setting: one may also set what another does. */
  readonly #kept = new Map<string, string>();

  constructor({ parser }: Terminal) {
    const osc = (id: number, hook: (data: string) => void): void => {
      parser.registerOscHandler(id, (data) => {
        if (data.length <= TEXT_CHARS) hook(data);
        return false;
      });
    };
    for (const id of TITLES) osc(id, (data) => this.#keep(String(id), `${id};${data}`));
    for (const id of COLOURS) {
      osc(id, (data) => {
        for (const [which, colour] of coloursOf(id, data)) this.#keep(which, `${which};${colour}`);
      });
    }
    osc(POINTER_SHAPE, (data) => {
      if (!data.includes('?')) this.#keep(String(POINTER_SHAPE), `${POINTER_SHAPE};${data}`);
    });
    for (const id of COLOURS) osc(100 + id, () => this.#kept.delete(String(id)));
    osc(4, (data) => {
      if (data.includes('?')) return;
      const pairs = data.split(';');
      for (let at = 0; at + 1 < pairs.length && this.#kept.size < MOST_KEPT; at += 2) {
        this.#keep(`4;${pairs[at]}`, `4;${pairs[at]};${pairs[at + 1]}`);
      }
    });
    osc(104, (data) => {
      const names = data === '' ? null : data.split(';').map((index) => `4;${index}`);
      for (const name of this.#kept.keys()) {
        if (name.startsWith('4;') && (names?.includes(name) ?? true)) this.#kept.delete(name);
      }
    });
    osc(9, (data) => {
      if (IS_NO_PROGRESS.test(data)) this.#kept.delete(PROGRESS);
      else if (IS_PROGRESS.test(data)) this.#keep(PROGRESS, `9;${data}`);
    });
  }

  /** The sequence that sets all of them in a terminal that has none. */
  get sequence(): string {
    return [...this.#kept.values()].join('');
  }

  reset(): void {
    for (const name of this.#kept.keys()) if (!TITLES.includes(Number(name))) this.#kept.delete(name);
  }

  #keep(name: string, string: string): void {
    this.#kept.delete(name);
    this.#kept.set(name, `\u001b]${string}\u0007`);
  }
}

/** Returns the colours that an OSC 10 to 19 sets, each with its number; queries are omitted. */
export const coloursOf = (
  first: number,
  data: string,
): readonly (readonly [which: string, colour: string])[] =>
  data.split(';').flatMap((colour, at) => {
    const isSet = colour !== '' && colour !== '?' && COLOURS.includes(first + at);
    return isSet ? [[String(first + at), colour] as const] : [];
  });
