// The files of a keeper: its socket, its lock, its log, and the folders of its processes.
import { createHash } from 'node:crypto';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isOwn } from '../../host/account.ts';

/** Limit of the path of a Unix socket, in bytes. */
const MOST_PATH_BYTES = 107;

export const lockPath = (stateDir: string): string => join(stateDir, 'keeper.lock');
export const keeperLogPath = (stateDir: string): string => join(stateDir, 'keeper.log');
/** The folder of all processes of a keeper. */
export const runFolder = (stateDir: string): string => join(stateDir, 'run');
/** The folder of one process. */
export const processFolder = (stateDir: string, key: string): string => join(runFolder(stateDir), key);

/** Returns the path of the socket: in the state folder or, where that path is too long, in the user's runtime folder. */
export function socketPath(stateDir: string): string {
  const path = join(stateDir, 'keeper.sock');
  if (Buffer.byteLength(path) <= MOST_PATH_BYTES) return path;
  const name = createHash('sha256').update(stateDir).digest('hex').slice(0, 16);
  return join(runtimeFolder(), `${name}.sock`);
}

/** Throws when other users could reach it. */
function runtimeFolder(): string {
  const uid = process.getuid?.() ?? 0;
  const given = statSync(`/run/user/${uid}`, { throwIfNoEntry: false });
  const folder = given && isOwn(given) ? `/run/user/${uid}/exec-console` : `/tmp/exec-console-${uid}`;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const made = statSync(folder);
  if (!isOwn(made) || (made.mode & 0o077) !== 0) throw new Error(`${folder} is open to other users`);
  return folder;
}
