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

export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
