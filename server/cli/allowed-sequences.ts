// Lists the control sequences of a process that may reach a terminal of this machine.
import type { Csi, Escape, Sequence } from './sequence-parser.ts';

/**
 * Part that a terminal plays for the process: `watching` only draws; `typing` also sends keys in the form that the
 * program requests; `controlling` also reports its focus, and applies the title and other settings. Queries reach a
 * terminal in none of these parts.
 */
export type Part = 'watching' | 'typing' | 'controlling';

const set = <T>(...members: T[]): ReadonlySet<T> => new Set(members);

/**
 * Allowed CSI sequences by prefix, middle and final characters: for example those that move the cursor, or insert,
 * erase, scroll or colour text.
 */
const DRAWING_CSI = set(
  ...'@ABCDEFGHIJKLMPSTXZ^`abdefghlmrsu'.split(''),
  '?J',
  '?K',
  '?h',
  '?l',
  ' @',
  ' A',
  "'}",
  "'~",
  '"q',
  ' q',
  '!p',
  '$r',
  '$t',
  '$v',
  '$x',
  '$z',
  '${',
  '*x',
  '#{',
  '#}',
  '#p',
  '#q',
);
const DRAWING_ANSI_MODES = set(4, 20);
const DRAWING_MODES = set(5, 6, 7, 12, 25, 45, 47, 69, 1047, 1048, 1049, 2026, 2027);
const DRAWING_ESCAPE = set(...'6789DEHMNOVWno|}~'.split(''), '#3', '#4', '#5', '#6', '#8');
/** Maximum number of parameters: with more, these sequences may have other functions or also erase the scrollback. */
const MOST_PARAMS: { readonly [name: string]: number } = { u: 0, s: 2, T: 1, J: 1, K: 1, '?J': 1, '?K': 1 };
/** Allowed erasures; erasing the scrollback would remove output that other programs have printed. */
const ERASED = set<number | null>(null, 0, 1, 2);

/** Sequences and modes that determine how keys, mouse actions and pasted text are sent to the program. */
const KEY_CSI = set('>u', '<u', '=u', '>m', '>n', '>f');
const KEY_ESCAPE = set('=', '>');
const KEY_MODES = set(1, 9, 66, 67, 1000, 1002, 1003, 1005, 1006, 1007, 1015, 1016, 1035, 1036, 1039, 2004);
/** Refused modes: one locks the keyboard, and one displays controls instead of executing them. */
const REFUSED_ANSI_MODES = set(2, 3);
/**
 * Refused modes: VT52, which cannot parse the other sequences; 132 columns, which clears the screen; a
 * printer; Tektronix; logging to a file; and a mouse mode that stops the terminal until it gets a reply.
 */
const REFUSED_MODES = set(2, 3, 18, 19, 38, 46, 1001);

/** Intermediate characters of sequences that designate a character set. */
const CHARACTER_SET = /^[()*+\-./][ -/]?$/;
const LINK = /^8;(?:id=[\w.:-]{1,250})?;(?:https?:\/\/[!-~]{1,2000})?$/;
const COLOUR = '[\\w#:/.,%() -]{1,100}';
/** OSC strings that set or reset the title, colours, pointer shape or progress; queries do not match. */
const SETTING = new RegExp(
  `^(?:[012];[^\\p{C}]{0,500}|4(?:;\\d{1,3};${COLOUR})+|1\\d(?:;(?:${COLOUR})?)+|104[\\d;]*|11\\d|22;[<=>]?[\\w,-]{0,100}|9;4(?:;\\d{0,3}){0,2})$`,
  'u',
);

const PARTS: readonly Part[] = ['watching', 'typing', 'controlling'];
const isAtLeast = (part: Part, least: Part): boolean => PARTS.indexOf(part) >= PARTS.indexOf(least);

/** Returns the sequence, or the part of it that the terminal may receive; null when nothing may pass. */
export function allowed(sequence: Sequence, part: Part): Sequence | null {
  switch (sequence.kind) {
    case 'csi':
      return allowedCsi(sequence, part);
    case 'escape':
      return allowsEscape(sequence, part) ? sequence : null;
    case 'string':
      return allowsString(sequence.opener, sequence.payload ?? '', part) ? sequence : null;
  }
}

function allowedCsi(csi: Csi, part: Part): Csi | null {
  const { prefix, params, middle, final } = csi;
  const name = `${prefix}${middle}${final}`;
  if (isAtLeast(part, 'typing') && KEY_CSI.has(name)) return csi;
  const hasParts = name !== 'm' && params.some((param) => param.length > 1);
  if (!DRAWING_CSI.has(name) || hasParts || params.length > (MOST_PARAMS[name] ?? Infinity)) return null;
  if (final === 'J' || final === 'K') return ERASED.has(params[0]?.[0] ?? null) ? csi : null;
  if (final !== 'h' && final !== 'l') return csi;
  const modes = params.filter(([mode]) => allowsMode(prefix, mode ?? 0, part));
  return modes.length > 0 ? { ...csi, params: modes } : null;
}

function allowsMode(prefix: string, mode: number, part: Part): boolean {
  // A terminal in control also gets unknown modes, which the program and the terminal may both support.
  const isControlling = isAtLeast(part, 'controlling');
  if (prefix === '') return DRAWING_ANSI_MODES.has(mode) || (isControlling && !REFUSED_ANSI_MODES.has(mode));
  return (
    DRAWING_MODES.has(mode) ||
    (isAtLeast(part, 'typing') && KEY_MODES.has(mode)) ||
    (isControlling && !REFUSED_MODES.has(mode))
  );
}

function allowsEscape({ middle, final }: Escape, part: Part): boolean {
  const letters = `${middle}${final}`;
  return (
    DRAWING_ESCAPE.has(letters) ||
    CHARACTER_SET.test(middle) ||
    (isAtLeast(part, 'typing') && KEY_ESCAPE.has(letters))
  );
}

function allowsString(opener: string, payload: string, part: Part): boolean {
  if (opener !== ']') return false;
  return LINK.test(payload) || (isAtLeast(part, 'controlling') && SETTING.test(payload));
}
