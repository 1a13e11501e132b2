// The shells that stand in for the real ones: programs that agents start in their place, in the state folder.
import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStateDir } from '../policy/state-dir.ts';
import { INSIDE, SHELLS_FOLDER } from './shell-environment.ts';
import { ownProgram } from './own-program.ts';
import { realShell } from './real-shell.ts';

/** Name of the program for CLAUDE_CODE_SHELL_PREFIX. */
const PREFIX = 'claude-prefix';

export interface StandIns {
  /** Folder in which `bash` and `zsh` stand in. */
  readonly folder: string;
  /** Program in place of the user's own shell. */
  readonly shell: string;
  readonly prefix: string;
}

/** Writes them anew; `flags`: for each command that they run. */
export function writeStandIns(
  stateDir: string,
  {
    agent,
    flags,
    env,
  }: { readonly agent: string | null; readonly flags: readonly string[]; readonly env: NodeJS.ProcessEnv },
): StandIns {
  // A name of dots alone would lead out of the folder.
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

/** A script runs in the gateway; an interactive shell, or one that reads a file, is the real one at once. */
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

/** Claude Code gives all that it starts through a shell as one word: also hooks and servers, which stay its own. */
const prefixText = (command: readonly string[], real: string): string => `#!/bin/sh
# Written by exec-console: runs the commands of Claude Code in the gateway.
[ -n "$${INSIDE}" ] || case $1 in
  */shell-snapshots/snapshot-* | *'pwd -P >| '*) exec ${command.map(quoted).join(' ')} -- "$1" ;;
esac
exec ${quoted(real)} -c "$1"
`;

const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** An agent may be starting the former one. */
function write(path: string, text: string): void {
  const next = `${path}.${process.pid}`;
  writeFileSync(next, text, { mode: 0o700 });
  chmodSync(next, 0o700);
  renameSync(next, path);
}
