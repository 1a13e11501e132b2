// One at a time, of all processes that change a file: a gateway, another one of the same folder, the command line.
import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout } from 'node:timers/promises';

/** It is held for milliseconds: who has it for longer stands still, and has lost it. */
const STALE_MS = 5000;

/** Between two tries, and how long is tried: longer than a lock of a process that stands still is good. */
const LOOK_MS = 10;
const LONGEST_WAIT_MS = 10_000;

/** Another process has it, dead or alive: the same can be tried again. */
export class Locked extends Error {}

/** Whether it is still the holder's: asked before anything is written, by one that may have stood still meanwhile. */
type IsHeld = () => boolean;

/** Does it while no other process does anything with that path. Throws Locked at once when one does. */
export function withFileLock<T>(path: string, act: (isHeld: IsHeld) => T): T {
  const lock = `${path}.lock`;
  // Processes are told apart by their numbers on one machine, or in one container, only.
  const holder = `${hostname()} ${process.pid} ${randomBytes(9).toString('base64url')}`;
  if (!take(lock, holder)) {
    breakStale(lock);
    if (!take(lock, holder)) {
      throw new Locked(`${path} is being changed by another process (${lock}); try again when it has ended`);
    }
  }
  const isHeld: IsHeld = () => holderOf(lock) === holder;
  try {
    return act(isHeld);
  } finally {
    if (isHeld()) rmSync(lock, { force: true });
  }
}

/** What `act` returns, at once or when what it needs is no longer locked; after ten seconds it fails with Locked. */
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

/** False when somebody has it. */
function take(lock: string, holder: string): boolean {
  try {
    writeFileSync(lock, holder, { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    // On a full disk it is made, but stays empty.
    if (holderOf(lock) === '') rmSync(lock, { force: true });
    throw error;
  }
}

/** Of a holder who died, or stands still. */
function breakStale(lock: string): void {
  const holder = holderOf(lock);
  if (holder === null || !isStale(lock, holder)) return;
  const aside = `${lock}.${randomBytes(6).toString('hex')}`;
  try {
    renameSync(lock, aside);
    // Somebody else may have broken it, and the next one taken it, since it was looked at.
    const moved = readFileSync(aside, 'utf8');
    if (moved !== holder) take(lock, moved);
  } catch {
    // Whose it is now shows the next look.
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

function holderOf(lock: string): string | null {
  try {
    return readFileSync(lock, 'utf8');
  } catch {
    return null;
  }
}
