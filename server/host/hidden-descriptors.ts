// Checks on Linux whether a process may hold one of the given files open: in any thread's descriptor table, in a mapping,
// or where /proc does not show it.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { withDescriptor } from './spare-descriptor.ts';
import { starvation } from './starved.ts';

/**
 * Maximum number of descriptors read per check (some 100 ms), in all threads of all processes; any further descriptor
 * counts as a possible holder.
 */
const MOST_DESCRIPTORS = 20_000;

/** Descriptors passed over a Unix socket and not received yet, and files registered with an io_uring. */
const HELD_FILES = /^(?:scm_fds|UserFiles):\s*[1-9]/m;

export class HiddenDescriptors {
  readonly #names: readonly string[];
  #left = MOST_DESCRIPTORS;

  /** `names`: names of the files in /proc, such as `socket:[123]`. */
  constructor(names: readonly string[]) {
    this.#names = names;
  }

  /**
   * Returns true when a process holds one of the files in the table of any thread or in a mapping, and also when it
   * may hold one where /proc does not show it. Throws when the system's resources are exhausted.
   */
  mayBeIn(pid: number): boolean {
    try {
      const maps = withDescriptor(() => readFileSync(`/proc/${pid}/maps`, 'latin1'));
      if (this.#names.some((name) => maps.includes(name))) return true;
      const threads = withDescriptor(() => readdirSync(`/proc/${pid}/task`));
      return threads.some((thread) => this.#isInTable(`/proc/${pid}/task/${thread}`));
    } catch (error) {
      return isUnreadable(error);
    }
  }

  #isInTable(thread: string): boolean {
    try {
      return withDescriptor(() => readdirSync(`${thread}/fd`)).some((fd) => this.#isOrHolds(thread, fd));
    } catch (error) {
      return isUnreadable(error);
    }
  }

  #isOrHolds(thread: string, fd: string): boolean {
    this.#left -= 1;
    if (this.#left < 0) return true;
    try {
      const name = readlinkSync(`${thread}/fd/${fd}`);
      if (this.#names.includes(name)) return true;
      const isHolder = name.startsWith('socket:') || name === 'anon_inode:[io_uring]';
      return (
        isHolder && HELD_FILES.test(withDescriptor(() => readFileSync(`${thread}/fdinfo/${fd}`, 'latin1')))
      );
    } catch (error) {
      return isUnreadable(error);
    }
  }
}

/**
 * Returns false when the error means that the process, thread or descriptor no longer exists, and true for any other
 * error; throws when resources are exhausted.
 */
function isUnreadable(error: unknown): boolean {
  if (starvation(error)) throw error;
  const { code } = error as NodeJS.ErrnoException;
  return code !== 'ENOENT' && code !== 'ESRCH';
}
