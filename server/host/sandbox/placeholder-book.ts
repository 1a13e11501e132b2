// Which placeholders are held by how many sandboxes: written down, so that a gateway that was killed leaves none behind.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of one gateway each, named by its pid: several may share a state folder. */
const JOURNAL = /^placeholders-(\d+)\.json$/;

export class PlaceholderBook {
  readonly #folder: string;
  readonly #journal: string;
  readonly #users = new Map<string, number>();
  /** Which nobody here needs any more, and of which it is not known whether they could go. */
  readonly #leaving = new Set<string>();

  /** `folder` is for the journals; what a gateway that is gone has left is leaving now. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#journal = join(folder, `placeholders-${process.pid}.json`);
    const left = journals(folder).filter(({ pid }) => pid === process.pid || !isRunning(pid));
    for (const { path } of left) for (const each of written(path)) this.#leaving.add(each);
    this.#write();
    for (const { path } of left) if (path !== this.#journal) rmSync(path, { force: true });
  }

  /** Whether what is there is only here for a sandbox, and will go with the last of those that need it. */
  isHeld(path: string): boolean {
    return this.#users.has(path) || this.#leaving.has(path) || this.#isHeldByOthers(path);
  }

  /** For one more sandbox. Returns those that have to be made; also when it throws they are to be given up. */
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

  /** Those that are to be removed now. */
  leaving(): string[] {
    return [...this.#leaving].filter((path) => !this.#isHeldByOthers(path));
  }

  /** All that were leaving are removed, or others hold them. */
  left(): void {
    this.#leaving.clear();
    this.#write();
  }

  #isHeldByOthers(path: string): boolean {
    return journals(this.#folder).some(
      (journal) =>
        journal.pid !== process.pid && isRunning(journal.pid) && written(journal.path).includes(path),
    );
  }

  #write(): void {
    const paths = [...this.#users.keys(), ...this.#leaving];
    if (paths.length === 0) rmSync(this.#journal, { force: true });
    else writeFileSync(this.#journal, JSON.stringify(paths), { mode: 0o600 });
  }
}

function journals(folder: string): { readonly pid: number; readonly path: string }[] {
  return readdirSync(folder).flatMap((name) => {
    const pid = Number(JOURNAL.exec(name)?.[1]);
    return pid ? [{ pid, path: join(folder, name) }] : [];
  });
}

/** Also of somebody else who has the pid now: then it is left to a later start. */
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
    const paths: unknown = JSON.parse(readFileSync(journal, 'utf8'));
    return Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [];
  } catch {
    return [];
  }
}
