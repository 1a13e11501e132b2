// The operator's floor: the minimum sandbox for every process, whatever a request asks for.
import { pathToFileURL } from 'node:url';
import type { SandboxIntent } from '../../../protocol/sandbox.ts';
import { checkDenied, pathOf } from './intent.ts';
import { accessAt, depth, needed, outermost, type Grant, type Policy } from './policy.ts';
import { PROTECTED, workspacesOf, type ChosenFolder } from './workspaces.ts';

export const FLOORS = ['none', 'workspace-write', 'read-only'] as const;
export type Floor = (typeof FLOORS)[number];

type Entry = SandboxIntent['permissions']['file_system']['entries'][number];
type Special = Extract<Entry['path'], { type: 'special' }>['value'];

/** Folders of a request, and those of the operator's `--workspace`; without the latter, the request decides. */
export interface NamedFolders {
  readonly cwd: string | null;
  readonly workspaceRoots: readonly string[] | null;
  readonly chosen: readonly ChosenFolder[];
}

/**
 * Returns the floor as an intent. Its workspaces are chosen from the request's roots or, when these are null, from the
 * request's working directory.
 */
export function floorIntent(
  floor: Exclude<Floor, 'none'>,
  { cwd, workspaceRoots, chosen }: NamedFolders,
): SandboxIntent {
  const named =
    workspaceRoots?.map((uri) => pathOf(uri, 'sandbox.workspaceRoots')) ?? (cwd === null ? [] : [cwd]);
  const { roots, readOnly } = workspacesOf(named, chosen);
  const entries = [special({ kind: 'root' }, 'read')];
  if (floor === 'workspace-write') {
    entries.push(special({ kind: 'project_roots' }, 'write'), special({ kind: 'slash_tmp' }, 'write'));
    for (const subpath of PROTECTED) {
      entries.push({
        ...special({ kind: 'project_roots', subpath }, 'read'),
        missing_path_behavior: 'skip',
      });
    }
    for (const path of readOnly) {
      entries.push({ path: { type: 'path', path: pathToFileURL(path).href }, access: 'read' });
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

/** Returns a policy that allows at every path only what both policies allow. Throws SandboxRefusal as `checkDenied` does. */
export function narrowed(policy: Policy, floor: Policy): Policy {
  const grants = [...policy.grants, ...floor.grants]
    .toSorted((a, b) => depth(a.path) - depth(b.path))
    .filter(({ path }, index, all) => all.findIndex((other) => other.path === path) === index)
    .map(({ path, kind }): Grant => {
      const isWritable = [policy, floor].every((one) => accessAt(one.grants, path) === 'write');
      return { path, kind, access: isWritable ? 'write' : 'read' };
    });
  const denied = outermost([...policy.denied, ...floor.denied]);
  checkDenied(denied, grants);
  const isRestricted = policy.network === 'restricted' || floor.network === 'restricted';
  return {
    grants: needed(grants),
    denied,
    network: isRestricted ? 'restricted' : 'enabled',
  };
}

const special = (value: Special, access: Entry['access']): Entry => ({
  path: { type: 'special', value },
  access,
});
