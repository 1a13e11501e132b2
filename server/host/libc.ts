// Declares the C library calls for which Node has no API. All but the read in `readStream` block the calling thread.
import { closeSync } from 'node:fs';
import { getSystemErrorMap } from 'node:util';
import koffi from 'koffi';

const F_GETFD = 1;
const F_SETFD = 2;
/** Linux: duplicates a descriptor so that no child inherits the copy. */
const F_DUPFD_CLOEXEC = 1030;
/** Linux: sets the capacity of a pipe. */
const F_SETPIPE_SZ = 1031;
const F_GETPIPE_SZ = 1032;
const FD_CLOEXEC = 1;

type Call<Parameters extends unknown[]> = (...parameters: Parameters) => number;

const library = koffi.load(null);
const declare = <Parameters extends unknown[]>(declaration: string): Call<Parameters> =>
  library.func(declaration) as Call<Parameters>;

function declareIfThere<Parameters extends unknown[]>(declaration: string): Call<Parameters> | null {
  try {
    return declare(declaration);
  } catch {
    return null;
  }
}

/** Calls that return -1 and set errno when they fail. */
export const libc = {
  pipe: declare<[ends: Int32Array]>('int pipe(void *ends)'),
  fcntl: declare<[fd: number, command: number, type: 'int', value: number]>('int fcntl(int, int, ...)'),
  ioctl: declare<[fd: number, request: number, type: 'void *', value: Uint16Array]>(
    'int ioctl(int, unsigned long, ...)',
  ),
  grantpt: declare<[fd: number]>('int grantpt(int)'),
  unlockpt: declare<[fd: number]>('int unlockpt(int)'),
  /** 64 bits each for the soft and the hard limit. */
  getrlimit:
    declareIfThere<[resource: number, limits: BigUint64Array]>('int getrlimit64(int, void *)') ??
    declare<[resource: number, limits: BigUint64Array]>('int getrlimit(int, void *)'),
  setrlimit:
    declareIfThere<[resource: number, limits: BigUint64Array]>('int setrlimit64(int, void *)') ??
    declare<[resource: number, limits: BigUint64Array]>('int setrlimit(int, void *)'),
  poll: declare<[fds: Int32Array, count: number, timeoutMs: number]>('int poll(void *, unsigned long, int)'),
  execve: declare<[path: string, argv: Words, envp: Words]>('int execve(const char *, char **, char **)'),
  getsockopt: declare<[fd: number, level: number, option: number, value: Int32Array, bytes: Int32Array]>(
    'int getsockopt(int, int, int, void *, void *)',
  ),
  flock: declare<[fd: number, operation: number]>('int flock(int, int)'),
  waitpid: declare<[pid: number, status: Int32Array, options: number]>('int waitpid(int, void *, int)'),
};

/**
 * Creates a file in memory, which has a descriptor and no path; null where the C library has no such call, as on macOS.
 */
export const memoryFile = declareIfThere<[name: string, flags: number]>(
  'int memfd_create(const char *, unsigned int)',
);

/** Makes a system call that has no C function, with two numeric arguments; null except on Linux. */
export const syscall =
  process.platform === 'linux'
    ? declare<[number: number, type1: 'int', first: number, type2: 'int', second: number]>(
        'long syscall(long, ...)',
      )
    : null;

/** Restores the default action of a signal, given by its number. Returns a function that reverts to the former action. */
export function defaultSignal(signal: number): () => void {
  const set = library.func('void *signal(int, void *)') as (signal: number, action: unknown) => unknown;
  const former = set(signal, null);
  return () => void set(signal, former);
}

const prctl =
  process.platform === 'linux'
    ? declare<[option: number, type: 'unsigned long', value: number]>('int prctl(int, ...)')
    : null;
const PR_SET_TIMERSLACK = 29;
const PR_GET_TIMERSLACK = 30;

/** Maximum delay of a wake-up of this thread, in nanoseconds; inherited by its children. Null except on Linux. */
export const timerSlack = prctl && {
  get: (): number => prctl(PR_GET_TIMERSLACK, 'unsigned long', 0),
  set: (slack: number): void => void prctl(PR_SET_TIMERSLACK, 'unsigned long', slack),
};

/** Size of a memory page in bytes: 4096, or 16 KiB or 64 KiB on some ARM machines. */
export const pageBytes = declare<[]>('int getpagesize()')();

/** Calls that return 0, or an error number instead of setting errno. */
export const libcReturning = {
  ptsname: declare<[fd: number, name: Buffer, bytes: number]>('int ptsname_r(int, void *, size_t)'),
  spawn: declare<
    [pid: Int32Array, path: string, actions: Buffer, attributes: Buffer, argv: Words, envp: Words]
  >('int posix_spawn(void *, const char *, void *, void *, char **, char **)'),
  initAttributes: declare<[attributes: Buffer]>('int posix_spawnattr_init(void *)'),
  setFlags: declare<[attributes: Buffer, flags: number]>('int posix_spawnattr_setflags(void *, short)'),
  setDefaultSignals: declare<[attributes: Buffer, set: Buffer]>(
    'int posix_spawnattr_setsigdefault(void *, void *)',
  ),
  setSignalMask: declare<[attributes: Buffer, set: Buffer]>('int posix_spawnattr_setsigmask(void *, void *)'),
  initActions: declare<[actions: Buffer]>('int posix_spawn_file_actions_init(void *)'),
  destroyActions: declare<[actions: Buffer]>('int posix_spawn_file_actions_destroy(void *)'),
  /** Sets the child's working directory; null where the C library has no such call, as before glibc 2.29. */
  addChdir: declareIfThere<[actions: Buffer, path: string]>(
    'int posix_spawn_file_actions_addchdir_np(void *, const char *)',
  ),
  addDup2: declare<[actions: Buffer, from: number, to: number]>(
    'int posix_spawn_file_actions_adddup2(void *, int, int)',
  ),
  addOpen: declare<[actions: Buffer, fd: number, path: string, flags: number, mode: number]>(
    'int posix_spawn_file_actions_addopen(void *, int, const char *, int, unsigned int)',
  ),
};

const streams = {
  open: library.func('void *fdopen(int, const char *)') as (fd: number, mode: string) => unknown,
  setBuffer: declare<[stream: unknown, buffer: null, mode: number, bytes: number]>(
    'int setvbuf(void *, void *, int, size_t)',
  ),
  read: library.func('size_t fread(void *, size_t, size_t, void *)'),
  close: declare<[stream: unknown]>('int fclose(void *)'),
};
const UNBUFFERED = 2;

/**
 * A C library stream: one call repeats the system call until the buffer is full or there is no more to read.
 */
export interface CStream {
  readonly pointer: unknown;
}

/**
 * Opens a copy of the descriptor, which is closed with the stream; null when the system has no resources for
 * it. Linux only.
 */
export function openStream(fd: number): CStream | null {
  const copy = libc.fcntl(fd, F_DUPFD_CLOEXEC, 'int', 0);
  if (copy === -1) return null;
  const pointer = streams.open(copy, 'r');
  if (pointer === null) {
    closeSync(copy);
    return null;
  }
  // A buffered stream would read more than requested, and lose it when it is closed.
  if (streams.setBuffer(pointer, null, UNBUFFERED, 0) === 0) return { pointer };
  streams.close(pointer);
  return null;
}

/**
 * Reads in another thread. `onRead`: called with the number of bytes, which is less than the size of `buffer` when no
 * more data is available.
 */
export function readStream({ pointer }: CStream, buffer: Buffer, onRead: (length: number) => void): void {
  streams.read.async(buffer, 1, buffer.length, pointer, (error: unknown, length: number) => {
    onRead(error ? 0 : length);
  });
}

export function closeStream({ pointer }: CStream): void {
  streams.close(pointer);
}

/** Calls that return a length or 0, or -1 with errno when they fail; `list` and `get` do not follow links. */
export interface AttributeCalls {
  readonly list: Call<[path: string, names: Buffer, bytes: number]>;
  readonly get: Call<[path: string, name: string, value: Buffer, bytes: number]>;
  readonly set: Call<[fd: number, name: string, value: Buffer, bytes: number, flags: number]>;
  readonly remove: Call<[fd: number, name: string]>;
}

/** Calls for extended attributes; null except on Linux, since macOS has other calls. */
export const attributeCalls: AttributeCalls | null =
  process.platform === 'linux'
    ? {
        list: declare('long llistxattr(const char *, void *, size_t)'),
        get: declare('long lgetxattr(const char *, const char *, void *, size_t)'),
        set: declare('int fsetxattr(int, const char *, const void *, size_t, int)'),
        remove: declare('int fremovexattr(int, const char *)'),
      }
    : null;

/** Strings for a C `char **`, ending with null. */
export type Words = readonly (string | null)[];

/** Returns the result of a call; throws the error in errno when it failed. */
export function succeeded(result: number): number {
  if (result === -1) throw errorOf();
  return result;
}

/** Returns the error in errno; valid right after a failed call of `libc` or `attributeCalls`. */
export function errorOf(): NodeJS.ErrnoException {
  return systemError(koffi.errno());
}

/** Throws the error for a number returned by a call of `libcReturning`, unless it is 0. */
export function done(errno: number): void {
  if (errno !== 0) throw systemError(errno);
}

/** Sets close-on-exec on a descriptor, so that no child inherits it. */
export function closeAtExec(fd: number): void {
  succeeded(libc.fcntl(fd, F_SETFD, 'int', FD_CLOEXEC));
}

export const closesAtExec = (fd: number): boolean =>
  (succeeded(libc.fcntl(fd, F_GETFD, 'int', 0)) & FD_CLOEXEC) !== 0;

/** Clears close-on-exec on a descriptor, so that it stays open at exec. */
export function keepAtExec(fd: number): void {
  succeeded(libc.fcntl(fd, F_SETFD, 'int', 0));
}

const SOL_SOCKET = 1;
const SO_PEERCRED = 17;

/** Returns the process that was at the other end of a Unix socket when it was connected. Linux only. */
export function peerOf(fd: number): { readonly pid: number; readonly user: number } {
  // struct ucred: pid, uid, gid.
  const credentials = new Int32Array(3);
  succeeded(libc.getsockopt(fd, SOL_SOCKET, SO_PEERCRED, credentials, Int32Array.of(credentials.byteLength)));
  const [pid = 0, user = -1] = credentials;
  return { pid, user };
}

const LOCK_EXCLUSIVE = 2;
const LOCK_NOT_WAITING = 4;

/**
 * Locks an open file until it is closed; returns false when it is already locked elsewhere. Throws when locking fails.
 */
export function locked(fd: number): boolean {
  if (libc.flock(fd, LOCK_EXCLUSIVE | LOCK_NOT_WAITING) === 0) return true;
  const error = errorOf();
  if (error.code === 'EAGAIN') return false;
  throw error;
}

const POLLIN = 0x1;
const POLLHUP = 0x10;

/** Returns true when a process holds the other end of a pipe or terminal that is read here, even if data is unread. */
export function isOtherEndOpen(fd: number): boolean {
  return (stateOf(fd) & POLLHUP) === 0;
}

export function hasUnread(fd: number): boolean {
  return (stateOf(fd) & POLLIN) !== 0;
}

function stateOf(fd: number): number {
  // struct pollfd: the descriptor, then the requested and the returned events.
  const asked = new Int32Array(2);
  const events = new Int16Array(asked.buffer);
  asked[0] = fd;
  events[2] = POLLIN;
  // A signal can interrupt even a call that does not wait.
  while (libc.poll(asked, 1, 0) === -1) {
    const error = errorOf();
    if (error.code !== 'EINTR') throw error;
  }
  return events[3] ?? 0;
}

/**
 * Enlarges a pipe to `bytes`, on Linux only; returns false when its capacity was large enough, or the system
 * refused.
 */
export function enlargePipe(fd: number, bytes: number): boolean {
  if (process.platform !== 'linux') return false;
  // The capacity may already be larger on a system with large pages.
  const isSmaller = libc.fcntl(fd, F_GETPIPE_SZ, 'int', 0) < bytes;
  return isSmaller && libc.fcntl(fd, F_SETPIPE_SZ, 'int', bytes) !== -1;
}

/** Returns an error like those that Node's own calls throw. */
function systemError(errno: number): NodeJS.ErrnoException {
  const [code, message] = getSystemErrorMap().get(-errno) ?? [`E${errno}`, `error ${errno}`];
  return Object.assign(new Error(message), { code, errno: -errno });
}
