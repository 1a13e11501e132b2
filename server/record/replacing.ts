// Puts new files of recordings in place: sealed segments and indexes, which another thread has written elsewhere.
import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { newFolder, openFolder } from './places.ts';
import type { Recording } from './recording.ts';
import type { FileIdentity } from './seal.ts';
import { numberOf, storedBytesOf } from './segment-files.ts';

export interface ReplacingOptions {
  readonly root: string;
  /** Returns the recording of a process until its entry is in the catalogue. */
  readonly liveRecording: (key: string) => Recording | undefined;
  readonly isRemoving: (key: string) => boolean;
}

export class Replacing {
  readonly #options: ReplacingOptions;
  #next = 1;

  constructor(options: ReplacingOptions) {
    this.#options = options;
  }

  /** Removes the new files that a killed gateway has left behind. */
  prepare(): void {
    rmSync(newFolder(this.#options.root), { recursive: true, force: true });
  }

  /** Returns a path for a new file, on the file system of the recordings. */
  newPath(): string {
    const folder = newFolder(this.#options.root);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return join(folder, `${process.pid}-${this.#next++}`);
  }

  /**
   * Returns false for a segment that may still grow, even in a recording of another gateway, or that has been
   * deleted or is about to be.
   */
  isFinished(segmentPath: string): boolean {
    const { root, liveRecording, isRemoving } = this.#options;
    const key = basename(dirname(segmentPath));
    const live = liveRecording(key);
    if (live) return live.hasFinished(numberOf(segmentPath));
    return !isRemoving(key) && !exists(join(openFolder(root), key)) && exists(segmentPath);
  }

  /**
   * Moves a new file of a segment to its place; discards it when the segment has changed or been deleted in the
   * meantime. It works synchronously, because a segment that has been deleted must not reappear, and one that is
   * appended to must not be replaced.
   */
  place(file: string, to: string, segmentPath: string, identity: FileIdentity | null): void {
    if (this.isFinished(segmentPath) && (!identity || isUnchanged(segmentPath, identity)))
      renameSync(file, to);
    else this.discard(file);
    const live = this.#options.liveRecording(basename(dirname(segmentPath)));
    live?.measured(numberOf(segmentPath), storedBytesOf(segmentPath));
  }

  /** Removes a new file that is incomplete, or whose segment has changed or been deleted. */
  discard(file: string): void {
    rmSync(file, { force: true });
  }
}

const exists = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

function isUnchanged(path: string, { inode, bytes }: FileIdentity): boolean {
  const { ino, size } = statSync(path, { throwIfNoEntry: false }) ?? { ino: -1, size: -1 };
  return ino === inode && size === bytes;
}
