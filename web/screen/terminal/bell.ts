// The bell of a terminal: something to see, something to hear, or nothing.
import type { Terminal } from '@xterm/xterm';
import { settingsStore } from '../../state/page/settings-store.ts';
import { flash } from './flash.ts';

/** A program may ring at every line. */
const RINGS_EVERY_MS = 400;
/** The same bell may be heard of twice, from its bytes and from the gateway: with a hidden page's timers this far apart. */
const SAME_BELL_MS = 2000;
const TONE = { hertz: 660, seconds: 0.12, gain: 0.06 };

/** One for the page; browsers let few be. */
let audio: AudioContext | null = null;
let rung: { readonly by: 'output' | 'gateway'; readonly atMs: number } | null = null;

/** `isLive`: whether the program rings now, and not in what is shown again. */
export function ringBell(terminal: Terminal, element: HTMLElement, isLive: () => boolean): void {
  terminal.onBell(() => {
    const { bell } = settingsStore.getState();
    if (bell === 'off' || !isLive() || !isNew('output')) return;
    if (bell === 'sound') sound();
    else flash(element, 'var(--warn)');
  });
}

/** The gateway says that one rings of which nothing else comes, since nobody sees the page: it can only be heard. */
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
  // Not cut off, which would be heard as a click.
  volume.gain.setTargetAtTime(0, now + seconds / 2, seconds / 6);
  tone.connect(volume).connect(audio.destination);
  tone.start(now);
  tone.stop(now + seconds);
}
