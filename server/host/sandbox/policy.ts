// What a sandbox allows, with every path real and absolute: what the means of each system are made from.

/** A place that stays read-only or out of reach; `missing` has nothing there yet. */
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
  /** Outer before inner: the innermost decides. The first is `/`. */
  readonly grants: readonly Grant[];
  /** Win over every grant. */
  readonly denied: readonly Place[];
  readonly network: 'restricted' | 'enabled';
}

/** Who is inside. */
export interface Identity {
  readonly uid: number;
  readonly gid: number;
}

/** What is to be run inside. */
export interface Command {
  /** The first is the program. */
  readonly argv: readonly string[];
  /** The program's name for itself, when it is another. */
  readonly arg0: string | null;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Access of the innermost grant around `path`. */
export function accessAt(grants: readonly Grant[], path: string): Grant['access'] {
  return grants.findLast((grant) => isWithin(path, grant.path))?.access ?? 'read';
}

/** Without those that say what holds already. */
export function needed(grants: readonly Grant[]): Grant[] {
  const kept: Grant[] = [];
  for (const grant of grants) {
    if (kept.length === 0 || accessAt(kept, grant.path) !== grant.access) kept.push(grant);
  }
  return kept;
}

/**
 * The folders above what stays read-only or out of reach, as far as they can be written to: mounted themselves, they cannot
 * be renamed, and nothing else be made in the place of what is kept.
 */
export function withPins(policy: Policy): Policy {
  const { grants, denied } = policy;
  const kept = [...grants.filter(({ access }) => access === 'read'), ...denied].map(({ path }) => path);
  const above = new Set(kept.flatMap((path) => foldersAbove(path)));
  const pins = [...above]
    .filter((path) => accessAt(grants, path) === 'write' && !grants.some((grant) => grant.path === path))
    .map((path): Grant => ({ path, kind: 'folder', access: 'write' }));
  return { ...policy, grants: [...grants, ...pins].toSorted((a, b) => depth(a.path) - depth(b.path)) };
}

function foldersAbove(path: string): string[] {
  const names = path.split('/').slice(1, -1);
  return names.map((_, index) => `/${names.slice(0, index + 1).join('/')}`);
}

export const depth = (path: string): number => (path === '/' ? 0 : path.split('/').length);

export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
