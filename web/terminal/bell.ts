// The bell of a terminal: something to see, something to hear, or nothing.
import type { Terminal } from '@xterm/xterm';
import { settingsStore } from '../settings/settings-store.ts';
import { flash } from './flash.ts';

/** A program may ring at every line. */
const RINGS_EVERY_MS = 400;
const TONE = { hertz: 660, seconds: 0.12, gain: 0.06 };

/** One for the page; browsers let few be. */
let audio: AudioContext | null = null;
let rungAtMs = Number.NEGATIVE_INFINITY;

/** `isLive`: whether the program rings now, and not in what is shown again. */
export function ringBell(terminal: Terminal, element: HTMLElement, isLive: () => boolean): void {
  terminal.onBell(() => {
    const { bell } = settingsStore.getState();
    const nowMs = performance.now();
    if (bell === 'off' || !isLive() || nowMs - rungAtMs < RINGS_EVERY_MS) return;
    rungAtMs = nowMs;
    if (bell === 'sound') sound();
    else flash(element, 'var(--warn)');
  });
}

function sound(): void {
  audio ??= new AudioContext();
  const { hertz, seconds, gain } = TONE;
  const tone = new OscillatorNode(audio, { frequency: hertz });
  const volume = new GainNode(audio, { gain });
  const now = audio.currentTime;
  // Not cut off, which would be heard as a click.
  volume.gain.setTargetAtTime(0, now + seconds / 2, seconds / 6);
  tone.connect(volume).connect(audio.destination);
  tone.start(now);
  tone.stop(now + seconds);
}
