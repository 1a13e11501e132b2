// Completes a typed path: finds the folders in its parent folder whose names start with the typed text.
import type { DirectoryEntry } from '../../../protocol/files.ts';

/**
 * Maximum number of suggestions: nobody steps through more with arrow keys, and typing another letter narrows
 * them down.
 */
export const MOST_OFFERED = 40;

interface Typed {
  /** Absolute path of the parent folder, ending in a slash. */
  readonly folder: string;
  /** Typed beginning of the name. */
  readonly start: string;
}

/** Parses a typed path; null while it is not absolute. */
export function typedPath(text: string, home: string): Typed | null {
  const path = expandHome(text, home);
  if (!path.startsWith('/')) return null;
  const at = path.lastIndexOf('/') + 1;
  return { folder: path.slice(0, at), start: path.slice(at) };
}

/** Returns the path of a `file:` URI. */
export const pathOf = (uri: string): string => decodeURIComponent(new URL(uri).pathname);

/** Expands `~` and `~/…` as a shell does. */
export const expandHome = (text: string, home: string): string =>
  text === '~' || text.startsWith('~/') ? `${home}${text.slice(1)}` : text;

/**
 * Returns the full paths of matching folders, except the one already typed; hidden folders only after a typed
 * dot. Matches in a different case come after exact ones.
 */
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
