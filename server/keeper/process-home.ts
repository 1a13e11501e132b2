// Interface to another program that starts and holds the children of processes.
import type { ChildSpec } from '../host/child.ts';
import type { Begun } from './begun.ts';
import type { ProcessDescription } from './process-view.ts';

/** Request to start a process: its command and its description. */
export interface HomeStart {
  readonly description: ProcessDescription;
  readonly spec: ChildSpec;
  /** True when the process ends with its session's connection. */
  readonly endsWithConnection: boolean;
}

export interface ProcessHome {
  /** Sets whether a client must receive all output of the process. */
  setOwned(key: string, isOwned: boolean): void;
  /** Sets the person who pinned the process, which then outlives its session; null when it is not pinned. */
  setPinned(key: string, by: string | null): void;
  /**
   * Resolves with null when the process is to be started in this program instead. Rejects with SpawnError when it
   * cannot be started.
   */
  start(asked: HomeStart): Promise<Begun | null>;
  /** Starts a minimal process as a test; rejects with SpawnError when that fails. */
  tryStart(spec: ChildSpec): Promise<void>;
}

/** Calls `act` with the value: when the promise is resolved, or synchronously when the value is not a promise. */
export const whenThere = <T, U>(value: T | Promise<T>, act: (value: T) => U | Promise<U>): U | Promise<U> =>
  value instanceof Promise ? value.then(act) : act(value);
