// Platform of this page: the kind of keyboard, and whether there is room for more than one thing at a time.
export const isMac = navigator.platform.startsWith('Mac');

const isWindows = navigator.platform.startsWith('Win');
export type Platform = 'mac' | 'windows' | 'other';
export const platform: Platform = isMac ? 'mac' : isWindows ? 'windows' : 'other';

const phone = window.matchMedia('(max-width: 720px)');

export const isPhone = (): boolean => phone.matches;

/** True when the main pointer is touch. */
export const isTouch = (): boolean => window.matchMedia('(pointer: coarse)').matches;

/** Calls the listener when the page becomes a phone's or no longer is. Returns a function that undoes it. */
export function onPhoneChange(listener: () => void): () => void {
  phone.addEventListener('change', listener);
  return () => phone.removeEventListener('change', listener);
}
