// Decides which folders the floor leaves writable as a command's workspaces, and finds protected names around them.
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeLook, beforeRealLook } from '../hanging.ts';
import { SandboxRefusal } from './refusal.ts';
import { isWithin } from './policy.ts';

/** Names of files and folders that decide which code runs later, or with which keys. */
export const PROTECTED = [
  '.git',
  '.agents',
  '.codex',
  '.aws',
  '.claude',
  '.cursor',
  '.gemini',
  '.vscode',
  '.husky',
  '.envrc',
] as const;

/** Folders of the operating system, which a request alone cannot make workspaces, except for `SCRATCH`. */
const SYSTEM = [
  '/bin',
  '/boot',
  '/dev',
  '/etc',
  '/lib',
  '/opt',
  '/proc',
  '/run',
  '/sbin',
  '/sys',
  '/usr',
  '/var',
];
/** Folder that is writable under every floor except read-only. */
const ALWAYS_WRITABLE = '/tmp';
/** Folders that are writable for every user anyway. */
const SCRATCH = [ALWAYS_WRITABLE, '/var/tmp'];
const HOMES = '/home';

/** Limits of the search for protected names: depth in a workspace, and folders per request. */
const NESTED_DEPTH = 3;
const NESTED_FOLDERS = 1000;
/** Folders of package managers, which are large and never the root of a repository. */
const NOT_SEARCHED = new Set(['node_modules']);

export interface Host {
  /** Home folders of the gateway's user, of root, and of every account with the user id of a person. */
  readonly homes: readonly string[];
  /** Folder of the gateway's program, which people run outside any sandbox. */
  readonly program: string;
  /** Returns the real path; null when the path cannot be resolved, as for a missing file. */
  readonly real: (path: string) => string | null;
  /** Returns the names in a folder; none when it cannot be read. */
  readonly list: (
    path: string,
  ) => readonly { readonly name: string; readonly kind: 'folder' | 'file' | 'link' }[];
}

const THIS_HOST: Host = {
  get homes() {
    const homes = [...ownHomes(), '/root', ...homesIn(textOf('/etc/passwd'))];
    // The folders are checked all at once, since each may be a separate automount.
    beforeLook(...homes);
    return homes;
  },
  program: packageAround(import.meta.dirname),
  real: (path) => {
    beforeLook(path);
    try {
      return realpathSync(path);
    } catch {
      return null;
    }
  },
  list: (path) => {
    beforeRealLook(path);
    try {
      return readdirSync(path, { withFileTypes: true }).map((entry) => ({
        name: entry.name,
        kind: entry.isDirectory() ? 'folder' : entry.isSymbolicLink() ? 'link' : 'file',
      }));
    } catch {
      return [];
    }
  },
};

/** Returns the folder of this npm package, which contains `folder`; `folder` itself when the package is not found. */
function packageAround(folder: string): string {
  for (let at = folder; at !== dirname(at); at = dirname(at)) {
    if (/"name": "exec-console"/.test(textOf(join(at, 'package.json')))) return at;
  }
  return folder;
}

/** Returns the home folders of `HOME` and of the account, which need not exist: a container can assign any user ID. */
const ownHomes = (): string[] =>
  [homedir, () => userInfo().homedir].flatMap((find) => {
    try {
      return find();
    } catch {
      return [];
    }
  });

/** Lowest user id of a person; lower accounts are the system's, and so are their homes. */
const FIRST_PERSON = 1000;

/** Returns the home folders of root and of people in the text of /etc/passwd. */
export function homesIn(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const [, , uid = '', , , home = ''] = line.split(':');
    return home.startsWith('/') && (uid === '0' || Number(uid) >= FIRST_PERSON) ? [home] : [];
  });
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** One folder that the operator chose with `--workspace`. */
export interface ChosenFolder {
  readonly named: string;
  /** Real path when the gateway started; `named` if it had none. */
  readonly real: string;
}

export const chosenFolder = (named: string, { real }: Pick<Host, 'real'> = THIS_HOST): ChosenFolder => ({
  named,
  real: real(named) ?? named,
});

export interface Workspaces {
  /** Real paths that are writable. */
  readonly roots: readonly string[];
  /**
   * Real paths that exist and stay read-only: in the roots, around them, and around folders that were refused
   * as roots.
   */
  readonly readOnly: readonly string[];
}

/**
 * Returns the workspaces of a request that names these folders. With `chosen` (the operator's `--workspace`), these
 * are the chosen folders in /tmp, and the parts of the named folders inside chosen ones, except protected names below
 * a chosen folder. Otherwise, these are the named folders except the root, a home folder or a folder around one, a
 * system folder, the gateway's program, and a folder whose path has a name with a leading dot. Throws SandboxRefusal
 * for a folder in a chosen one that was replaced since the gateway started.
 */
export function workspacesOf(
  named: readonly string[],
  chosen: readonly ChosenFolder[],
  host: Host = THIS_HOST,
): Workspaces {
  for (const folder of chosen) refuseReplaced(folder, named, host);
  const allowed = chosen.map(({ real }) => real).filter((path) => host.real(path) === path);
  const asked = named.flatMap((path) => host.real(path) ?? []);
  const open = host.real(ALWAYS_WRITABLE) ?? ALWAYS_WRITABLE;
  // A chosen folder in /tmp, which is writable, could be replaced from inside unless it is mounted in every sandbox.
  asked.push(...allowed.filter((path) => isWithin(path, open)));
  const homes = host.homes.map((home) => host.real(home) ?? home).filter((home) => home !== '/');
  const roots =
    chosen.length > 0
      ? asked.flatMap((path) => inside(path, allowed))
      : asked.filter((path) => mayBeWritten(path, homes) && !isWithin(path, host.program));
  // Only the operator can make the gateway's program a workspace.
  const isProgramIn = chosen.length === 0 && [open, ...roots].some((root) => isWithin(host.program, root));
  const search = { foldersLeft: NESTED_FOLDERS };
  const readOnly = [
    ...asked.flatMap((path) => around(path, host)),
    ...roots.flatMap((path) => within(path, host, search)),
    ...(isProgramIn ? [host.program] : []),
  ];
  return { roots: [...new Set(roots)], readOnly: [...new Set(readOnly)] };
}

/**
 * Throws when a folder that was replaced contains a named one; a missing folder grants nothing, so it is not refused.
 */
function refuseReplaced(chosen: ChosenFolder, named: readonly string[], { real }: Host): void {
  for (const path of [chosen.named, chosen.real]) {
    const found = real(path);
    if (found === null || found === chosen.real || !named.some((each) => isWithin(each, path))) continue;
    throw new SandboxRefusal(
      `sandbox: the workspace ${path} was replaced: it is ${found} now, and was ${chosen.real} when the gateway ` +
        'started; put it back, or restart the gateway',
    );
  }
}

/**
 * Returns true when a folder is, or contains, a system folder, a home folder, a shared folder, or one of the
 * operator's workspaces.
 */
export function isForOthers(
  folder: string,
  chosen: readonly ChosenFolder[],
  host: Host = THIS_HOST,
): boolean {
  const places = [...SYSTEM, ...SCRATCH, HOMES, ...host.homes, ...chosen.map(({ real }) => real)];
  return places.some((path) => isWithin(host.real(path) ?? path, folder));
}

/** Returns the parts of a named folder that are in the operator's workspaces. */
function inside(path: string, chosen: readonly string[]): string[] {
  return chosen.flatMap((workspace) => {
    if (isWithin(workspace, path)) return [workspace];
    if (!isWithin(path, workspace)) return [];
    return namesBelow(path, workspace).some(isProtected) ? [] : [path];
  });
}

function mayBeWritten(path: string, homes: readonly string[]): boolean {
  if (path === '/' || homes.some((home) => isWithin(home, path)) || path === HOMES || dirname(path) === HOMES)
    return false;
  if (SYSTEM.some((folder) => isWithin(path, folder)) && !SCRATCH.some((folder) => isWithin(path, folder)))
    return false;
  return !namesBelow(path, '/').some((name) => name.startsWith('.'));
}

/**
 * Returns the outermost protected name on the path of a folder and, in shared folders, the protected names beside that
 * path: /tmp is writable, whatever the request's workspace is.
 */
function around(path: string, { list }: Host): string[] {
  const way: string[] = [];
  for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) way.unshift(folder);
  const onTheWay = way.filter((folder) => isProtected(folder.slice(folder.lastIndexOf('/') + 1)));
  const beside = way
    .filter(
      (folder) =>
        folder !== path && SCRATCH.some((scratch) => folder !== scratch && isWithin(folder, scratch)),
    )
    .flatMap((folder) => protectedIn(folder, list(folder)));
  return [...onTheWay.slice(0, 1), ...beside];
}

/**
 * Returns protected names that exist in the folders inside a workspace, breadth first. The floor itself protects the
 * names directly in the workspace, even when they are missing.
 */
function within(root: string, { list }: Host, search: { foldersLeft: number }): string[] {
  const found: string[] = [];
  let folders = [root];
  for (let level = 0; level <= NESTED_DEPTH && folders.length > 0; level += 1) {
    const next: string[] = [];
    for (const folder of folders) {
      if (search.foldersLeft === 0) return found;
      search.foldersLeft -= 1;
      const entries = list(folder);
      if (folder !== root) found.push(...protectedIn(folder, entries));
      for (const { name, kind } of entries) {
        if (kind === 'folder' && !isProtected(name) && !NOT_SEARCHED.has(name)) next.push(join(folder, name));
      }
    }
    folders = next;
  }
  return found;
}

/** Returns the protected names in a folder, without links, since nothing can be mounted over a link. */
const protectedIn = (folder: string, entries: ReturnType<Host['list']>): string[] =>
  entries
    .filter(({ name, kind }) => kind !== 'link' && isProtected(name))
    .map(({ name }) => join(folder, name));

const isProtected = (name: string): boolean => (PROTECTED as readonly string[]).includes(name);

const namesBelow = (path: string, folder: string): string[] =>
  path.slice(folder.length).split('/').filter(Boolean);
