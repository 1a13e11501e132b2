// Finds facts about the files of a start, for people: the branch of its folder, and a program that could be replaced.
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, open, realpath, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { ProgramFile } from '../../../protocol/approvals.ts';
import { decidedPolicy, type Asked } from './decided.ts';
import { SandboxRefusal } from './refusal.ts';
import { KnownHashes } from './known-hashes.ts';
import { foldersOnWay } from './path-folders.ts';
import { accessAt, isWithin, type Policy } from './policy.ts';

export interface StartFacts {
  /**
   * Branch of the folder's repository; null when there is no repository, no branch is checked out, or the repository's
   * HEAD is hidden.
   */
  readonly branch: string | null;
  /** First program that could be replaced or modified, and is readable and not hidden; null when there is none. */
  readonly program: ProgramFile | null;
  /** Fingerprint that changes when such a program is replaced or modified; empty when there is none. */
  readonly mark: string;
  /** Real path of the folder; null where it cannot be resolved. */
  readonly realFolder: string | null;
  /** Real path of the folder if it differs from the requested path, as with a link; null otherwise. */
  readonly folder: string | null;
  /** Digest of the real paths of the folder, the programs and the places that the sandbox can write to. */
  readonly places: string;
}

/** Value of `mark` and `places` when the files could not be checked in time. */
export const UNKNOWN_MARK = 'unknown';

export interface FactsQuestion {
  /** The requested sandbox; null when there is none. */
  readonly asked: Asked | null;
  readonly cwd: string;
  /** Paths at which each program is looked up, in order. */
  readonly programs: readonly (readonly string[])[];
  /** Hidden places: a branch or a program in one of them is not returned. */
  readonly hidden: readonly string[];
  /** True to read each program; otherwise the cached hash of an unchanged program is used. */
  readonly isFresh: boolean;
}

/** Maximum size for hashing; a larger program is identified by its inode and the time of its last change. */
export const HASHED_BYTES = 64 * 1024 * 1024;
/** Bytes per read; other work can run between two reads. */
const CHUNK_BYTES = 128 * 1024;
/** Number of bytes read at the start of a file that names a branch or a repository. */
const NAMING_BYTES = 4096;
/** Maximum number of folders, from the working directory up, that are searched for a repository. */
const MOST_FOLDERS = 100;
const BRANCH_CHARS = 255;

const knownHashes = new KnownHashes();

/** Resolves with the facts; rejects when `signal` is aborted. */
export async function startFacts(question: FactsQuestion, signal?: AbortSignal): Promise<StartFacts> {
  const { asked, cwd, programs, hidden, isFresh } = question;
  const real = await realpath(cwd).catch(() => null);
  const policy = policyFor(asked);
  const denied = [...hidden, ...(policy?.denied.map(({ path }) => path) ?? [])];
  const isHidden = (path: string): boolean => denied.some((place) => isWithin(path, place));
  const found: Identified[] = [];
  const paths: (string | null)[] = [];
  for (const places of programs) {
    const file = await programIn(places);
    paths.push(file && file.real);
    if (file === null || isHidden(file.real) || !(await isReplaceable(file, policy))) continue;
    const one = await identified(file.real, isFresh, signal);
    if (one) found.push(one);
  }
  const branch = real && (await branchOf(real, isHidden));
  signal?.throwIfAborted();
  const writable = policy?.grants.filter(({ access }) => access === 'write').map(({ path }) => path);
  return {
    branch,
    program: found[0]?.program ?? null,
    mark: found.length === 0 ? '' : digestOf(found.map(({ mark }) => mark)),
    realFolder: real,
    folder: real === resolve(cwd) ? null : real,
    places: digestOf([real, paths, writable]),
  };
}

/** Returns a value of constant length, since the number of programs is not limited. */
const digestOf = (facts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(facts)).digest('base64url');

/** Returns the policy of the requested sandbox; null if none is requested, or if it cannot be enforced. */
function policyFor(asked: Asked | null): Policy | null {
  try {
    return asked && decidedPolicy(asked, []);
  } catch (error) {
    if (error instanceof SandboxRefusal) return null;
    throw error;
  }
}

interface Found {
  readonly place: string;
  readonly real: string;
}

/** Returns the file that the system would run; null when there is none. */
async function programIn(places: readonly string[]): Promise<Found | null> {
  for (const place of places) {
    try {
      if (!(await stat(place)).isFile()) continue;
      await access(place, constants.X_OK);
      return { place, real: await realpath(place) };
    } catch {
      // The file does not exist, or is not executable.
    }
  }
  return null;
}

/**
 * Returns true when this user, inside the sandbox if there is one, can write to the file or to a folder on the way to
 * it.
 */
async function isReplaceable({ place, real }: Found, policy: Policy | null): Promise<boolean> {
  for (const path of [real, ...(await foldersOnWay(place))]) {
    if (policy && accessAt(policy.grants, path) !== 'write') continue;
    const isWritable = await access(path, constants.W_OK).then(
      () => true,
      () => false,
    );
    if (isWritable) return true;
  }
  return false;
}

function andAbove(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...andAbove(above)];
}

interface Identified {
  readonly program: ProgramFile;
  readonly mark: string;
}

/** Resolves with the program's identity; null when the path is no longer a regular file, or cannot be read. */
function identified(
  path: string,
  isFresh: boolean,
  signal: AbortSignal | undefined,
): Promise<Identified | null> {
  return withFile(path, async (file) => {
    const stats = await file.stat({ bigint: true });
    const bytes = Number(stats.size);
    const known = isFresh ? null : knownHashes.find(stats);
    const sha256 = bytes > HASHED_BYTES ? null : (known ?? (await hashOf(file, signal)));
    if (sha256 !== null) knownHashes.add(stats, sha256);
    const program = { path, bytes, modifiedAtMs: Number(stats.mtimeMs), sha256 };
    return { program, mark: JSON.stringify([path, sha256 ?? `${stats.dev} ${stats.ino} ${stats.ctimeNs}`]) };
  });
}

/** Returns the hash of the file; null when the file has grown beyond the limit. */
async function hashOf(file: FileHandle, signal: AbortSignal | undefined): Promise<string | null> {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let at = 0; at <= HASHED_BYTES;) {
    signal?.throwIfAborted();
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, at);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(chunk.subarray(0, bytesRead));
    at += bytesRead;
  }
  return null;
}

/**
 * Opens only regular files, since a FIFO or a device could block or have side effects. Resolves with null for anything
 * else, or when the file cannot be read.
 */
async function withFile<T>(path: string, read: (file: FileHandle) => Promise<T>): Promise<T | null> {
  try {
    if (!(await stat(path)).isFile()) return null;
    // The file may have been replaced by now.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    try {
      return (await file.stat()).isFile() ? await read(file) : null;
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error;
    return null;
  }
}

async function branchOf(start: string, isHidden: (path: string) => boolean): Promise<string | null> {
  for (const folder of andAbove(start).slice(0, MOST_FOLDERS)) {
    const repository = await repositoryAt(join(folder, '.git'));
    if (repository === null) continue;
    const head = await realpath(join(repository, 'HEAD')).catch(() => null);
    if (head === null || isHidden(head)) return null;
    const [, name] = /^ref: refs\/heads\/([^\s\p{Cc}]+)\n?$/u.exec(await beginningOf(head)) ?? [];
    return name === undefined || name.length > BRANCH_CHARS ? null : name;
  }
  return null;
}

/**
 * Returns the folder with a repository's files: `path` itself, or the folder that a worktree's `.git` file
 * names; null when there is none.
 */
async function repositoryAt(path: string): Promise<string | null> {
  const stats = await stat(path).catch(() => null);
  if (stats?.isDirectory()) return path;
  if (!stats?.isFile()) return null;
  const [, named] = /^gitdir: (.+)\n?$/.exec(await beginningOf(path)) ?? [];
  return named === undefined ? null : resolve(dirname(path), named);
}

async function beginningOf(path: string): Promise<string> {
  const text = await withFile(path, async (file) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(NAMING_BYTES), 0, NAMING_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  });
  return text ?? '';
}
