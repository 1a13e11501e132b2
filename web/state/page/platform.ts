// Where this page runs: what its keyboard is called, and whether there is room for more than one thing at a time.
export const isMac = navigator.platform.startsWith('Mac');

const isWindows = navigator.platform.startsWith('Win');
export type Platform = 'mac' | 'windows' | 'other';
export const platform: Platform = isMac ? 'mac' : isWindows ? 'windows' : 'other';

const phone = window.matchMedia('(max-width: 720px)');

export const isPhone = (): boolean => phone.matches;

/** Whether there are fingers, and no mouse. */
export const isTouch = (): boolean => window.matchMedia('(pointer: coarse)').matches;

/** Returns its own undo. */
export function onPhoneChange(listener: () => void): () => void {
  phone.addEventListener('change', listener);
  return () => phone.removeEventListener('change', listener);
}
