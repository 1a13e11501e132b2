// The shell that a command runs in, as Codex chooses it.
import { existsSync } from 'node:fs';
import { basename, delimiter, extname, isAbsolute, join } from 'node:path';

const LAST_RESORT = '/bin/sh';
const KNOWN: readonly string[] = ['bash', 'zsh', 'sh'];

/**
 * Returns the program for a shell that was asked for: the user's own when it is of that kind, else the one of that name on
 * PATH. A program that is no known shell gives way to `/bin/sh`.
 */
export function shellFor(asked: string | null, own: string, path = process.env['PATH'] ?? ''): string {
  if (asked === null) return own;
  const kind = kindOf(asked);
  if (kind === null) return LAST_RESORT;
  if (kindOf(own) === kind) return own;
  const places = path.split(delimiter).filter(isAbsolute);
  return (
    [...places, '/bin'].map((folder) => join(folder, kind)).find((file) => existsSync(file)) ?? LAST_RESORT
  );
}

function kindOf(shell: string): string | null {
  const name = basename(shell, extname(shell));
  return KNOWN.includes(name) ? name : null;
}
