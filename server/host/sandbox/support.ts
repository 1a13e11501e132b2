// Detects whether this host supports a sandbox, by starting one.
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { headOf } from '../../../text/cut.ts';
import { bwrapArgs } from './bubblewrap.ts';
import { checked } from './mounts.ts';
import type { Identity, Policy } from './policy.ts';

export type Support =
  /** `bwrap`: the command line that becomes bwrap, without bwrap's arguments. */
  | { readonly means: 'bubblewrap'; readonly bwrap: readonly string[] }
  | { readonly means: 'seatbelt' }
  | { readonly means: null; readonly reason: string };

const PLACES = ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap'];
const PROBE_MS = 10_000;

/**
 * Command that runs bwrap in a mount namespace in which later mounts of the host do not appear. bwrap's own
 * namespaces would receive them, writable and without any mask.
 */
const PRIVATELY = '/usr/bin/unshare --user --map-current-user --mount --propagation private'.split(' ');

export interface Circumstances {
  /** User inside; null: the gateway's user. */
  readonly user?: Identity | null;
  /** Paths at which bwrap is looked up. */
  readonly places?: readonly string[];
  /** Command that runs bwrap in a private mount namespace. */
  readonly privately?: readonly string[];
}

/**
 * Determines which sandbox mechanism works on this host. `filter`: file with a filter for the restricted
 * network. Never rejects.
 */
export async function findSupport(
  filter: string,
  { user = null, places = PLACES, privately = PRIVATELY }: Circumstances = {},
): Promise<Support> {
  if (process.platform === 'darwin') return { means: 'seatbelt' };
  if (process.platform !== 'linux')
    return { means: null, reason: `sandboxes are not supported on ${process.platform}` };
  const bwrap = places.find(isProgram);
  if (!bwrap) return { means: null, reason: 'bubblewrap is not installed: install the package bubblewrap' };
  const failure = await probe([...privately, bwrap], filter, user);
  if (failure === null) return { means: 'bubblewrap', bwrap: [...privately, bwrap] };
  // The check of the mounts inside passes without a private namespace only if the host's own mounts are private.
  if ((await probe([bwrap], filter, user)) === null) return { means: 'bubblewrap', bwrap: [bwrap] };
  return { means: null, reason: explained(failure) };
}

function probe(bwrap: readonly string[], filter: string, user: Identity | null): Promise<string | null> {
  const grants = [{ path: '/', access: 'read', kind: 'folder' }] as const;
  const policy: Policy = { grants, denied: [], network: 'restricted' };
  const inside = [...bwrapArgs(policy, '/'), '--', ...checked(policy), '/bin/sh', '-c', ':'];
  const shell = ['-c', 'exec "$@" 9<"$0"', filter, ...bwrap, ...inside];
  const options = { timeout: PROBE_MS, cwd: '/', ...(user && { uid: user.uid, gid: user.gid }) };
  return new Promise((settle) => {
    execFile('/bin/sh', shell, options, (error, _stdout, stderr) =>
      settle(error ? stderr.trim() || error.message : null),
    );
  });
}

/** Returns bubblewrap's message, with the remedy if it is known. */
export function explained(failure: string): string {
  const words = `bubblewrap does not work here (${headOf(failure, 300)})`;
  if (/unknown option/i.test(failure)) return `${words}: it is too old; install 0.8 or newer`;
  if (/uid map|user namespace|namespace failed|No permissions|Operation not permitted/i.test(failure)) {
    return (
      `${words}: allow unprivileged user namespaces. Set sysctl kernel.unprivileged_userns_clone=1; on Ubuntu 24.04, ` +
      'add AppArmor profiles for bwrap and unshare, or set kernel.apparmor_restrict_unprivileged_userns=0; ' +
      'in a container, use a seccomp and AppArmor profile that permits them'
    );
  }
  return words;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
