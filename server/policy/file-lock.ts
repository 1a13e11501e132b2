// Locks a file, so that only one process changes it at a time, whether a gateway or a command.
import { randomBytes } from 'node:crypto';
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { NotAFile, readRegular } from '../host/regular-file.ts';

/**
 * Age from which a lock is stale. A lock is normally held for milliseconds, so a process that holds it this
 * long has stalled, and loses the lock.
 */
const STALE_MS = 5000;

/** Interval between attempts, and maximum time for all of them, which exceeds the age of a stale lock. */
const LOOK_MS = 10;
const LONGEST_WAIT_MS = 10_000;

/** Thrown when another process has the lock, or has broken it in the meantime; the caller may retry. */
export class Locked extends Error {}

/** Throws Locked when the lock was lost; call it right before writing, because the holder may have stalled. */
type CheckHeld = () => void;

/** Runs `act` with the lock of this path, breaking a stale one; throws Locked, without waiting, when it is held. */
export function withFileLock<T>(path: string, act: (checkHeld: CheckHeld) => T): T {
  const lock = `${path}.lock`;
  // PIDs are unique only within one machine or container.
  const holder = `${hostname()} ${process.pid} ${randomBytes(9).toString('base64url')}`;
  if (!take(lock, holder)) {
    breakStale(lock);
    if (!take(lock, holder)) {
      throw new Locked(
        `${path} is being changed by another process (${lock}); try again when it has finished`,
      );
    }
  }
  const isHeld = (): boolean => holderOf(lock) === holder;
  const checkHeld: CheckHeld = () => {
    if (!isHeld()) throw new Locked(`${path} was changed by another process in the meantime; try again`);
  };
  try {
    return act(checkHeld);
  } finally {
    if (isHeld()) rmSync(lock, { force: true });
  }
}

/** Returns the result of `act`, which is retried while it throws Locked; rejects with Locked after LONGEST_WAIT_MS. */
export function onceUnlocked<T>(act: () => T): T | Promise<T> {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof Locked)) throw error;
    return retried(act);
  }
}

async function retried<T>(act: () => T): Promise<T> {
  const givesUpAtMs = performance.now() + LONGEST_WAIT_MS;
  for (;;) {
    await setTimeout(LOOK_MS);
    try {
      return act();
    } catch (error) {
      if (!(error instanceof Locked) || performance.now() > givesUpAtMs) throw error;
    }
  }
}

/** Creates the lock file; returns false when one exists. */
function take(lock: string, holder: string): boolean {
  try {
    writeFileSync(lock, holder, { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    // A full disk leaves an empty file, which must not remain as a lock.
    if (holderOf(lock) === '') rmSync(lock, { force: true });
    throw error;
  }
}

/** Breaks the lock of a holder that died or has stalled. */
function breakStale(lock: string): void {
  const holder = holderOf(lock);
  if (holder === null || !isStale(lock, holder)) return;
  const aside = `${lock}.${randomBytes(6).toString('hex')}`;
  try {
    renameSync(lock, aside);
    // Another process may have broken and retaken the lock since it was read; its lock is then restored.
    const moved = readRegular(aside).toString();
    if (moved !== holder) take(lock, moved);
  } catch {
    // Another process has moved or removed the lock; the next attempt finds the current holder.
  }
  rmSync(aside, { force: true });
}

function isStale(lock: string, holder: string): boolean {
  const [host, pid] = holder.split(' ');
  const takenAtMs = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
  if (takenAtMs === undefined) return false;
  return Math.abs(Date.now() - takenAtMs) > STALE_MS || (host === hostname() && !isAlive(Number(pid)));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Returns the holder named in a lock file; null when the file cannot be read. Throws NotAFile for anything
 * but a file, because waiting for its removal would be in vain.
 */
function holderOf(lock: string): string | null {
  try {
    return readRegular(lock).toString();
  } catch (error) {
    if (error instanceof NotAFile) throw error;
    return null;
  }
}
