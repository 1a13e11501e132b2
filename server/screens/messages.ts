// Messages between the gateway's thread and the screens' thread.
import type { Tile } from '../../protocol/looks.ts';
import type { Size } from '../../protocol/scalars.ts';

/**
 * Message to the screens' thread. `screen` is the number of a process's screen; its messages are processed in
 * order, and `close` is processed at once.
 */
export type ToScreens = ToDraw | { readonly kind: 'close'; readonly screen: number };

/** Message that needs a turn of its screen. */
export type ToDraw =
  | { readonly kind: 'open'; readonly screen: number; readonly size: Size }
  | { readonly kind: 'feed'; readonly screen: number; readonly bytes: Uint8Array }
  | { readonly kind: 'resize'; readonly screen: number; readonly size: Size }
  /** `state` has the settings that the skipped output would have left (see `EvictedState`). */
  | { readonly kind: 'gap'; readonly screen: number; readonly state: Uint8Array }
  | {
      readonly kind: 'snapshot';
      readonly screen: number;
      readonly request: number;
      readonly scrollback: number;
    }
  | { readonly kind: 'picture'; readonly screen: number; readonly request: number };

export type FromScreens =
  /** Sent when a `feed` message has been processed; `bytes` is the length of its output. */
  | { readonly kind: 'fed'; readonly screen: number; readonly bytes: number }
  /** Answer to a request; null when the screen is unknown, or was dropped or closed. */
  | { readonly kind: 'answer'; readonly request: number; readonly answer: ScreenSnapshot | Picture | null };

/** The screen as styled text. */
export type Picture = Omit<Tile, 'key'>;

export interface ScreenSnapshot {
  readonly size: Size;
  readonly data: Uint8Array;
  readonly isExact: boolean;
}

export interface ScreensLimits {
  /** Lines above the screen that each terminal retains. */
  readonly screenScrollbackLines: number;
  /** Maximum number of terminals in memory; the others are stored as snapshots. */
  readonly screensReady: number;
  /**
   * Maximum bytes of stored snapshots; beyond it the oldest are dropped, and their screens restart at the retained
   * output.
   */
  readonly screensStoredBytes: number;
  /** Time of one turn, after which a terminal waits until the others have had their turns. */
  readonly screenTurnMs: number;
  /** Maximum time for drawing one terminal until it has caught up; it is dropped if that is not enough. */
  readonly screenDrawMs: number;
}
