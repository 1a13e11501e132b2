// Extended attributes of a file: its access list, and the attributes that programs have set.
import { attributeCalls, errorOf, succeeded, type AttributeCalls } from '../../host/libc.ts';

/** Access list of further users and groups. A folder may give such a list to new files in it. */
const ACCESS_LIST = 'system.posix_acl_access';

/**
 * Prefixes of attributes that are copied. The others (`security.`, `trusted.`) are the system's: it sets them on a new
 * file, and on one that is written.
 */
const TAKEN_ALONG = /^(user|system)\./;

/** Most bytes of one value, and of all names; as Linux has it. */
const MOST_BYTES = 64 * 1024;

/**
 * Sets the attributes of the open file `to` to exactly those of the file at `from`; throws the system's error when that
 * is not possible.
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
    // Such a file system gives a new file no attributes either.
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

/** Removes the list that the folder may have given it. */
function withoutList(fd: number, calls: AttributeCalls): void {
  if (calls.remove(fd, ACCESS_LIST) === 0) return;
  const error = errorOf();
  if (error.code !== 'ENODATA' && error.code !== 'ENOTSUP') throw error;
}
