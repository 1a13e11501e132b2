// The operator's floor: the weakest policy that applies, whatever is asked for.
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { SandboxIntent } from '../protocol/sandbox.ts';
import { accessAt, depth, isWithin, needed, type Grant, type Policy } from './policy.ts';

export const FLOORS = ['none', 'workspace-write', 'read-only'] as const;
export type Floor = (typeof FLOORS)[number];

type Entry = SandboxIntent['permissions']['file_system']['entries'][number];
type Special = Extract<Entry['path'], { type: 'special' }>['value'];

/** What in a workspace decides over what is run there later. */
const PROTECTED = ['.git', '.agents', '.codex', '.aws'];

interface Host {
  readonly home: string;
  /** Where a path really is, without links; null when nothing is there. */
  readonly real: (path: string) => string | null;
}

const THIS_HOST: Host = {
  get home() {
    return homedir();
  },
  real: (path) => {
    try {
      return realpathSync(path);
    } catch {
      return null;
    }
  },
};

/**
 * The floor as an intent. The workspace is what the request calls so, else the folder of the command: but never the
 * root, the home folder or what is around it, nor a hidden folder of the home folder, where keys and settings are.
 */
export function floorIntent(
  floor: Exclude<Floor, 'none'>,
  { cwd, workspaceRoots }: { readonly cwd: string | null; readonly workspaceRoots: readonly string[] | null },
  { home, real }: Host = THIS_HOST,
): SandboxIntent {
  const named = workspaceRoots?.map((uri) => fileURLToPath(uri)) ?? (cwd === null ? [] : [cwd]);
  const roots = named
    .flatMap((path) => real(path) ?? [])
    .filter((root) => mayBeWritten(root, real(home) ?? home));
  const entries = [special({ kind: 'root' }, 'read')];
  if (floor === 'workspace-write') {
    entries.push(special({ kind: 'project_roots' }, 'write'), special({ kind: 'slash_tmp' }, 'write'));
    for (const subpath of PROTECTED) {
      entries.push({
        ...special({ kind: 'project_roots', subpath }, 'read'),
        missing_path_behavior: 'skip',
      });
    }
  }
  return {
    permissions: {
      type: 'managed',
      file_system: { type: 'restricted', entries },
      network: 'restricted',
    },
    workspaceRoots: roots.map((root) => pathToFileURL(root).href),
  };
}

/** Allows at every path only what both allow. */
export function narrowed(policy: Policy, floor: Policy): Policy {
  const grants = [...policy.grants, ...floor.grants]
    .toSorted((a, b) => depth(a.path) - depth(b.path))
    .filter(({ path }, index, all) => all.findIndex((other) => other.path === path) === index)
    .map(({ path, kind }): Grant => {
      const isWritable = [policy, floor].every((one) => accessAt(one.grants, path) === 'write');
      return { path, kind, access: isWritable ? 'write' : 'read' };
    });
  const isRestricted = policy.network === 'restricted' || floor.network === 'restricted';
  return {
    grants: needed(grants),
    denied: [...policy.denied, ...floor.denied].filter(
      ({ path }, index, all) => all.findIndex((other) => other.path === path) === index,
    ),
    network: isRestricted ? 'restricted' : 'enabled',
  };
}

const special = (value: Special, access: Entry['access']): Entry => ({
  path: { type: 'special', value },
  access,
});

const mayBeWritten = (root: string, home: string): boolean =>
  !isWithin(home, root) && !(isWithin(root, home) && root.slice(home.length + 1).startsWith('.'));
