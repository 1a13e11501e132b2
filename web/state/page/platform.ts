// Platform of the page: operating system, touch input, and whether there is room for several panes.
export const isMac = navigator.platform.startsWith('Mac');

const isWindows = navigator.platform.startsWith('Win');
export type Platform = 'mac' | 'windows' | 'other';
export const platform: Platform = isMac ? 'mac' : isWindows ? 'windows' : 'other';

const phone = window.matchMedia('(max-width: 720px)');

export const isPhone = (): boolean => phone.matches;

/** Returns true when the primary input is touch. */
export const isTouch = (): boolean => window.matchMedia('(pointer: coarse)').matches;

/**
 * Calls the listener when the page switches between the phone layout and the larger one. Returns a function that
 * stops the calls.
 */
export function onPhoneChange(listener: () => void): () => void {
  phone.addEventListener('change', listener);
  return () => phone.removeEventListener('change', listener);
}
