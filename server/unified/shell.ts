// Chooses the shell of a command as Codex does.
import { existsSync } from 'node:fs';
import { basename, delimiter, extname, isAbsolute, join } from 'node:path';
import { hanging, hangingMounts } from '../host/hanging.ts';

const LAST_RESORT = '/bin/sh';
const KNOWN: readonly string[] = ['bash', 'zsh', 'sh'];

/**
 * Returns the program for a requested shell: the user's own shell if none is requested or if that one is of the
 * requested kind, otherwise the first on PATH or in `/bin`. An unknown or missing shell is replaced by `/bin/sh`.
 */
export function shellFor(asked: string | null, own: string, path = process.env['PATH'] ?? ''): string {
  if (asked === null) return own;
  const kind = kindOf(asked);
  if (kind === null) return LAST_RESORT;
  if (kindOf(own) === kind) return own;
  const mounts = hangingMounts();
  const places = [...path.split(delimiter).filter(isAbsolute), '/bin'].map((folder) => join(folder, kind));
  // A shell on a file system that might not answer is not looked up.
  return places.find((file) => !hanging(file, mounts) && existsSync(file)) ?? LAST_RESORT;
}

function kindOf(shell: string): string | null {
  const name = basename(shell, extname(shell));
  return KNOWN.includes(name) ? name : null;
}
