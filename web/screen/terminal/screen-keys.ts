// The keys that an on-screen keyboard has not, as a terminal sends them.

export type ScreenKey = 'escape' | 'tab' | 'left' | 'up' | 'down' | 'right';

/** As a browser calls them. */
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

/** `isApplication`: the program has asked for the application's cursor keys (DECCKM). */
export function screenKey(key: ScreenKey, isApplication: boolean): string {
  return isApplication ? PLAIN[key].replace('[', 'O') : PLAIN[key];
}

/** One character as if Ctrl were held: `c` → U+0003. What has no such form stays as it is. */
export function controlled(data: string): string {
  if (data === '?') return '\u007f';
  const code = data === ' ' ? 0x40 : data.toUpperCase().charCodeAt(0);
  return data.length === 1 && code >= 0x40 && code <= 0x5f ? String.fromCharCode(code - 0x40) : data;
}
