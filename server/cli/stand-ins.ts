// Writes stand-in shells: programs in the state folder that agents start instead of the real shells.
import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStateDir } from '../policy/state-dir.ts';
import { INSIDE, SHELLS_FOLDER } from './shell-environment.ts';
import { ownProgram } from './own-program.ts';
import { realShell } from './real-shell.ts';

/** File name of the program for CLAUDE_CODE_SHELL_PREFIX. */
const PREFIX = 'claude-prefix';

export interface StandIns {
  /** Folder with the stand-ins for `bash`, for `zsh` if that is the user's shell, and for Claude Code. */
  readonly folder: string;
  /** Path of the stand-in for `zsh` if that is the user's shell, otherwise for `bash`. */
  readonly shell: string;
  readonly prefix: string;
}

/** Writes the stand-ins; `flags`: flags of `exec-console shell` in each of them. */
export function writeStandIns(
  stateDir: string,
  {
    agent,
    flags,
    env,
  }: { readonly agent: string | null; readonly flags: readonly string[]; readonly env: NodeJS.ProcessEnv },
): StandIns {
  // The names `.` and `..` would lead out of the folder.
  const name = encodeURIComponent(agent ?? 'any').replaceAll(/^\.+$/g, (dots) => '%2E'.repeat(dots.length));
  const folder = join(openStateDir(stateDir), SHELLS_FOLDER, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const own = realShell(null, env, stateDir);
  const ownName = /(^|\/)zsh$/.test(own) ? 'zsh' : 'bash';
  const command = [...ownProgram(), 'shell', ...flags];
  for (const shell of new Set(['bash', ownName])) {
    const real = realShell(shell, env, stateDir);
    write(join(folder, shell), shellText([...command, '--real', real], real));
  }
  write(join(folder, PREFIX), prefixText([...command, '--prefix'], own));
  return { folder, shell: join(folder, ownName), prefix: join(folder, PREFIX) };
}

/**
 * Returns the stand-in, which runs the script of `-c` in the gateway. Every other use runs the real shell, and so does
 * every use inside a process of the gateway.
 */
const shellText = (command: readonly string[], real: string): string => `#!/bin/sh
# Written by exec-console: runs the commands of an agent in the gateway.
[ -z "$${INSIDE}" ] || exec ${quoted(real)} "$@"
skip=
for word do
  if [ -n "$skip" ]; then skip=; continue; fi
  case $word in
    --rcfile | --init-file) skip=1 ;;
    --*) ;;
    -*c*) exec ${command.map(quoted).join(' ')} -- "$@" ;;
    [-+]*[oO]) skip=1 ;;
    [-+]*) ;;
    *) break ;;
  esac
done
exec ${quoted(real)} "$@"
`;

/**
 * Returns the stand-in for Claude Code, which passes commands as one word; its hooks and servers run outside
 * the gateway.
 */
const prefixText = (command: readonly string[], real: string): string => `#!/bin/sh
# Written by exec-console: runs the commands of Claude Code in the gateway.
[ -n "$${INSIDE}" ] || case $1 in
  */shell-snapshots/snapshot-* | *'pwd -P >| '*) exec ${command.map(quoted).join(' ')} -- "$1" ;;
esac
exec ${quoted(real)} -c "$1"
`;

const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** Writes the file atomically, because an agent may be starting the old one. */
function write(path: string, text: string): void {
  const next = `${path}.${process.pid}`;
  writeFileSync(next, text, { mode: 0o700 });
  chmodSync(next, 0o700);
  renameSync(next, path);
}
