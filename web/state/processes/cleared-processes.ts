// Finished processes hidden in this browser's list: all that had ended by a certain time. The gateway still has them.
import { createStore } from 'zustand/vanilla';
import type { ProcessInfo } from '../../../protocol/console.ts';
import { ofThisGateway, onStoredByOthers, readStored, writeStored } from '../page/storage.ts';
import { endedAtMs, isLive } from '../../../text/process-words.ts';

interface Cleared {
  /**
   * Time up to which ended processes are hidden; `beforeMs` is the previous value, for undo. A list of keys instead
   * would grow without limit.
   */
  readonly untilMs: number;
  readonly beforeMs: number;
}

const STORED = ofThisGateway('exec-console.cleared');

export const clearedProcesses = createStore<Cleared>(() => readStored(STORED, parseCleared));

clearedProcesses.subscribe((cleared) => writeStored(STORED, cleared));
onStoredByOthers(STORED, () => clearedProcesses.setState(readStored(STORED, parseCleared)));

export function isCleared(info: ProcessInfo, { untilMs }: Cleared): boolean {
  return isFinished(info) && endedAtMs(info) <= untilMs;
}

/** False for a live process, and for a lost one known to be still running, since both can be terminated. */
export const isFinished = (info: ProcessInfo): boolean => !isLive(info) && !info.stillRunning;

/** Hides the finished processes among `processes`, and all others that ended no later than the last of these. */
export function clearFinished(processes: readonly ProcessInfo[]): void {
  const { untilMs } = clearedProcesses.getState();
  // The times come from the gateway's clock, which may differ from this browser's.
  const ends = processes.filter(isFinished).map(endedAtMs);
  const latestMs = ends.reduce((latest, each) => Math.max(latest, each), untilMs);
  if (latestMs > untilMs) clearedProcesses.setState({ untilMs: latestMs, beforeMs: untilMs });
}

export function undoClear(): void {
  const { beforeMs } = clearedProcesses.getState();
  clearedProcesses.setState({ untilMs: beforeMs, beforeMs: 0 });
}

function parseCleared(stored: unknown): Cleared {
  const { untilMs, beforeMs } = (stored ?? {}) as { readonly [member in keyof Cleared]?: unknown };
  const moment = (ms: unknown): number => (typeof ms === 'number' && Number.isFinite(ms) ? ms : 0);
  return { untilMs: moment(untilMs), beforeMs: moment(beforeMs) };
}
