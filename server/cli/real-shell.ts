// Finds and runs the real shell behind a stand-in shell.
import { accessSync, constants, statSync, writeSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { visible } from '../../text/visible.ts';
import { exec } from '../host/exec.ts';
import { CommandFailed, ExitCode } from './exit-codes.ts';
import { INSIDE, SHELLS_FOLDER, withoutShells } from './shell-environment.ts';

/** Shells that run an agent's scripts, which expect the syntax of a Bourne shell. */
const SHELLS: readonly string[] = ['bash', 'zsh', 'sh', 'dash', 'ksh'];

/**
 * Returns the path of the shell with this name; null: the user's shell if it is one of `SHELLS`, otherwise bash.
 * Returns `/bin/sh` if no such program is found.
 */
export function realShell(name: string | null, env: NodeJS.ProcessEnv, stateDir: string): string {
  const own = env['SHELL'] ?? '';
  const isStandIn = own.includes(`/${SHELLS_FOLDER}/`);
  if (name === null && !isStandIn && SHELLS.includes(basename(own)) && isProgram(own)) return own;
  const wanted = name ?? (SHELLS.includes(basename(own)) ? basename(own) : 'bash');
  const folders = withoutShells(env['PATH'] ?? '', stateDir)
    .split(delimiter)
    .filter(Boolean);
  const places = [...folders, '/bin', '/usr/bin', '/usr/local/bin'].map((folder) => join(folder, wanted));
  const found = places.find(isProgram) ?? '/bin/sh';
  return found;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

export interface RealShell {
  readonly path: string;
  readonly words: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly stateDir: string;
  /** True when shells started by this one must be real ones, too. */
  readonly isInside: boolean;
}

/** Replaces this process with the shell; throws CommandFailed when the system refuses. */
export function becomeShell({ path, words, env, stateDir, isInside }: RealShell): never {
  const inside = { [INSIDE]: '1', PATH: withoutShells(env['PATH'] ?? '', stateDir) };
  const error = exec(path, [basename(path), ...words], { ...env, ...(isInside && inside) });
  const code = error.code === 'ENOENT' ? ExitCode.commandNotFound : ExitCode.cannotExecute;
  throw new CommandFailed(code, `cannot start ${visible(path)}: ${error.message}`);
}

/** Prints a line synchronously, because queued output is lost when this process is replaced. */
export function printNow(text: string): void {
  try {
    writeSync(2, `exec-console: ${visible(text)}\n`);
  } catch {
    // The line is dropped if stderr is closed, since the shell must start nevertheless.
  }
}
