// Parses OSC strings that change state outside the screen (colours, links, progress, pointer), and returns the
// sequences that undo the changes.

export interface OutsideChange {
  readonly name: string;
  /** Sequence that undoes the change; null when the string resets the state. */
  readonly undo: string | null;
}

const HIGHEST_COLOUR = 511;
const NAMED_COLOUR =
  /^(\d{1,3}|foreground|background|cursor|cursor_text|visual_bell|selection_(?:fore|back)ground|transparent_background_color[1-8])(?:=(.*))?$/;

const osc = (payload: string): string => `\u001b]${payload}\u001b\\`;

const setting = (name: string, isSet: boolean, undo: string): readonly OutsideChange[] => [
  { name, undo: isSet ? osc(undo) : null },
];

const READERS: { readonly [number: number]: (rest: string) => readonly OutsideChange[] } = {
  4: (rest) => palette(rest, 104),
  5: (rest) => palette(rest, 105),
  8: (rest) => setting('link', !/^[^;]*;$/.test(rest), '8;;'),
  9: (rest) => (/^0*4;/.test(rest) ? setting('progress', !/^0*4;0*(?:;|$)/.test(rest), '9;4;0') : []),
  21: namedColours,
  22: (rest) => setting('pointer', rest !== '', '22;'),
  104: (rest) => paletteReset(rest, 104),
  105: (rest) => paletteReset(rest, 105),
};

export function outsideChanges(payload: string): readonly OutsideChange[] {
  const [, digits, rest = ''] = /^(\d+)(?:;(.*))?$/s.exec(payload) ?? [];
  const number = Number(digits);
  if (number >= 10 && number <= 19) return dynamic(number, rest);
  if (number >= 110 && number <= 119) return [{ name: `colour ${number}`, undo: null }];
  return READERS[number]?.(rest) ?? [];
}

const isSet = (spec: string | undefined): boolean => spec !== undefined && spec !== '' && spec !== '?';

/** Parses pairs of a number and a colour. */
function palette(rest: string, reset: number): readonly OutsideChange[] {
  const parts = rest.split(';');
  return parts.flatMap((part, at) => {
    const number = Number(part);
    if (at % 2 === 1 || !isSet(parts[at + 1]) || !(number >= 0 && number <= HIGHEST_COLOUR)) return [];
    return [{ name: `palette ${reset} ${number}`, undo: osc(`${reset};${number}`) }];
  });
}

function paletteReset(rest: string, reset: number): readonly OutsideChange[] {
  const numbers =
    rest === '' ? Array.from({ length: HIGHEST_COLOUR + 1 }, (_, at) => at) : rest.split(';').map(Number);
  return numbers.map((number) => ({ name: `palette ${reset} ${number}`, undo: null }));
}

/** Parses the colours of text, background, cursor and so on: one for each number from `first` on. */
const dynamic = (first: number, rest: string): readonly OutsideChange[] =>
  rest.split(';').flatMap((spec, at) => {
    const reset = first + at + 100;
    return isSet(spec) && reset <= 119 ? [{ name: `colour ${reset}`, undo: osc(String(reset)) }] : [];
  });

/** Parses kitty's named colours: a name without a colour resets that colour. */
function namedColours(rest: string): readonly OutsideChange[] {
  return rest.split(';').flatMap((part) => {
    const [, name, spec] = NAMED_COLOUR.exec(part) ?? [];
    if (name === undefined || spec === '?') return [];
    return [{ name: `named ${name}`, undo: spec === undefined ? null : osc(`21;${name}`) }];
  });
}
