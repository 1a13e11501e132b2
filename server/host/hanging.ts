// Finds paths on file systems that may hang, without touching these file systems: network, FUSE and
// automounts, whose servers may not answer.
import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { MOST_LINKS } from './real-path.ts';
import { withDescriptor } from './spare-descriptor.ts';

/** File system types that need nothing but this machine's kernel and devices; any other type may hang. */
const LOCAL = new Set(
  (
    'adfs affs aufs bcachefs bdev befs bfs binder binfmt_misc bpf btrfs cgroup cgroup2 configfs cpuset cramfs ' +
    'debugfs devfs devpts devtmpfs ecryptfs efivarfs efs erofs exfat ext2 ext3 ext4 f2fs functionfs fusectl hfs ' +
    'hfsplus hpfs hugetlbfs iso9660 jffs2 jfs minix mqueue msdos nfsd nilfs2 nsfs ntfs ntfs3 omfs overlay pipefs ' +
    'proc pstore qnx4 qnx6 ramfs reiserfs resctrl romfs rootfs rpc_pipefs securityfs selinuxfs smackfs sockfs ' +
    'squashfs sysfs sysv tmpfs tracefs ubifs udf ufs vfat xenfs xfs zfs zonefs'
  ).split(' '),
);

export interface HangingMount {
  readonly point: string;
  readonly isAutomount: boolean;
}

/** A path that leads to a mount that may hang. */
export interface Hanging {
  /** The path as requested. */
  readonly path: string;
  /** Part of the file system whose answer counts for all of its paths: the mount, or one folder of an automount. */
  readonly part: string;
}

/** Thrown before a lookup of paths whose file systems may hang and have not answered yet. */
export class NotAnswered extends Error {
  readonly hanging: readonly Hanging[];

  constructor(hanging: readonly Hanging[]) {
    super('invariant violation: a path was looked up before its file system had answered');
    this.hanging = hanging;
  }
}

let last: { readonly table: string; readonly mounts: readonly HangingMount[] } | null = null;

/** Returns this machine's mounts that may hang, except the root, without which nothing works; none on macOS. */
export function hangingMounts(): readonly HangingMount[] {
  if (process.platform !== 'linux') return [];
  const table = mountTable();
  if (table !== null && last?.table !== table) last = { table, mounts: mountsIn(table) };
  return last?.mounts ?? [];
}

/** Returns the text of the mount table, with names read as latin1; null when it cannot be read. */
function mountTable(): string | null {
  try {
    return withDescriptor(() => readFileSync('/proc/self/mountinfo', 'latin1'));
  } catch {
    return null;
  }
}

/** Returns the mounts that may hang in the text of a mount table, whose names were read as latin1. */
export function mountsIn(table: string): HangingMount[] {
  return table.split('\n').flatMap((line) => {
    const [before = '', after = ''] = line.split(' - ');
    const escaped = before.split(' ')[4];
    const [type = ''] = after.split(' ');
    if (escaped === undefined || escaped === '/' || LOCAL.has(type)) return [];
    const bytes = escaped.replace(/\\([0-7]{3})/g, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 8)),
    );
    return [{ point: Buffer.from(bytes, 'latin1').toString(), isAutomount: type === 'autofs' }];
  });
}

/**
 * Returns the part of a file system on which a lookup of the path may hang; null when the lookup touches none of
 * these mounts.
 */
export function hanging(path: string, mounts: readonly HangingMount[]): Hanging | null {
  return mounts.length === 0 ? null : hangingAt(path, resolved(path, mounts), mounts);
}

/** Variant of `hanging` for a path without links. */
const hangingReal = (path: string, mounts: readonly HangingMount[]): Hanging | null =>
  hangingAt(path, path, mounts);

/** Returns the mounts at or below a path, whose links are followed. */
export function mountsBelow(path: string, mounts: readonly HangingMount[]): string[] {
  if (mounts.length === 0) return [];
  const top = resolved(path, mounts);
  return mounts.flatMap(({ point }) => (isAt(point, top) ? point : []));
}

function hangingAt(path: string, at: string, mounts: readonly HangingMount[]): Hanging | null {
  const over = mounts.filter(({ point }) => isAt(at, point));
  const [first] = over.toSorted((one, other) => other.point.length - one.point.length);
  if (!first) return null;
  const { point, isAutomount } = first;
  const [inside = ''] = isAutomount ? at.slice(point.length + 1).split('/') : [];
  return { path, part: inside === '' ? point : `${point}/${inside}` };
}

/**
 * Follows the links of a path up to the first of these mounts, and appends the remaining names. Names that do
 * not exist are taken literally, as code that normalizes paths does.
 */
function resolved(path: string, mounts: readonly HangingMount[]): string {
  let at = '/';
  const names = path.split('/').toReversed();
  for (let links = 0; names.length > 0;) {
    const name = names.pop() ?? '';
    if (name === '' || name === '.') continue;
    if (name === '..') {
      at = dirname(at);
      continue;
    }
    const next = at === '/' ? `/${name}` : `${at}/${name}`;
    if (mounts.some(({ point }) => isAt(next, point))) return [next, ...names.toReversed()].join('/');
    const target = links < MOST_LINKS ? targetOf(next) : null;
    if (target === null) {
      at = next;
      continue;
    }
    links += 1;
    if (isAbsolute(target)) at = '/';
    names.push(...target.split('/').toReversed());
  }
  return at;
}

function targetOf(path: string): string | null {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found?.isSymbolicLink() ? readlinkSync(path) : null;
  } catch {
    return null;
  }
}

const isAt = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);

/** Mounts and answered parts for the lookup in progress; null: nothing is refused. */
let guard: { readonly mounts: readonly HangingMount[]; readonly answered: ReadonlySet<string> } | null = null;

/** Runs synchronous lookups, in which `beforeLook` throws NotAnswered for parts that are not in `answered`. */
export function guarded<T>(mounts: readonly HangingMount[], answered: ReadonlySet<string>, look: () => T): T {
  guard = mounts.length === 0 ? null : { mounts, answered };
  try {
    return look();
  } finally {
    guard = null;
  }
}

/**
 * Throws NotAnswered for paths whose file systems have not answered; does nothing outside `guarded`. Call it before
 * synchronous lookups that a request may cause.
 */
export function beforeLook(...paths: readonly string[]): void {
  before(paths, hanging);
}

/** Variant of `beforeLook` for a path without links. */
export function beforeRealLook(path: string): void {
  before([path], hangingReal);
}

function before(paths: readonly string[], find: typeof hanging): void {
  if (!guard) return;
  const { mounts, answered } = guard;
  const found = paths.flatMap((path) => find(path, mounts) ?? []);
  const missing = found.filter(({ part }) => !answered.has(part));
  if (missing.length > 0) throw new NotAnswered(missing);
}
