// The account of this process's own user; a user id that a container assigned has none.
import { userInfo } from 'node:os';

/** Returns null without an account. */
function ownAccount(): ReturnType<typeof userInfo> | null {
  try {
    return userInfo();
  } catch {
    return null;
  }
}

/** The login shell; `/bin/sh` without an account. */
export const loginShell = (): string => String(ownAccount()?.shell || '/bin/sh');

/** True for a file that this user owns. */
export const isOwn = ({ uid }: { readonly uid: number }): boolean =>
  uid === (process.geteuid?.() ?? ownAccount()?.uid);
