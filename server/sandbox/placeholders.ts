// Empty folders that stand where a protected one is missing while sandboxes need something to mount on.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Identity } from './policy.ts';

/** The gateway waits for it, and whoever is that user may stop it. */
const AS_USER_MS = 2000;

/** Of one gateway each, named by its pid: several may share a state folder. */
const JOURNAL = /^placeholders-(\d+)\.json$/;

/** Counted, since several sandboxes share one, and written down, so that a gateway that was killed leaves none behind. */
export class Placeholders {
  readonly #folder: string;
  readonly #journal: string;
  readonly #user: Identity | null;
  readonly #users = new Map<string, number>();
  /** Which nobody here needs any more, and of which it is not known whether they could go. */
  readonly #leaving = new Set<string>();

  /**
   * `folder` is for the journals; what a gateway that is gone has left is removed. They are made by whoever asks for
   * them, so that nobody gets folders made where he may not.
   */
  constructor(folder: string, user: Identity | null = null) {
    this.#user = user;
    this.#folder = folder;
    this.#journal = join(folder, `placeholders-${process.pid}.json`);
    for (const { pid, path } of journals(folder)) {
      if (pid !== process.pid && isRunning(pid)) continue;
      for (const left of written(path)) this.#removeEmpty(left);
      rmSync(path, { force: true });
    }
  }

  /** Whether what is there is only here for a sandbox, and will go with the last of those that need it. */
  isHeld(path: string): boolean {
    return this.#users.has(path) || this.#leaving.has(path) || this.#isHeldByOthers(path);
  }

  /**
   * Makes those that are missing, and returns what gives them up again, once the sandbox has ended. Throws when it cannot;
   * what it returns never does.
   */
  hold(paths: readonly string[]): () => void {
    const held: string[] = [];
    const release = (): void => {
      for (const path of held.splice(0)) this.#release(path);
      this.#clearUp();
    };
    try {
      for (const path of paths) {
        const users = this.#users.get(path) ?? 0;
        this.#users.set(path, users + 1);
        held.push(path);
        if (users === 0) {
          const isThere = this.#leaving.delete(path);
          this.#write();
          if (!isThere && !this.#isHeldByOthers(path)) this.#make(path);
        }
      }
    } catch (error) {
      release();
      throw error;
    }
    return release;
  }

  #release(path: string): void {
    const users = (this.#users.get(path) ?? 1) - 1;
    if (users > 0) this.#users.set(path, users);
    else {
      this.#users.delete(path);
      this.#leaving.add(path);
    }
  }

  #clearUp(): void {
    try {
      for (const path of this.#leaving) {
        if (!this.#isHeldByOthers(path)) this.#removeEmpty(path);
        this.#leaving.delete(path);
      }
      this.#write();
    } catch {
      // No descriptors, no room: the next one that ends tries again, or, as the journal names them, a later gateway.
    }
  }

  #isHeldByOthers(path: string): boolean {
    return journals(this.#folder).some(
      (journal) =>
        journal.pid !== process.pid && isRunning(journal.pid) && written(journal.path).includes(path),
    );
  }

  #make(path: string): void {
    if (!this.#user) {
      mkdirSync(path, 0o755);
      return;
    }
    const { status, stderr } = this.#asUser('mkdir', ['-m', '755', '--', path]);
    if (status !== 0) throw new Error(stderr.trim() || `${path} cannot be made`);
  }

  /** What somebody has filled meanwhile is theirs. */
  #removeEmpty(path: string): void {
    try {
      if (this.#user) this.#asUser('rmdir', ['--', path]);
      else rmdirSync(path);
    } catch {
      // Not empty, or gone: nothing of ours is left.
    }
  }

  #asUser(command: string, args: string[]): { status: number | null; stderr: string } {
    const identity = this.#user && { uid: this.#user.uid, gid: this.#user.gid };
    return spawnSync(command, args, {
      cwd: '/',
      encoding: 'utf8',
      timeout: AS_USER_MS,
      killSignal: 'SIGKILL',
      ...identity,
    });
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
