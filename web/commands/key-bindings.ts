// Shortcuts of the command table: parsing, matching against pressed keys, and display.

export interface Stroke {
  readonly key: string;
  readonly hasMod: boolean;
  readonly hasShift: boolean;
  readonly hasAlt: boolean;
}

/** Parses a stroke such as `Mod+Shift+P`. A printed character such as `G` or `?` implies its Shift. */
export function parseStroke(text: string): Stroke {
  const parts = text === '+' ? [text] : text.split('+');
  const key = parts.at(-1) ?? '';
  return {
    key: parts.length > 1 || key.length > 1 ? key.toLowerCase() : key,
    hasMod: parts.includes('Mod'),
    hasShift: parts.includes('Shift'),
    hasAlt: parts.includes('Alt'),
  };
}

export type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'shiftKey' | 'altKey' | 'metaKey'>;

export function matches(stroke: Stroke, event: Pressed, isMac: boolean): boolean {
  const [mod, other] = isMac ? [event.metaKey, event.ctrlKey] : [event.ctrlKey, event.metaKey];
  if (mod !== stroke.hasMod || other || event.altKey !== stroke.hasAlt) return false;
  const isPrinted = stroke.key.length === 1 && !stroke.hasMod && !stroke.hasAlt;
  if (isPrinted) return event.key === stroke.key;
  return event.shiftKey === stroke.hasShift && keyOf(event) === stroke.key;
}

/**
 * Returns the key's name in lower case; for a letter, as on a Latin keyboard even when another script is
 * active.
 */
function keyOf({ key, code }: Pressed): string {
  if (key === ' ') return 'space';
  const isOfAnotherScript = key.length === 1 && key > '\u007f';
  return isOfAnotherScript && code.startsWith('Key') ? code.slice(3).toLowerCase() : key.toLowerCase();
}

const NAMES: { readonly [key: string]: string } = {
  arrowleft: '←',
  arrowright: '→',
  arrowup: '↑',
  arrowdown: '↓',
  pageup: 'Page Up',
  pagedown: 'Page Down',
  enter: 'Enter',
  space: 'Space',
  escape: 'Esc',
};

/** Returns the key caps of one stroke, such as `['Ctrl', 'Shift', 'P']`. */
export function capsOf(text: string, isMac: boolean): readonly string[] {
  const { key, hasMod, hasShift, hasAlt } = parseStroke(text);
  const isUpper = hasMod || hasAlt || /^f\d+$/.test(key);
  const name = NAMES[key.toLowerCase()] ?? (isUpper ? key.toUpperCase() : key);
  const [mod, alt, shift] = isMac ? ['⌘', '⌥', '⇧'] : ['Ctrl', 'Alt', 'Shift'];
  return [hasMod && mod, hasAlt && alt, hasShift && shift, name].filter((cap) => typeof cap === 'string');
}

export const strokesOf = (keys: string): readonly string[] => keys.split(' ');
