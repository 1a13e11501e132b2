// Counts the sandboxes that use each placeholder, and saves a list of all placeholders, so that those of a killed
// gateway can be removed later.
import { readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readRegular, writeRegular } from '../regular-file.ts';
import { depth } from './policy.ts';

/** Name of a journal, with the PID of its gateway or keeper, since several gateways may share a state folder. */
const JOURNAL = /^placeholders-(\d+)\.json$/;

export class PlaceholderBook {
  readonly #folder: string;
  readonly #journal: string;
  readonly #holder: number;
  readonly #users = new Map<string, number>();
  /** Placeholders that no sandbox needs any more, and whose removal is not confirmed. */
  readonly #leaving = new Set<string>();

  /**
   * `folder`: holds the journals; placeholders of a dead gateway are queued for removal. `holder`: PID of the
   * program whose end also ends the sandboxes. Placeholders noted for a running keeper stay while it runs,
   * since removing one would remove a mount in a sandbox.
   */
  constructor(folder: string, holder: number) {
    this.#folder = folder;
    this.#holder = holder;
    this.#journal = join(folder, `placeholders-${holder}.json`);
    if (holder !== process.pid) for (const path of written(this.#journal)) this.#users.set(path, 1);
    const left = journals(folder).filter(({ pid }) => pid === process.pid || !isRunning(pid));
    for (const { path } of left) for (const each of written(path)) this.#leaving.add(each);
    this.#write();
    for (const { path } of left) if (path !== this.#journal) rmSync(path, { force: true });
  }

  /**
   * Returns true when the path is a placeholder of this program or of another one, even if it is about to be removed.
   */
  isHeld(path: string): boolean {
    return this.#users.has(path) || this.#leaving.has(path) || this.#isHeldByOthers(path);
  }

  /** Counts one more sandbox for the paths, and returns those to create; call `giveUp` for all, even if this throws. */
  take(paths: readonly string[]): string[] {
    const fresh: string[] = [];
    for (const path of paths) {
      const users = this.#users.get(path) ?? 0;
      this.#users.set(path, users + 1);
      if (users === 0 && !this.#leaving.delete(path)) fresh.push(path);
    }
    this.#write();
    return fresh.filter((path) => !this.#isHeldByOthers(path));
  }

  giveUp(paths: readonly string[]): void {
    for (const path of paths) {
      const users = (this.#users.get(path) ?? 1) - 1;
      if (users > 0) this.#users.set(path, users);
      else {
        this.#users.delete(path);
        this.#leaving.add(path);
      }
    }
  }

  /** Returns the placeholders to remove now; inner ones first, since only empty folders are removed. */
  leaving(): string[] {
    return [...this.#leaving]
      .filter((path) => !this.#isHeldByOthers(path))
      .toSorted((a, b) => depth(b) - depth(a));
  }

  /** Empties the queue of removals; call it when the removal of every path that `leaving` returned was tried. */
  left(): void {
    this.#leaving.clear();
    this.#write();
  }

  #isHeldByOthers(path: string): boolean {
    return journals(this.#folder).some(
      (journal) =>
        journal.pid !== this.#holder && isRunning(journal.pid) && written(journal.path).includes(path),
    );
  }

  #write(): void {
    const paths = [...this.#users.keys(), ...this.#leaving];
    if (paths.length === 0) {
      rmSync(this.#journal, { force: true });
      return;
    }
    // The list is replaced atomically, so that a full disk or a kill leaves the previous one intact.
    const next = `${this.#journal}.new`;
    writeRegular(next, JSON.stringify(paths));
    renameSync(next, this.#journal);
  }
}

function journals(folder: string): { readonly pid: number; readonly path: string }[] {
  return readdirSync(folder).flatMap((name) => {
    const pid = Number(JOURNAL.exec(name)?.[1]);
    return pid ? [{ pid, path: join(folder, name) }] : [];
  });
}

/**
 * Returns true when a process has this PID, even an unrelated one that has reused it; then a later start cleans up.
 */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function written(journal: string): string[] {
  try {
    const paths: unknown = JSON.parse(readRegular(journal).toString());
    return Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [];
  } catch {
    return [];
  }
}
