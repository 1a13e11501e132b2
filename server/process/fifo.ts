// Named pipes for a child's streams: real pipes, which the sockets that Node would give it are not.
import { execFile, spawnSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Names are made so many at a time: one `mkfifo` costs as much as hundreds. */
const BATCH = 256;
/** With fewer left, more are made in the meantime, so that no start has to wait for that. */
const SPARE = 64;

const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
/** Linux only, and so not among Node's. */
const O_PATH = 0o10_000_000;
const MKFIFO = ['-m', '600'];
const isLinux = process.platform === 'linux';

/** A folder that only we can enter. */
let folder: string | null = null;
/** Names in it that nobody has opened yet. */
let names: string[] = [];
let made = 0;
let refilling = false;

process.once('exit', () => {
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** The two ends of one pipe: ours does not block, the child's does. */
export interface Fifo {
  readonly ours: number;
  readonly childs: number;
}

/** A pipe that the child writes and we read. */
export function outputFifo(): Fifo {
  return take((name) => {
    const ours = openSync(name, O_RDONLY | O_NONBLOCK);
    return closingOnError(ours, () => ({ ours, childs: openSync(name, O_WRONLY) }));
  });
}

export interface InputFifo extends Fifo {
  /** No end of it, but the pipe itself, from which an end can be opened; null where nobody needs that. */
  readonly place: number | null;
}

/** A pipe that we write and the child reads. */
export function inputFifo(): InputFifo {
  return take((name) => {
    // Opened for writing without a reader it would fail; this one stands in until the child's is open.
    const standIn = openSync(name, O_RDONLY | O_NONBLOCK);
    try {
      const ours = openSync(name, O_WRONLY | O_NONBLOCK);
      return closingOnError(ours, () => {
        const childs = openSync(name, O_RDONLY);
        return closingOnError(childs, () => ({
          ours,
          childs,
          place: isLinux ? openSync(name, O_PATH) : null,
        }));
      });
    } finally {
      closeSync(standIn);
    }
  });
}

/**
 * To a FIFO that nobody writes any more its end would come only at the first read: a program that opens it again by the
 * name /dev/stdin waits in that open for a writer. This is one, for a moment. Anonymous pipes do not have the problem.
 */
export function wakeWhoOpens(place: number): void {
  try {
    closeSync(openSync(`/proc/self/fd/${place}`, O_WRONLY | O_NONBLOCK));
  } catch {
    // Nobody has it open for reading.
  }
}

function closingOnError<T>(fd: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function take<T>(open: (name: string) => T): T {
  const name = names.pop();
  if (name !== undefined) {
    if (names.length < SPARE && !refilling) refill();
    try {
      return openOnce(name, open);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      // Whoever tidies up temporary files has taken ours for old ones: the others are gone as well.
      folder = null;
    }
  }
  names = makeNames();
  const fresh = names.pop();
  if (fresh === undefined) throw new Error('invariant violation: an empty batch of names');
  return openOnce(fresh, open);
}

function openOnce<T>(name: string, open: (name: string) => T): T {
  try {
    return open(name);
  } finally {
    unlinkSync(name);
  }
}

function makeNames(): string[] {
  const fresh = freshNames();
  const env = { ...process.env, LC_ALL: 'C' };
  const { status, error, stderr } = spawnSync('mkfifo', [...MKFIFO, ...fresh], { encoding: 'utf8', env });
  if (error) throw error;
  if (status !== 0) {
    // Those that could be made would only take the room of others.
    if (folder) rmSync(folder, { recursive: true, force: true });
    folder = null;
    const [last = ''] = stderr.trim().split('\n').slice(-1);
    const code = last.endsWith('No space left on device') ? 'ENOSPC' : undefined;
    throw Object.assign(new Error(`mkfifo failed: ${last}`), { code });
  }
  return fresh;
}

function refill(): void {
  refilling = true;
  const fresh = freshNames();
  execFile('mkfifo', [...MKFIFO, ...fresh], (error) => {
    refilling = false;
    // What is wrong is told to the start that finds no name left.
    if (!error) names.push(...fresh);
  }).unref();
}

function freshNames(): string[] {
  const home = (folder ??= mkdtempSync(join(tmpdir(), 'exec-console-')));
  return Array.from({ length: BATCH }, () => join(home, String((made += 1))));
}
