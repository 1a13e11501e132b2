// Activity at the console and the people present, as sent to watchers: our own part of the wire.
import type { Role } from './session.ts';

/** One entry of the activity, for a person who was away. */
export interface Activity {
  /** One more than that of the one before; never the same again, also not on the next gateway. */
  readonly change: number;
  readonly atMs: number;
  readonly key: string;
  readonly what: 'started' | 'exited' | 'waitsForInput' | 'bell' | 'notification';
  /** Text of a notification. */
  readonly text?: string;
}

export interface ActivitySince {
  /** Number of the newest change, to send as `sinceChange` the next time. */
  readonly change: number;
  readonly entries: readonly Activity[];
  /** False when there was more than is kept. */
  readonly isComplete: boolean;
}

/** A connection that watches the console. */
export interface Person {
  /** The connection's public label. */
  readonly connection: string;
  /** The id of the token that it connected with; several may have one name. */
  readonly token: string;
  /** The token's name. */
  readonly name: string;
  readonly role: Role;
  readonly sinceMs: number;
}
