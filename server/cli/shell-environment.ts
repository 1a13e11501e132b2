// Selects the environment variables that a command gets from its agent: only variables known to be harmless,
// PATH, the working directory, and those that are named, since others may hold secrets.
import { statSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';

/**
 * Environment variable set for the commands of agents in the gateway, so that stand-in shells inside them run
 * the real shell.
 */
export const INSIDE = 'EXEC_CONSOLE_INSIDE';

/** Name of the folder of stand-in shells in the state folder. */
export const SHELLS_FOLDER = 'shells';

const PASSED =
  /^(TERM|COLORTERM|COLUMNS|LINES|NO_COLOR|FORCE_COLOR|CLICOLOR|LANG|LANGUAGE|LC_[A-Z]+|TZ|PAGER|GIT_PAGER|GH_PAGER|MANPAGER|GIT_EDITOR|GIT_TERMINAL_PROMPT|CI|TMPDIR|VIRTUAL_ENV|CLAUDECODE|GEMINI_CLI|OPENCODE|CURSOR_AGENT)$/;

/**
 * Returns the environment of a command in the gateway; `named`: further variables to pass on, or `NAME=VALUE` to set.
 */
export function passedVariables(
  own: NodeJS.ProcessEnv,
  { stateDir, named: given }: { readonly stateDir: string; readonly named: readonly string[] },
): Record<string, string> {
  const set = given.filter((text) => text.includes('='));
  const env = { ...own, ...Object.fromEntries(set.map(assignment)) };
  const named = given.map((text) => assignment(text)[0]);
  const passed = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (PASSED.test(entry[0]) || named.includes(entry[0])),
  );
  const { PATH } = env;
  return {
    ...Object.fromEntries(passed),
    ...(PATH !== undefined && { PATH: withoutShells(PATH, stateDir) }),
    PWD: workingFolder(env),
    [INSIDE]: '1',
  };
}

function assignment(text: string): [name: string, value: string] {
  const [name = '', ...value] = text.split('=');
  return [name, value.join('=')];
}

/** Returns the PATH without the folders of stand-in shells of this state folder. */
export function withoutShells(path: string, stateDir: string): string {
  const ours = resolve(stateDir, SHELLS_FOLDER);
  const isOurs = (folder: string): boolean => folder !== '' && `${resolve(folder)}/`.startsWith(`${ours}/`);
  return path
    .split(delimiter)
    .filter((folder) => !isOurs(folder))
    .join(delimiter);
}

/** Returns PWD, which may contain links, if it is a path of the working directory; otherwise the real path. */
export function workingFolder({ PWD }: NodeJS.ProcessEnv): string {
  const here = process.cwd();
  if (PWD === undefined || !PWD.startsWith('/')) return here;
  const [there, own] = [statOf(PWD), statOf(here)];
  return there && own && there.ino === own.ino && there.dev === own.dev ? PWD : here;
}

const statOf = (path: string): { readonly ino: number; readonly dev: number } | undefined =>
  statSync(path, { throwIfNoEntry: false });
