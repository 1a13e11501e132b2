// A home for the children of processes in another program.
import type { ChildSpec } from '../host/child.ts';
import type { Begun } from './begun.ts';
import type { ProcessDescription } from './process-view.ts';

/** A start: the command, and what the process is known by. */
export interface HomeStart {
  readonly description: ProcessDescription;
  readonly spec: ChildSpec;
  /** True when it ends with the connection of its session. */
  readonly endsWithConnection: boolean;
}

export interface ProcessHome {
  /** A client waits for all of its output, or none does any more. */
  setOwned(key: string, isOwned: boolean): void;
  /** Notes the person who keeps it when its session ends; null: it ends with its session. */
  setPinned(key: string, by: string | null): void;
  /** Rejects with SpawnError when it cannot be started. */
  start(asked: HomeStart): Promise<Begun>;
  /** Starts the least that can be started, and rejects with SpawnError when that fails. */
  tryStart(spec: ChildSpec): Promise<void>;
}

/** Calls `act` with a value: at once when it is there. */
export const whenThere = <T, U>(value: T | Promise<T>, act: (value: T) => U | Promise<U>): U | Promise<U> =>
  value instanceof Promise ? value.then(act) : act(value);
