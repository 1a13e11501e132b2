// Combines the requested sandbox and the operator's floor into the policy that applies.
import type { SandboxIntent } from '../../../protocol/sandbox.ts';
import { floorIntent, narrowed, type Floor } from './floor.ts';
import { policyOf, type Surroundings } from './intent.ts';
import type { Policy } from './policy.ts';
import type { ChosenFolder } from './workspaces.ts';

/** Inputs of a policy, except the file system and the masked paths. */
export interface Asked extends Pick<Surroundings, 'cwd' | 'tmpdir'> {
  readonly floor: Floor;
  /** Intent of the request; null when it has none. */
  readonly intent: SandboxIntent | null;
  /** Folders of the operator's `--workspace`. */
  readonly chosen: readonly ChosenFolder[];
}

/**
 * Returns the policy of the intent, narrowed by the floor if there is one; without an intent, that of the floor, or a
 * read-only policy if the floor is `none`. `masked`: paths hidden in every sandbox. Throws SandboxRefusal for a request
 * that cannot be enforced.
 */
export function decidedPolicy(
  { floor, intent, cwd, tmpdir, chosen }: Asked,
  masked: readonly string[],
): Policy {
  if (floor === 'none' && intent) return policyOf(intent, { cwd, tmpdir, masked });
  const weakestIntent = floorIntent(floor === 'none' ? 'read-only' : floor, {
    cwd,
    workspaceRoots: intent?.workspaceRoots ?? null,
    chosen,
  });
  // The floor allows no temporary folder but /tmp, since the request controls TMPDIR.
  const weakest = policyOf(weakestIntent, { cwd, tmpdir: undefined, masked, areReal: true });
  return intent ? narrowed(policyOf(intent, { cwd, tmpdir, masked }), weakest) : weakest;
}
