// Turns a sandbox intent into a policy for the host's file system, or a refusal that names the part that
// cannot be enforced.
import { lstatSync } from 'node:fs';
import { dirname, isAbsolute, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SandboxIntent } from '../../../protocol/sandbox.ts';
import { numberText } from '../../../text/amounts.ts';
import { cutTo } from '../../../text/cut.ts';
import { exactRealPath } from './byte-names.ts';
import {
  accessAt,
  depth,
  isWithin,
  needed,
  outermost,
  type Grant,
  type Place,
  type Policy,
} from './policy.ts';
import { beforeLook, NotAnswered } from '../hanging.ts';
import { SandboxRefusal } from './refusal.ts';

export interface Surroundings {
  /** Working directory of the command, used when the intent has no `cwd`; null without a command. */
  readonly cwd: string | null;
  /** TMPDIR of the command's environment. */
  readonly tmpdir: string | undefined;
  /** Paths hidden in every sandbox, such as the gateway's state. */
  readonly masked: readonly string[];
  /** True when paths and roots were already resolved and checked; one that leads elsewhere by now is refused. */
  readonly areReal?: boolean;
}

type Entry = SandboxIntent['permissions']['file_system']['entries'][number];
interface Wanted extends Place {
  readonly access: Entry['access'];
}

/** Field with the path of a special entry. */
const FIELDS: { readonly [kind: string]: string } = {
  project_roots: 'sandbox.workspaceRoots',
  current_working_directory: 'sandbox.cwd',
};

/** The system's views of the machine, to which entries can deny access, but not grant it. */
const OF_THE_SYSTEM = ['/proc', '/dev', '/sys'];

/**
 * Maximum number of places in an intent, since each is looked up on disk before any other work, and becomes a
 * mount.
 */
const MAX_PLACES = 2048;

export function policyOf(intent: SandboxIntent, surroundings: Surroundings): Policy {
  const { file_system, network } = intent.permissions;
  checkPlaces(intent);
  const wanted = file_system.entries.flatMap((entry, index) => {
    const name = `sandbox.permissions.file_system.entries[${index}]`;
    const field = FIELDS[entry.path.type === 'special' ? entry.path.value.kind : 'path'] ?? name;
    const isReal = surroundings.areReal === true && isJudged(entry);
    return pathsOf(entry, intent, surroundings, name).flatMap((path) => resolved(entry, path, field, isReal));
  });
  const masked = surroundings.masked.map((path): Wanted => ({ ...place(path, 'sandbox'), access: 'none' }));
  const grants = grantsOf(wanted);
  const denied = outermost([...wanted, ...masked].filter(({ access }) => access === 'none'));
  const root = grants[0];
  if (root?.path !== '/') {
    throw new SandboxRefusal('sandbox: nothing can run without read access to /');
  }
  if (denied.some(({ path }) => path === '/'))
    throw new SandboxRefusal('sandbox: nothing can run when access to / is "none"');
  checkDenied(denied, grants);
  return { grants: needed(grants), denied: denied.map(({ path, kind }) => ({ path, kind })), network };
}

/**
 * Throws for a denied place that does not exist and that the sandbox cannot create: mounting something over it would
 * create a folder outside the writable places.
 */
export function checkDenied(denied: readonly Place[], grants: readonly Grant[]): void {
  for (const { path, kind } of denied) {
    if (kind === 'missing' && accessAt(grants, path) === 'read')
      throw new SandboxRefusal(`sandbox: ${path} is denied but does not exist, which cannot be enforced`);
  }
}

function checkPlaces({ permissions, workspaceRoots }: SandboxIntent): void {
  const roots = workspaceRoots?.length ?? 0;
  const places = permissions.file_system.entries.reduce(
    (sum, { path }) => sum + (path.type === 'special' && path.value.kind === 'project_roots' ? roots : 1),
    0,
  );
  if (places > MAX_PLACES) {
    throw new SandboxRefusal(
      `sandbox: ${numberText(places)} paths are named; the limit is ${numberText(MAX_PLACES)}`,
    );
  }
}

/**
 * Returns all paths that an intent names, without looking any of them up; none when one is invalid or there are too
 * many.
 */
export function namedIn(intent: SandboxIntent, where: Pick<Surroundings, 'cwd' | 'tmpdir'>): string[] {
  try {
    checkPlaces(intent);
    const around = { ...where, masked: [], areReal: true };
    return [
      ...(intent.workspaceRoots ?? []).map((uri) => pathOf(uri, '')),
      ...intent.permissions.file_system.entries.flatMap((entry) => pathsOf(entry, intent, around, '')),
    ];
  } catch (error) {
    if (error instanceof SandboxRefusal) return [];
    throw error;
  }
}

/** Returns the paths that an entry names. `name`: its field, for the refusal. */
export function pathsOf(
  entry: Entry,
  intent: SandboxIntent,
  { cwd, tmpdir, areReal }: Surroundings,
  name: string,
): string[] {
  if (entry.path.type === 'path') return [pathOf(entry.path.path, name)];
  const special = entry.path.value;
  switch (special.kind) {
    case 'root':
      return ['/'];
    case 'slash_tmp':
      return ['/tmp'];
    case 'tmpdir':
      return tmpdir !== undefined && isAbsolute(tmpdir) ? [tmpdir] : [];
    case 'current_working_directory':
      if (intent.cwd) return [pathOf(intent.cwd, 'sandbox.cwd')];
      if (cwd === null)
        throw new SandboxRefusal(`${name}: the current folder is unknown, since sandbox.cwd is missing`);
      return [cwd];
    case 'project_roots': {
      const roots = (intent.workspaceRoots ?? []).map((uri) => pathOf(uri, 'sandbox.workspaceRoots'));
      const { subpath } = special;
      if (subpath === null || subpath === undefined) return roots;
      if (isAbsolute(subpath) || subpath.includes('\0') || normalize(subpath).split('/')[0] === '..') {
        throw new SandboxRefusal(`${name}: the subpath ${JSON.stringify(subpath)} is outside its root`);
      }
      return roots.map((root) =>
        join(areReal ? root : (real(root, 'sandbox.workspaceRoots') ?? root), subpath),
      );
    }
  }
}

/** Returns the path of a URI. `name`: the field with the URI, for the refusal. */
export function pathOf(uri: string, name: string): string {
  try {
    const path = fileURLToPath(uri);
    if (!path.includes('\0')) return path;
  } catch {
    // The error is reported below, with the same text for every cause.
  }
  throw new SandboxRefusal(`${name}: ${JSON.stringify(uri)} is not a path on this host`);
}

/** Returns true for named paths and project roots, which other processes may replace. */
const isJudged = ({ path }: Entry): boolean => path.type === 'path' || path.value.kind === 'project_roots';

function resolved(entry: Entry, path: string, name: string, isReal: boolean): Wanted[] {
  const { access, missing_path_behavior: missing } = entry;
  if (access !== 'write' && path !== '/' && isLink(path, name)) {
    throw new SandboxRefusal(`${name}: ${path} is a symbolic link, which could be replaced`);
  }
  const found = place(path, name);
  if (isReal && found.path !== path) throw replaced(path, name);
  if (access !== 'none' && OF_THE_SYSTEM.some((folder) => isWithin(found.path, folder))) {
    throw new SandboxRefusal(
      `${name}: access to ${found.path} cannot be granted, because it is in /proc, /dev or /sys`,
    );
  }
  // A write grant for a missing path grants nothing. A missing protected path within a grant stays protected,
  // even with `skip`.
  if (found.kind === 'missing' && access === 'write') return [];
  if (found.kind === 'missing') {
    const strictness = access === 'none' && missing === 'skip' ? 'read' : access;
    return [{ path: topmostMissing(found.path, name), kind: 'missing', access: strictness }];
  }
  return [{ ...found, access }];
}

/** Returns the topmost missing folder of a missing real path: only there can something be mounted that prevents the path. */
function topmostMissing(path: string, name: string): string {
  const above = dirname(path);
  return real(above, name) === null ? topmostMissing(above, name) : path;
}

/** Returns the grants, outer ones first; of two grants for one path, the more restrictive one. */
function grantsOf(wanted: readonly Wanted[]): Grant[] {
  const byPath = new Map<string, Grant>();
  for (const { path, kind, access } of wanted) {
    if (access === 'none') continue;
    if (byPath.get(path)?.access !== 'read') byPath.set(path, { path, kind, access });
  }
  return [...byPath.values()].toSorted((a, b) => depth(a.path) - depth(b.path));
}

/**
 * Returns what is at a path, with its real path or the one that a missing file would have. `name`: the field with the
 * path, for the refusal.
 */
function place(path: string, name: string): Place {
  const found = real(path, name);
  if (found !== null) {
    const entry = unlessMissing(() => lstatSync(found), path, name);
    if (!entry || entry.isSymbolicLink()) throw replaced(path, name);
    return { path: found, kind: entry.isDirectory() ? 'folder' : 'file' };
  }
  const clean = join('/', path).replace(/\/+$/, '') || '/';
  const parent = place(dirname(clean), name);
  if (parent.kind === 'file')
    throw new SandboxRefusal(`${name}: ${shown(path)} cannot exist, because its path leads through a file`);
  return { path: join(parent.path, clean.slice(clean.lastIndexOf('/') + 1)), kind: 'missing' };
}

const replaced = (path: string, name: string): SandboxRefusal =>
  new SandboxRefusal(`${name}: ${shown(path)} was replaced while it was being checked`);

/** Returns the real path of an existing path; null when it does not exist. */
const real = (path: string, name: string): string | null =>
  unlessMissing(() => exactRealPath(path), path, name);

function isLink(path: string, name: string): boolean {
  beforeLook(path);
  return unlessMissing(() => lstatSync(path.replace(/\/+$/, '')).isSymbolicLink(), path, name) ?? false;
}

function unlessMissing<T>(look: () => T, path: string, name: string): T | null {
  try {
    return look();
  } catch (error) {
    if (error instanceof SandboxRefusal || error instanceof NotAnswered) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new SandboxRefusal(`${name}: ${shown(path)} cannot be read (${code})`);
  }
}

/** Maximum length of a path in an error; the beginning is enough to recognize it. */
const SHOWN_CHARS = 512;
const shown = (path: string): string => cutTo(path, SHOWN_CHARS);
