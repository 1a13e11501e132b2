// The connection's states, and the pure function that computes the next one.
//
//            open                 socket open           initialized
//   idle ───────────▶ connecting ────────────▶ initializing ────────▶ online
//                       ▲   │                      │                    │
//            retry, or  │   └──────────┬───────────┴────────── cut ─────┘
//            retryNow   │              ▼
//                       └────────── waiting            any ── refused ──▶ failed      any ── close ──▶ idle
//
// `failed` is never retried; only `open` and `close` leave it. `idle` ignores `refused`.
import type { Online } from './exec-client.ts';

export type ConnectionState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'connecting'; readonly attempt: number }
  | { readonly kind: 'initializing'; readonly attempt: number }
  | ({ readonly kind: 'online' } & Online)
  | {
      readonly kind: 'waiting';
      /** Number of the next attempt since `open`, or since the connection was last online; from 1. */
      readonly attempt: number;
      readonly retryAtMs: number;
      readonly reason: string;
    }
  | { readonly kind: 'failed'; readonly reason: string };

/** State that the page shows when the gateway does not answer although the connection is still online. */
export type SilentConnection = { readonly kind: 'silent'; readonly sinceMs: number } & Online;

export type ConnectionEvent =
  | { readonly kind: 'open' }
  | { readonly kind: 'socketOpened' }
  | { readonly kind: 'initialized'; readonly online: Online }
  | { readonly kind: 'cut'; readonly reason: string; readonly retryAtMs: number }
  | { readonly kind: 'retry' }
  /** Failure that no retry resolves, such as a refused credential or another protocol version. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'close' };

/** Returns true when the user may type and terminate; the gateway enforces this as well. */
export function mayAct(state: ConnectionState | SilentConnection): boolean {
  return state.kind === 'online' && (state.role === 'operator' || state.role === 'admin');
}

/** Returns the number of the next attempt: one more than that of the current one, or 1 if there is none. */
export function nextAttempt(state: ConnectionState): number {
  return state.kind === 'connecting' || state.kind === 'initializing' ? state.attempt + 1 : 1;
}

/** Returns the state after an event; events that do not apply leave it unchanged. */
export function next(state: ConnectionState, event: ConnectionEvent): ConnectionState {
  switch (event.kind) {
    case 'open':
      return state.kind === 'idle' || state.kind === 'failed' ? { kind: 'connecting', attempt: 1 } : state;
    case 'socketOpened':
      return state.kind === 'connecting' ? { kind: 'initializing', attempt: state.attempt } : state;
    case 'initialized':
      return state.kind === 'initializing' ? { kind: 'online', ...event.online } : state;
    case 'cut':
      return isTrying(state) || state.kind === 'online'
        ? {
            kind: 'waiting',
            attempt: nextAttempt(state),
            retryAtMs: event.retryAtMs,
            reason: event.reason,
          }
        : state;
    case 'retry':
      return state.kind === 'waiting' ? { kind: 'connecting', attempt: state.attempt } : state;
    case 'refused':
      return state.kind === 'idle' ? state : { kind: 'failed', reason: event.reason };
    case 'close':
      return state.kind === 'idle' ? state : { kind: 'idle' };
  }
}

const isTrying = ({ kind }: ConnectionState): boolean => kind === 'connecting' || kind === 'initializing';
