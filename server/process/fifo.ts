// Named pipes for a child's streams: real pipes, which the sockets that Node would give it are not.
import { spawnSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Names are made so many at a time: one `mkfifo` costs as much as hundreds. */
const BATCH = 256;

const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

let names: string[] = [];
let folder: string | null = null;
let made = 0;

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

/** A pipe that we write and the child reads. */
export function inputFifo(): Fifo {
  return take((name) => {
    // Opened for writing without a reader it would fail; this one stands in until the child's is open.
    const standIn = openSync(name, O_RDONLY | O_NONBLOCK);
    try {
      const ours = openSync(name, O_WRONLY | O_NONBLOCK);
      return closingOnError(ours, () => ({ ours, childs: openSync(name, O_RDONLY) }));
    } finally {
      closeSync(standIn);
    }
  });
}

function closingOnError<T>(fd: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function take(open: (name: string) => Fifo): Fifo {
  const name = names.pop() ?? refill();
  try {
    return open(name);
  } finally {
    unlinkSync(name);
  }
}

function refill(): string {
  if (!folder) {
    folder = mkdtempSync(join(tmpdir(), 'exec-console-'));
    const mine = folder;
    process.once('exit', () => rmSync(mine, { recursive: true, force: true }));
  }
  const fresh = Array.from({ length: BATCH }, () => join(folder ?? '', String((made += 1))));
  const { status, error, stderr } = spawnSync('mkfifo', ['-m', '600', ...fresh], { encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0) throw new Error(`mkfifo failed: ${stderr.trim()}`);
  const name = fresh.pop();
  if (!name) throw new Error('invariant violation: an empty batch of names');
  names = fresh;
  return name;
}
