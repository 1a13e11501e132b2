// A file system that does not answer, in the mount namespace of a gateway: FUSE, whose requests are never read.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { untilPrinted } from './command-line.ts';

/**
 * Shell command that mounts the file system at `$0`; the mount lasts as long as a process has `/dev/fuse` open for it.
 */
const MOUNT = 'exec 3<>/dev/fuse && mount -i -t fuse -o fd=3,rootmode=40000,user_id=0,group_id=0 hung "$0"';

/** Returns the reason why this machine cannot have such a mount; null when it can. */
export const whyNoHungMounts = (): string | null => {
  const { status, stderr, error } = spawnSync('unshare', ['-m', 'sh', '-c', MOUNT, '/mnt']);
  return status === 0 ? null : `no FUSE here: ${error?.message ?? stderr.toString().trim()}`;
};

/** Returns the prefix of a gateway's command line that runs the gateway in a separate mount namespace. */
export const withOwnMounts = (): string[] => ['unshare', '-m'];

export class HungMount {
  readonly #holder: ChildProcess;

  private constructor(holder: ChildProcess) {
    this.#holder = holder;
  }

  /** Mounts the file system over a folder in the mount namespace of the process `pid`. */
  static async at(folder: string, pid: number): Promise<HungMount> {
    const script = `${MOUNT} && echo mounted && exec cat`;
    const args = ['-t', String(pid), '-m', 'sh', '-c', script, folder];
    const holder = spawn('/usr/bin/nsenter', args, { stdio: ['pipe', 'pipe', 'inherit'] });
    await untilPrinted(holder.stdout, 'mounted');
    return new HungMount(holder);
  }

  /** Ends the process that holds the mount; whatever waits for the file system then fails. */
  async end(): Promise<void> {
    if (this.#holder.exitCode !== null || this.#holder.signalCode !== null) return;
    this.#holder.kill('SIGKILL');
    await once(this.#holder, 'exit');
  }
}
