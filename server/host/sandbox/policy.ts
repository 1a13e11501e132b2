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

export const depth = (path: string): number => (path === '/' ? 0 : path.split('/').length);

export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
