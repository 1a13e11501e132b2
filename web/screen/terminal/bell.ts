// The bell of a terminal: visible, audible or off.
import type { Terminal } from '@xterm/xterm';
import { settingsStore } from '../../state/page/settings-store.ts';
import { flash } from './flash.ts';

/** Minimum interval between rings, since a program may ring on every line. */
const RINGS_EVERY_MS = 400;
/**
 * Time within which two bell reports count as one: the same bell may be reported by its bytes and by the gateway, and
 * background timers delay either.
 */
const SAME_BELL_MS = 2000;
const TONE = { hertz: 660, seconds: 0.12, gain: 0.06 };

/** Single audio context of the page, since browsers limit their number. */
let audio: AudioContext | null = null;
let rung: { readonly by: 'output' | 'gateway'; readonly atMs: number } | null = null;

/** Rings the bell of a terminal; `isLive` returns true while the bytes being parsed are new, not replayed. */
export function ringBell(terminal: Terminal, element: HTMLElement, isLive: () => boolean): void {
  terminal.onBell(() => {
    const { bell } = settingsStore.getState();
    if (bell === 'off' || !isLive() || !isNew('output')) return;
    if (bell === 'sound') sound();
    else flash(element, 'var(--warn)');
  });
}

/**
 * Rings for a bell or an approval request that the gateway reports while the page is in the background, where only
 * sound is noticed.
 */
export function ringUnseen(): void {
  if (settingsStore.getState().bell === 'sound' && isNew('gateway')) sound();
}

function isNew(by: 'output' | 'gateway'): boolean {
  const atMs = performance.now();
  if (rung && atMs - rung.atMs < (by === rung.by ? RINGS_EVERY_MS : SAME_BELL_MS)) return false;
  rung = { by, atMs };
  return true;
}

function sound(): void {
  audio ??= new AudioContext();
  const { hertz, seconds, gain } = TONE;
  const tone = new OscillatorNode(audio, { frequency: hertz });
  const volume = new GainNode(audio, { gain });
  const now = audio.currentTime;
  // The tone fades out, since an abrupt end is heard as a click.
  volume.gain.setTargetAtTime(0, now + seconds / 2, seconds / 6);
  tone.connect(volume).connect(audio.destination);
  tone.start(now);
  tone.stop(now + seconds);
}
