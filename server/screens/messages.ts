// What the gateway's thread and the screens' thread tell each other.
import type { Tile } from '../../protocol/looks.ts';
import type { Size } from '../../protocol/scalars.ts';

/** `screen` numbers one process's screen. Those of one screen are worked on in their order. */
export type ToScreens =
  | { readonly kind: 'open'; readonly screen: number; readonly size: Size }
  | { readonly kind: 'feed'; readonly screen: number; readonly bytes: Uint8Array }
  | { readonly kind: 'resize'; readonly screen: number; readonly size: Size }
  /** `state`: what the output that was missed has left set (see `TrimmedState`). */
  | { readonly kind: 'gap'; readonly screen: number; readonly state: Uint8Array }
  | {
      readonly kind: 'snapshot';
      readonly screen: number;
      readonly request: number;
      readonly scrollback: number;
    }
  | { readonly kind: 'picture'; readonly screen: number; readonly request: number }
  | { readonly kind: 'close'; readonly screen: number };

export type FromScreens =
  /** So many bytes have been drawn. */
  | { readonly kind: 'fed'; readonly screen: number; readonly bytes: number }
  /** What was asked for; null: that screen is not known (any more). */
  | { readonly kind: 'answer'; readonly request: number; readonly answer: ScreenSnapshot | Picture | null };

/** The screen as styled text. */
export type Picture = Omit<Tile, 'key'>;

export interface ScreenSnapshot {
  readonly size: Size;
  readonly data: Uint8Array;
  readonly isExact: boolean;
}

export interface ScreensLimits {
  /** Lines above the screen that are kept of each. */
  readonly screenScrollbackLines: number;
  /** Terminals that are kept ready; the others are kept as snapshots of themselves … */
  readonly screensReady: number;
  /** … of so many bytes in all; beyond it the oldest are forgotten, and begin again at what is retained. */
  readonly screensStoredBytes: number;
}
