// Copies the extended attributes of a file: its access control list, and attributes set by programs.
import { attributeCalls, errorOf, succeeded, type AttributeCalls } from '../../host/libc.ts';

/** Access control list of additional users and groups. New files may inherit such a list from their folder. */
const ACCESS_LIST = 'system.posix_acl_access';

/**
 * Prefixes of attributes that are copied. The system sets or clears `security.` itself on new and written files;
 * `trusted.` is reserved for privileged programs.
 */
const TAKEN_ALONG = /^(user|system)\./;

/** Linux's limit on the size of one value, and on the total size of all names. */
const MOST_BYTES = 64 * 1024;

/**
 * Copies attributes of the file at `from` to the new open file `to`. If `from` has no access control list, removes the
 * one that `to` may have inherited. Throws the system's error on failure.
 */
export function takeAttributes(from: string, to: number): void {
  if (!attributeCalls) return;
  const old = attributesOf(from, attributeCalls);
  for (const [name, value] of old) succeeded(attributeCalls.set(to, name, value, value.length, 0));
  if (!old.has(ACCESS_LIST)) withoutList(to, attributeCalls);
}

function attributesOf(path: string, calls: AttributeCalls): Map<string, Buffer> {
  const names = Buffer.alloc(MOST_BYTES);
  const length = calls.list(path, names, names.length);
  if (length === -1) {
    const error = errorOf();
    // A file has no attributes when its file system does not support any.
    if (error.code === 'ENOTSUP') return new Map();
    throw error;
  }
  return new Map(
    names
      .toString('utf8', 0, length)
      .split('\0')
      .filter((name) => TAKEN_ALONG.test(name))
      .map((name) => [name, valueOf(path, name, calls)]),
  );
}

function valueOf(path: string, name: string, calls: AttributeCalls): Buffer {
  const value = Buffer.alloc(MOST_BYTES);
  return value.subarray(0, succeeded(calls.get(path, name, value, value.length)));
}

/** Removes the access control list that the file may have inherited from its folder. */
function withoutList(fd: number, calls: AttributeCalls): void {
  if (calls.remove(fd, ACCESS_LIST) === 0) return;
  const error = errorOf();
  if (error.code !== 'ENODATA' && error.code !== 'ENOTSUP') throw error;
}
