// Files through which memory, environments, descriptors and disks are read past every other check: those that the kernel
// shows of a process, and devices that are memory or a disk.
import type { Stats } from 'node:fs';
import { readlink, stat, statfs, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { realOf } from '../../host/real-path.ts';
import { openedName, openedPlace } from './opened-place.ts';

/** Limit of links that the last name of a path leads through. */
const MOST_LINKS = 40;

/** Type of the process file system, as `statfs` tells it (Linux). */
const PROC = 0x9fa0;

/** Names outside the folders of processes that show the machine's whole memory. */
const MEMORY = /^(?:kcore|vmcore)$/;

/** Throws when the path leads to a file of a process, or to a device that is memory or a disk. */
export async function refuseProcessFile(path: string): Promise<void> {
  if ((await leadsToProcess(path, MOST_LINKS)) || isMemoryOrDisk(await stat(path).catch(() => null)))
    throw refusal(path);
}

/** Throws when a file that was opened by this path is one of a process, or the machine's memory. */
export async function refuseOpenedOfProcess(path: string, handle: FileHandle): Promise<void> {
  const place = await openedPlace(path, handle);
  if (isOfProcessAt(place) && (await hasProcesses(openedName(handle)))) throw refusal(path);
}

/** Throws also for a tree of them, which `/proc` itself is. */
export async function refuseProcessTree(path: string): Promise<void> {
  if (await hasProcesses(path)) throw refusal(path);
  await refuseProcessFile(path);
}

/**
 * True when the path, or a link that its last name is, lies in the folder of a process. A link of a descriptor names what
 * it leads to only in words, so that each link is looked at before it is followed.
 */
async function leadsToProcess(path: string, mostLinks: number): Promise<boolean> {
  const folder = await realOf(dirname(path)).catch(() => dirname(path));
  const place = join(folder, basename(path));
  if (await isOfProcess(folder, place)) return true;
  const to = await readlink(place).catch(() => null);
  return to !== null && mostLinks > 0 && leadsToProcess(resolve(folder, to), mostLinks - 1);
}

const isOfProcess = async (folder: string, place: string): Promise<boolean> =>
  isOfProcessAt(place) && hasProcesses(folder);

/** True for such a path in a process file system. */
const isOfProcessAt = (place: string): boolean => /\/\d+(?:\/|$)/.test(place) || MEMORY.test(basename(place));

/** True for a place in a process file system. */
const hasProcesses = (path: string): Promise<boolean> =>
  statfs(path).then(
    ({ type }) => type === PROC,
    () => false,
  );

function isMemoryOrDisk(stats: Stats | null): boolean {
  if (!stats) return false;
  // Number 1 of character devices is the kernel's memory; of these 1, 2 and 4 are memory and ports.
  return stats.isBlockDevice() || (stats.isCharacterDevice() && MEMORY_DEVICES.has(stats.rdev));
}

const MEMORY_DEVICES: ReadonlySet<number> = new Set(
  process.platform === 'linux' ? [0x101, 0x102, 0x104] : [],
);

const refusal = (path: string): Error =>
  Object.assign(
    new Error(`EACCES: ${path} leads to a process, to memory or to a disk, which file requests do not reach`),
    { code: 'EACCES' },
  );
