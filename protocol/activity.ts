// What happened at the console and who is there, as watchers are told: ours on the wire.
import type { Role } from './session.ts';

/** Something that a person who was away may want to know. */
export interface Activity {
  /** One more than that of the one before; never the same again, also not on the next gateway. */
  readonly change: number;
  readonly atMs: number;
  readonly key: string;
  readonly what: 'started' | 'exited' | 'waitsForInput' | 'bell' | 'notification';
  /** What a notification says. */
  readonly text?: string;
}

export interface ActivitySince {
  /** That of the newest, to ask with the next time. */
  readonly change: number;
  readonly entries: readonly Activity[];
  /** False when there was more than is kept. */
  readonly isComplete: boolean;
}

/** A connection that watches the console. */
export interface Person {
  /** The connection's public label. */
  readonly connection: string;
  /** The id of the token it came in with; several may have one name. */
  readonly token: string;
  /** The token's name. */
  readonly name: string;
  readonly role: Role;
  readonly sinceMs: number;
}
