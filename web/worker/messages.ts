// Messages between the service worker of notifications and the page. Types only: the worker is one file without imports.

/** Data of one notification, as the page gives it to the browser. */
export interface NotificationData {
  /** Id of the request or key of the process; null for several. */
  readonly id: string | null;
  /** True when a request for approval is among them. */
  readonly isRequest: boolean;
  /** Text of the request, in which a later change of it would show; empty for other notifications. */
  readonly shown: string;
  /** ms since the epoch. */
  readonly shownAtMs: number;
}

/** A button of a notification; `show` also for a press on the notification itself. */
export type NotificationAction = 'approve' | 'decline' | 'show';

/** First message of the worker to each page, with a port; a page that can act answers `here` on it. */
export interface NotificationAsk {
  readonly kind: 'exec-console/notification';
}

/** Second message, on the port of the page that answered first. */
export interface NotificationPress {
  readonly action: NotificationAction;
  readonly data: NotificationData;
  /** ms since the epoch. */
  readonly pressedAtMs: number;
}

/**
 * Answers of the page: `here` to the first message; `done`, `show` (bring the page to the front) or `ignored` (the
 * notification stays) to the second.
 */
export type NotificationAnswer = 'here' | 'done' | 'show' | 'ignored';
