// Messages between the notification service worker and the page. Types only, since the worker is a single file without
// imports.

/** Data of a notification, passed by the page to the browser. */
export interface NotificationData {
  /** Id of the request or key of the process; null for several. */
  readonly id: string | null;
  /** True when the notification is about an approval request or, for several, about at least one. */
  readonly isRequest: boolean;
  /** Text by which the page detects that the request has changed since then; empty without a request to decide. */
  readonly shown: string;
  /** Milliseconds since the epoch. */
  readonly shownAtMs: number;
}

/** Button of a notification; `show` is also the action of a press on the notification itself. */
export type NotificationAction = 'approve' | 'decline' | 'show';

/** First message from the worker to each page, with a port; a page that can act replies `here` on that port. */
export interface NotificationAsk {
  readonly kind: 'exec-console/notification';
}

/** Second message, sent on the port of the page that replied first. */
export interface NotificationPress {
  readonly action: NotificationAction;
  readonly data: NotificationData;
  /** Milliseconds since the epoch. */
  readonly pressedAtMs: number;
}

/**
 * Replies of the page. To the first message: `here`. To the second: `done`, `show` (bring the page to the front) or
 * `ignored` (keep the notification).
 */
export type NotificationAnswer = 'here' | 'done' | 'show' | 'ignored';
