// Protocol types for both ends, without the records, to keep their schemas out of the page.
import type { ParamsOf } from './decoder.ts';
import type { MethodRecord } from './method-record.ts';
import type { NOTIFICATIONS } from './notifications.ts';
import type { METHODS } from './records.ts';
import type { Seen } from './seen.ts';

type Records = typeof METHODS;

type TypesOf<T> = T extends MethodRecord<infer S, infer R> ? { params: ParamsOf<S>; result: R } : never;

/**
 * Params and result by method. A `process/*` request names its process by `processId` (the caller's own) or
 * `key` (any).
 */
export interface Requests extends Readonly<{ [M in keyof Records]: TypesOf<Records[M]> }> {}

export type RequestMethod = keyof Requests;

/** Notifications from server to client. */
export type Notifications = {
  readonly [N in keyof typeof NOTIFICATIONS]: (typeof NOTIFICATIONS)[N] extends Seen<infer V> ? V : never;
};

export type NotificationMethod = keyof Notifications;
