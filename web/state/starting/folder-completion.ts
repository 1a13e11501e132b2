// Which folders a path that is being typed may become: those of the folder it is in that begin as it does.
import type { DirectoryEntry } from '../../../protocol/files.ts';

/** More are not gone through with arrow keys: another letter makes them fewer. */
export const MOST_OFFERED = 40;

interface Typed {
  /** Absolute, with a slash at its end. */
  readonly folder: string;
  /** What its name begins with, as far as it is typed. */
  readonly start: string;
}

/** Null while it is no absolute path. */
export function typedPath(text: string, home: string): Typed | null {
  const path = expandHome(text, home);
  if (!path.startsWith('/')) return null;
  const at = path.lastIndexOf('/') + 1;
  return { folder: path.slice(0, at), start: path.slice(at) };
}

/** Of a file: URI. */
export const pathOf = (uri: string): string => decodeURIComponent(new URL(uri).pathname);

/** `~` and `~/…` as shells read them. */
export const expandHome = (text: string, home: string): string =>
  text === '~' || text.startsWith('~/') ? `${home}${text.slice(1)}` : text;

/** Whole paths, but not the one that is there already; what is hidden only for who has typed its dot. The same letters in another case count, after those that are as typed. */
export function foldersFor({ folder, start }: Typed, entries: readonly DirectoryEntry[]): readonly string[] {
  const lower = start.toLowerCase();
  const isExact = (name: string): number => (name.startsWith(start) ? 0 : 1);
  return entries
    .filter(({ isDirectory }) => isDirectory)
    .map(({ fileName }) => fileName)
    .filter((name) => name !== start)
    .filter(
      (name) => name.toLowerCase().startsWith(lower) && (start.startsWith('.') || !name.startsWith('.')),
    )
    .toSorted((a, b) => isExact(a) - isExact(b) || a.localeCompare(b))
    .slice(0, MOST_OFFERED)
    .map((name) => `${folder}${name}`);
}
