// The types of the contract, for both ends: nothing of the records themselves, so that no schema reaches a page.
import type { ParamsOf } from './decoder.ts';
import type { MethodRecord } from './method-record.ts';
import type { NOTIFICATIONS } from './notifications.ts';
import type { METHODS } from './records.ts';
import type { Seen } from './seen.ts';

type Records = typeof METHODS;

type TypesOf<T> = T extends MethodRecord<infer S, infer R> ? { params: ParamsOf<S>; result: R } : never;

/** Method → params, result. A `process/*` request is addressed by `processId` (one's own) or by `key` (any). */
export interface Requests extends Readonly<{ [M in keyof Records]: TypesOf<Records[M]> }> {}

export type RequestMethod = keyof Requests;

/** Server to client. */
export type Notifications = {
  readonly [N in keyof typeof NOTIFICATIONS]: (typeof NOTIFICATIONS)[N] extends Seen<infer V> ? V : never;
};

export type NotificationMethod = keyof Notifications;
