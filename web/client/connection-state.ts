// The states of a connection, and the one pure function that moves between them.
//
//            open                 socket open           initialized
//   idle ───────────▶ connecting ────────────▶ initializing ────────▶ online
//                       ▲   │                      │                    │
//            retry, or  │   └──────────┬───────────┴────────── cut ─────┘
//            retryNow   │              ▼
//                       └────────── waiting            any ── refused, mismatch ──▶ failed (final)
import type { Online } from './exec-client.ts';

export type ConnectionState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'connecting'; readonly attempt: number }
  | { readonly kind: 'initializing'; readonly attempt: number }
  | ({ readonly kind: 'online' } & Online)
  | {
      readonly kind: 'waiting';
      readonly attempt: number;
      /** ms since the epoch */
      readonly retryAtMs: number;
      readonly reason: string;
    }
  | { readonly kind: 'failed'; readonly reason: string };
