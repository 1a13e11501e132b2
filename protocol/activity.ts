// Activity and the people present, as sent to watchers. Exec-console's extension of the protocol.
import type { Role } from './session.ts';

/** An entry of the activity log. */
export interface Activity {
  /** Increases by one with each entry; a later gateway continues with higher numbers. */
  readonly change: number;
  readonly atMs: number;
  readonly key: string;
  readonly what: 'started' | 'exited' | 'waitsForInput' | 'bell' | 'notification';
  readonly text?: string;
}

export interface ActivitySince {
  /** Number of the newest change, to be sent as `sinceChange` next time. */
  readonly change: number;
  readonly entries: readonly Activity[];
  /** False when entries since `sinceChange` are missing: they were evicted, or belong to an earlier gateway. */
  readonly isComplete: boolean;
}

/** A person's connection that watches the console. */
export interface Person {
  readonly connection: string;
  /** Id of the connection's token; several tokens can share a name. */
  readonly token: string;
  /** Name of the token. */
  readonly name: string;
  readonly role: Role;
  readonly sinceMs: number;
}
