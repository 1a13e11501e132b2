// Refuses files that expose memory, environments, descriptors or disks: process files in /proc, and devices.
import type { Stats } from 'node:fs';
import { readlink, stat, statfs, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { MOST_LINKS, realOf } from '../../host/real-path.ts';
import { openedName, openedPlace } from './opened-place.ts';

/** Type of the process file system in `statfs` (Linux). */
const PROC = 0x9fa0;

/** Names of files that expose the machine's whole memory and are not in the folder of a process. */
const MEMORY = /^(?:kcore|vmcore)$/;

/** Throws when the path leads to a file of a process, or to a device for memory or a disk. */
export async function refuseProcessFile(path: string): Promise<void> {
  if ((await leadsToProcess(path, MOST_LINKS)) || isMemoryOrDisk(await stat(path).catch(() => null)))
    throw refusal(path);
}

/** Throws when a file that was opened by this path belongs to a process, or is the machine's memory. */
export async function refuseOpenedOfProcess(path: string, handle: FileHandle): Promise<void> {
  const place = await openedPlace(path, handle);
  const isInProc = await isProc(openedName(handle));
  if (isInProc && (await isOfProcess(dirname(place), place, place))) throw refusal(path);
}

/** Throws like `refuseProcessFile`, and also for anything else in the process file system, such as `/proc` itself. */
export async function refuseProcessTree(path: string): Promise<void> {
  await refuseProc(path);
  await refuseProcessFile(path);
}

/** Throws for a path in the process file system, which can be mounted anywhere in a tree. */
export async function refuseProc(path: string): Promise<void> {
  if (await isProc(path)) throw refusal(path);
}

const isProc = (path: string): Promise<boolean> =>
  statfs(path).then(
    ({ type }) => type === PROC,
    () => false,
  );

/**
 * Returns true when the path, or the target of a link at its end, is in the folder of a process, or is one of the
 * MEMORY files. Each link is checked before it is followed, because the target of a descriptor's link may not be a
 * path.
 */
async function leadsToProcess(path: string, mostLinks: number): Promise<boolean> {
  const folder = await realOf(dirname(path)).catch(() => dirname(path));
  const place = join(folder, basename(path));
  const to = await readlink(place).catch(() => null);
  if (await isOfProcess(folder, to === null ? place : null, place)) return true;
  return to !== null && mostLinks > 0 && leadsToProcess(resolve(folder, to), mostLinks - 1);
}

/**
 * Returns true for a file of a process, or a memory file, in any mount of the process file system. `mounted` is the
 * place, since it may be a mount point; null for a link, which cannot be one.
 */
async function isOfProcess(folder: string, mounted: string | null, place: string): Promise<boolean> {
  const isInside = await isProc(folder);
  if (!isInside && (mounted === null || !(await isProc(mounted)))) return false;
  let top = isInside ? folder : place;
  while (top !== '/' && (await isProc(dirname(top)))) top = dirname(top);
  const inside = place.slice(top.length);
  if (/\/\d+(?:\/|$)/.test(inside) || MEMORY.test(basename(place))) return true;
  // A mount without the file `version` has only the folder of one process, or one of its files.
  return !(await stat(join(top, 'version')).catch(() => null));
}

function isMemoryOrDisk(stats: Stats | null): boolean {
  if (!stats) return false;
  // Character devices with major number 1 are the kernel's memory devices; minors 1, 2 and 4 are memory and
  // ports.
  return stats.isBlockDevice() || (stats.isCharacterDevice() && MEMORY_DEVICES.has(stats.rdev));
}

const MEMORY_DEVICES: ReadonlySet<number> = new Set(
  process.platform === 'linux' ? [0x101, 0x102, 0x104] : [],
);

const refusal = (path: string): Error =>
  Object.assign(
    new Error(`EACCES: ${path} leads to a process, memory or a disk, which file requests cannot access`),
    { code: 'EACCES' },
  );
