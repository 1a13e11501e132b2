// Permissions of a sandbox, with all paths real and absolute: the input of each system's sandbox mechanism.

/** A path and the kind of what exists there; `missing`: nothing yet. */
export interface Place {
  readonly path: string;
  readonly kind: 'folder' | 'file' | 'missing';
}

export interface Grant {
  readonly path: string;
  readonly access: 'read' | 'write';
  readonly kind: Place['kind'];
}

export interface Policy {
  /** Grants, outer ones first: the innermost one decides. The first is for `/`. */
  readonly grants: readonly Grant[];
  /** Denied places, none inside another, which override every grant. */
  readonly denied: readonly Place[];
  readonly network: 'restricted' | 'enabled';
}

/** User and group of the processes inside. */
export interface Identity {
  readonly uid: number;
  readonly gid: number;
}

export interface Command {
  /** Arguments; the first is the program. */
  readonly argv: readonly string[];
  /** argv[0] as the program sees it; null: the first argument. */
  readonly arg0: string | null;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Returns the access of the innermost grant around `path`; `read` when there is none. */
export function accessAt(grants: readonly Grant[], path: string): Grant['access'] {
  return grants.findLast((grant) => isWithin(path, grant.path))?.access ?? 'read';
}

/** Returns the grants without those that repeat the access of the grant around them. */
export function needed(grants: readonly Grant[]): Grant[] {
  const effective: Grant[] = [];
  for (const grant of grants) {
    if (effective.length === 0 || accessAt(effective, grant.path) !== grant.access) effective.push(grant);
  }
  return effective;
}

/** Returns the places without those inside another: a mask over a folder leaves nowhere to mount a mask inside it. */
export function outermost<T extends Place>(places: readonly T[]): T[] {
  const outer: T[] = [];
  for (const one of places.toSorted((a, b) => depth(a.path) - depth(b.path))) {
    if (!outer.some(({ path }) => isWithin(one.path, path))) outer.push(one);
  }
  return outer;
}

/**
 * Adds the writable folders above read-only or hidden places: as mounts they cannot be renamed, so a
 * protected place cannot be replaced.
 */
export function withPins(policy: Policy): Policy {
  const { grants, denied } = policy;
  const protectedPaths = [...grants.filter(({ access }) => access === 'read'), ...denied].map(
    ({ path }) => path,
  );
  const above = new Set(protectedPaths.flatMap((path) => foldersAbove(path)));
  const pins = [...above]
    .filter((path) => accessAt(grants, path) === 'write' && !grants.some((grant) => grant.path === path))
    .map((path): Grant => ({ path, kind: 'folder', access: 'write' }));
  return { ...policy, grants: [...grants, ...pins].toSorted((a, b) => depth(a.path) - depth(b.path)) };
}

/** Returns the folders above a path, outer ones first, without `/`. */
export function foldersAbove(path: string): string[] {
  const names = path.split('/').slice(1, -1);
  return names.map((_, index) => `/${names.slice(0, index + 1).join('/')}`);
}

export const depth = (path: string): number => (path === '/' ? 0 : path.split('/').length);

export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
