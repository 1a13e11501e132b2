// Finds the paths of a place through other mounts of its file system, such as bind mounts, since those paths must be
// hidden as well.
import { asNodeShows, exactPath } from './byte-names.ts';
import { mountTable, mountsNow, moved, sourceOf, type Mount } from './mounts.ts';
import { isWithin } from './policy.ts';

/** The last mount table and its mounts, cached because parsing takes much longer than reading. */
let last: { readonly table: string; readonly mounts: readonly Mount[] } | null = null;

/** Returns the other paths that currently lead to these real paths or into them, as Node shows them. */
export const otherNames = (places: readonly string[], mounts = visibleMounts()): string[] =>
  namesOf(places, mounts).map(asNodeShows);

/** Throws SandboxRefusal when another path of one of the places cannot be hidden, because it is not UTF-8. */
export function refuseByteNames(places: readonly string[], mounts = visibleMounts()): void {
  namesOf(places, mounts).forEach(exactPath);
}

function namesOf(places: readonly string[], mounts: readonly Mount[]): string[] {
  return places.flatMap((place) => {
    const source = sourceOf(place, mounts);
    return source
      ? mounts.flatMap((mount) => nameIn(mount, source, mounts) ?? []).filter((name) => name !== place)
      : [];
  });
}

function nameIn(
  mount: Mount,
  { device, root }: Pick<Mount, 'device' | 'root'>,
  mounts: readonly Mount[],
): string | null {
  if (mount.device !== device) return null;
  // A mount whose root is at or below the place contains nothing else, so its whole mount point is hidden.
  if (isWithin(mount.root, root)) return mount.point;
  if (!isWithin(root, mount.root)) return null;
  const name = moved(root, mount.root, mount.point);
  // Another mount may cover the place at that path.
  const there = sourceOf(name, mounts);
  return there?.device === device && there.root === root ? name : null;
}

function visibleMounts(): readonly Mount[] {
  if (process.platform !== 'linux') return [];
  const table = mountTable();
  if (last?.table !== table) last = { table, mounts: mountsNow(table) };
  return last.mounts;
}
