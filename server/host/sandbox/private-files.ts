// Finds the places to hide from sandboxes, for files that only the gateway may read, wherever the operator keeps them.
import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { MOST_LINKS } from '../real-path.ts';
import { exactRealPath } from './byte-names.ts';

/**
 * Names of files that may be beside a private file in a folder that is hidden as a whole: certificates and keys,
 * certbot's README, the version folders of Kubernetes.
 */
const BESIDE = /\.(?:pem|key|crt|cer|csr|p12|pfx)$|^README$|^\.\.\w/;

/** Maximum number of current and former real paths that stay hidden. */
const MOST_EARLIER = 64;

/**
 * One step on the path to a file: the name of the file or of a link, and the folder it is in, as a path without links.
 */
interface Step {
  readonly folder: string;
  readonly name: string;
}

export class PrivateFiles {
  readonly #files: readonly string[];
  /**
   * Folders that are hidden as a whole, since they contained only private files and names that match `BESIDE`. Decided
   * once, so a file that is added later does not reveal the folder.
   */
  readonly #folders: readonly string[];
  /** Real paths that the files have or had, the most recent last. */
  readonly #earlier = new Set<string>();
  /** Files that a running sandbox would be able to read once a renewal has replaced them. */
  readonly shared: readonly string[];

  /** `isForOthers`: returns true for folders that are never hidden, whatever they contain. */
  constructor(files: readonly string[], isForOthers: (folder: string) => boolean) {
    this.#files = files;
    const steps = new Map(files.map((file) => [file, stepsTo(file)]));
    const all = [...steps.values()].flat();
    const folders = new Set(all.map(({ folder }) => folder));
    const own = [...folders].filter((folder) => !isForOthers(folder) && holdsNothingElse(folder, all));
    this.#folders = own;
    this.shared = files.filter((file) => steps.get(file)?.some(({ folder }) => !own.includes(folder)));
  }

  /** Returns the real paths of existing folders and files to hide, with U+FFFD for bytes that are not UTF-8. */
  places(): string[] {
    for (const file of this.#files) {
      const path = realOrNull(file);
      if (path === null) continue;
      this.#earlier.delete(path);
      this.#earlier.add(path);
    }
    for (const path of this.#earlier) if (this.#earlier.size > MOST_EARLIER) this.#earlier.delete(path);
    const isNow = (path: string): boolean => this.#files.some((file) => realOrNull(file) === path);
    return [...this.#folders, ...this.#earlier].filter((path) => realOrNull(path) === path || isNow(path));
  }

  /** Throws SandboxRefusal when a file cannot be hidden, because its real path is not UTF-8. */
  refuseByteNames(): void {
    for (const file of this.#files) if (existsSync(file)) exactRealPath(file);
  }
}

/** Returns the steps to a file, except links in the root folder, which belong to the system. */
function stepsTo(file: string): Step[] {
  const steps: Step[] = [];
  let names = file.split('/');
  let folder = '/';
  for (let links = 0; names.length > 0;) {
    const [name = '', ...rest] = names;
    names = rest;
    const path = join(folder, name);
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    if (!isLink || links === MOST_LINKS) {
      if (names.length === 0) steps.push({ folder, name });
      folder = path;
      continue;
    }
    links += 1;
    if (folder !== '/') steps.push({ folder, name });
    const target = readlinkSync(path);
    if (isAbsolute(target)) folder = '/';
    names = [...target.split('/'), ...names];
  }
  return steps;
}

function holdsNothingElse(folder: string, steps: readonly Step[]): boolean {
  const isKnown = (name: string): boolean =>
    BESIDE.test(name) || steps.some((step) => step.folder === folder && step.name === name);
  try {
    return readdirSync(folder).every(isKnown);
  } catch {
    return false;
  }
}

function realOrNull(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}
