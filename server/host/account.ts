// The account of this process's own user, which a number that a container gave has none of.
import { userInfo } from 'node:os';

/** Null without an account. */
function ownAccount(): ReturnType<typeof userInfo> | null {
  try {
    return userInfo();
  } catch {
    return null;
  }
}

/** The login shell; `/bin/sh` without an account. */
export const loginShell = (): string => String(ownAccount()?.shell || '/bin/sh');

/** True for a file of this user's. */
export const isOwn = ({ uid }: { readonly uid: number }): boolean =>
  uid === (process.geteuid?.() ?? ownAccount()?.uid);
