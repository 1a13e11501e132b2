// Keys missing on an on-screen keyboard, with the bytes that a terminal sends for them.

export type ScreenKey = 'escape' | 'tab' | 'left' | 'up' | 'down' | 'right';

/** `KeyboardEvent.key` of each key. */
export const KEY_NAMES: { readonly [key in ScreenKey]: string } = {
  escape: 'Escape',
  tab: 'Tab',
  up: 'ArrowUp',
  down: 'ArrowDown',
  right: 'ArrowRight',
  left: 'ArrowLeft',
};

const PLAIN: { readonly [key in ScreenKey]: string } = {
  escape: '\u001b',
  tab: '\t',
  up: '\u001b[A',
  down: '\u001b[B',
  right: '\u001b[C',
  left: '\u001b[D',
};

/**
 * Returns the bytes of a key; `isApplication` is true when the program has enabled application cursor keys (DECCKM).
 */
export function screenKey(key: ScreenKey, isApplication: boolean): string {
  return isApplication ? PLAIN[key].replace('[', 'O') : PLAIN[key];
}

/** Returns one character as if Ctrl were held: `c` → U+0003. Other data is returned unchanged. */
export function controlled(data: string): string {
  if (data === '?') return '\u007f';
  const code = data === ' ' ? 0x40 : data.toUpperCase().charCodeAt(0);
  return data.length === 1 && code >= 0x40 && code <= 0x5f ? String.fromCharCode(code - 0x40) : data;
}
