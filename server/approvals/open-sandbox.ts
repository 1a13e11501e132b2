// Detects sandboxes that allow writing to the root folder, which are shown as no sandbox.
import { realpathSync } from 'node:fs';
import { normalize } from 'node:path';
import type { SandboxIntent } from '../../protocol/sandbox.ts';
import { pathsOf } from '../host/sandbox/intent.ts';
import type { User } from '../host/user.ts';

interface Where {
  readonly cwd: string;
  readonly tmpdir: string | undefined;
  readonly user: User | null;
}

/**
 * Returns true when the sandbox has entries for `/`, and all of these permit writing; false for an invalid sandbox.
 * Read-only parts do not count: otherwise an agent could name any file to avoid the approval of its input.
 */
export function isOpen(intent: SandboxIntent, { cwd, tmpdir, user }: Where): boolean {
  const around = { cwd, tmpdir, masked: [], areReal: true };
  try {
    const ofRoot = intent.permissions.file_system.entries.filter((entry) =>
      pathsOf(entry, intent, around, 'sandbox').some((path) => isRoot(path, user)),
    );
    // The stricter of two entries for the same path applies.
    return ofRoot.length > 0 && ofRoot.every(({ access }) => access === 'write');
  } catch {
    // The sandbox is invalid, so the start itself will be refused.
    return false;
  }
}

/**
 * Returns true for `/` and for links to it; only for `/` itself when commands run as another user, who could
 * block the lookup.
 */
function isRoot(path: string, user: User | null): boolean {
  if (normalize(path) === '/') return true;
  try {
    return user === null && realpathSync(path) === '/';
  } catch {
    return false;
  }
}
