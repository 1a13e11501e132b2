// The user account of this process; a user id assigned by a container may have none.
import { userInfo } from 'node:os';

function ownAccount(): ReturnType<typeof userInfo> | null {
  try {
    return userInfo();
  } catch {
    return null;
  }
}

/** Returns the login shell; `/bin/sh` when there is no account, or it has no shell. */
export const loginShell = (): string => String(ownAccount()?.shell || '/bin/sh');

/** Returns true for a file that this user owns. */
export const isOwn = ({ uid }: { readonly uid: number }): boolean =>
  uid === (process.geteuid?.() ?? ownAccount()?.uid);
