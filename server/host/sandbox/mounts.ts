// Reads the kernel's mount table, and builds the check inside a sandbox that every mount is the intended one. The
// check is needed because another process may replace paths after they were checked and before they are mounted.
import { readFileSync } from 'node:fs';
import { decodedPath, exactPath } from './byte-names.ts';
import { accessAt, depth, isWithin, type Grant, type Policy } from './policy.ts';

export interface Mount {
  /** `major:minor` of the file system. */
  readonly device: string;
  /** Path, inside the file system, of the folder or file that is mounted. */
  readonly root: string;
  readonly point: string;
  readonly type: string;
}

/**
 * Returns the mount table, one character for each byte. Its names have to be decoded, since some may not be UTF-8.
 */
export const mountTable = (): string => readFileSync('/proc/self/mountinfo', 'latin1');

/** Returns the visible mounts, from the mount table, which lists them in any order. */
export function mountsNow(table = mountTable()): Mount[] {
  const mounts = table.split('\n').flatMap((line) => {
    const [before = '', after = ''] = line.split(' - ');
    const [id, parent, device, root, point] = before.split(' ');
    if (id === undefined || parent === undefined || device === undefined) return [];
    if (root === undefined || point === undefined) return [];
    const type = after.split(' ')[0] ?? '';
    return [{ id, parent, mount: { device, root: unescaped(root), point: unescaped(point), type } }];
  });
  const parentOf = new Map(mounts.map(({ id, parent }) => [id, parent]));
  const isAbove = (id: string, other: string): boolean => {
    for (let at = parentOf.get(other), seen = 0; at !== undefined && seen < mounts.length; seen += 1) {
      if (at === id) return true;
      at = parentOf.get(at);
    }
    return false;
  };
  // A mount is hidden by another mount at its point or around it, unless that other mount is its ancestor in the
  // table.
  return mounts
    .filter(
      ({ id, mount }) =>
        !mounts.some(
          (other) => other.id !== id && isWithin(mount.point, other.mount.point) && !isAbove(other.id, id),
        ),
    )
    .map(({ mount }) => mount);
}

/** Source of a mount: a file system, and a path on it. */
export type Source = Pick<Mount, 'device' | 'root'>;

/** Returns the source that is visible at a real path; null when no mount is known there. */
export function sourceOf(path: string, mounts: readonly Mount[]): Source | null {
  const mount = mounts
    .filter(({ point }) => isWithin(path, point))
    .reduce<Mount | null>(
      (best, each) => (best && depth(best.point) > depth(each.point) ? best : each),
      null,
    );
  return mount && { device: mount.device, root: moved(path, mount.point, mount.root) };
}

/** Returns the path below `to` that corresponds to `path` below `from`. */
export function moved(path: string, from: string, to: string): string {
  const below = path.slice(from === '/' ? 0 : from.length);
  return below === '' || below === '/' ? to : `${to === '/' ? '' : to}${below}`;
}

/** Decodes a path of the mount table, in which the kernel writes blanks and backslashes as three octal digits. */
const unescaped = (path: string): string =>
  decodedPath(
    path.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8))),
  );

/** Encodes a path as in the mount table; throws SandboxRefusal for a path that is not UTF-8. */
const escaped = (path: string): string =>
  exactPath(path).replace(/[ \t\n\\]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`);

/**
 * Shell script that checks the mounts and then runs a command. `$1`: places that may be writable mounts;
 * `$2`: devices of this host; `$3`: required mounts; the command follows. A device that the host does not
 * have was created for the sandbox. The script cannot test mount points with a backslash, so they count as
 * writable. No mount may receive later mounts of the host.
 */
const CHECK = `
fail() { echo "exec-console: $1; nothing was run" >&2; exit 126; }
replaced() { fail "a folder was replaced while the sandbox was set up"; }
allowed=$1 devices=$2 wanted=$3; shift 3
nl='
'
seen=$nl
while read -r id parent device root point options rest; do
  at="$device $root $point"
  case $rest in shared:*|master:*) fail "later mounts of the host would appear in the sandbox";; esac
  case $options in
    ro|ro,*) seen="$seen\${nl}ro $at$nl"; continue;;
  esac
  seen="$seen\${nl}rw $at$nl"
  case $allowed in *"$nl$at$nl"*) continue;; esac
  case $devices in *" $device "*) ;; *) continue;; esac
  case $point in *\\\\*) replaced;; esac
  [ -c "$point" ] || [ ! -w "$point" ] || replaced
done </proc/self/mountinfo
set -f
IFS=$nl
for want in $wanted; do
  case $seen in *"$want$nl"*) ;; *) replaced;; esac
done
unset IFS
set +f
unset allowed devices wanted nl seen id parent device root point options rest at want
exec "$@"
`;

/**
 * Returns the argv to put before a command, so that the command runs only when every mount is as the policy requires.
 * Throws SandboxRefusal when the path of one of these mounts is not UTF-8.
 */
export function checked({ grants, denied }: Policy, mounts = mountsNow()): string[] {
  const lines = (at: readonly string[]): string => `\n${at.join('\n')}\n`;
  const [, ...inner] = grants.filter(({ path }) => !denied.some((place) => isWithin(path, place.path)));
  const place = (path: string): string | null => {
    const source = sourceOf(path, mounts);
    return source && `${source.device} ${escaped(source.root)} ${escaped(path)}`;
  };
  const written = mounts.filter(({ point }) => accessAt(grants, point) === 'write');
  const allowed = [
    ...written.map(({ device, root, point }) => `${device} ${escaped(root)} ${escaped(point)}`),
    ...inner.flatMap(({ path, access }) => (access === 'write' && place(path)) || []),
  ];
  const wanted = [
    ...inner.map(({ path, access, kind }: Grant) => {
      const at = kind === 'missing' ? null : place(path);
      if (at === null) return ` ${escaped(path)}`;
      return access === 'write' ? ` ${at}` : `ro ${at}`;
    }),
    ...denied.map(({ path }) => ` ${escaped(path)}`),
  ];
  const devices = ` ${[...new Set(mounts.map(({ device }) => device))].join(' ')} `;
  return ['/bin/sh', '-c', CHECK, 'exec-console', lines(allowed), devices, wanted.join('\n')];
}
