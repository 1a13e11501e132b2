// Finds the system user that `--run-as` names; every requested process runs as this user.
import { execFileSync, spawnSync } from 'node:child_process';

export interface User {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly home: string;
  readonly shell: string;
}

/** Returns the user; throws an error with the reason when nothing can be run as this user. */
export function findUser(name: string): User {
  const refuse = (why: string): never => {
    throw new Error(`--run-as ${name}: ${why}`);
  };
  if (process.platform !== 'linux') refuse('this flag is only supported on Linux');
  if (process.getuid?.() !== 0)
    refuse('only a gateway that was started as root can start processes as another user');
  const user = parsePasswd(passwdOf(name)) ?? refuse('this machine has no such user');
  if (user.uid === 0) refuse('root is not allowed, because it can access everything');
  const { error, status } = spawnSync(PERL, ['-e', '1'], { cwd: '/', env: {}, ...identityOf(user) });
  if (error) refuse(`programs are started as this user with ${PERL}, which cannot be run: ${error.message}`);
  if (status !== 0)
    refuse(`programs are started as this user with ${PERL}, which does not work for this user`);
  return user;
}

/** Program through which every requested process of another user is started. */
export const PERL = '/usr/bin/perl';

/**
 * Returns the spawn options that select the user; libuv also drops all supplementary groups before the program begins.
 */
export const identityOf = (user: User | null): { uid?: number; gid?: number } =>
  user ? { uid: user.uid, gid: user.gid } : {};

function parsePasswd(line: string): User | null {
  const [name = '', , uid = '', gid = '', , home = '', shell = ''] = line.trim().split(':');
  if (name === '' || !/^\d+$/.test(uid) || !/^\d+$/.test(gid)) return null;
  return { name, uid: Number(uid), gid: Number(gid), home: home || '/', shell: shell || '/bin/sh' };
}

/** Returns the passwd entry from any user database; empty when there is none. */
function passwdOf(name: string): string {
  try {
    return execFileSync('/usr/bin/getent', ['passwd', '--', name], { encoding: 'utf8', stdio: 'pipe' });
  } catch {
    return '';
  }
}

/** Variables that reveal nothing about the gateway's user; others may contain a key or a folder of that user. */
const OF_ALL_USERS = /^(LANG|LANGUAGE|LC_[A-Z]+|TERM|COLORTERM|TERM_PROGRAM|TZ)$/;
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Returns the environment of this user's processes: that of a fresh login, with those of the gateway's variables that
 * reveal nothing about its user; `own` for the gateway's user.
 */
export function environmentOf(user: User | null, own: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (!user) return own;
  const { name, home, shell } = user;
  const shared = Object.entries(own).filter(([variable]) => OF_ALL_USERS.test(variable));
  return { ...Object.fromEntries(shared), PATH, HOME: home, USER: name, LOGNAME: name, SHELL: shell };
}
