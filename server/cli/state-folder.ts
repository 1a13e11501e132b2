// Determines the state folder of a gateway, and the command that starts one with it.
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { commandLine } from '../../text/command-line.ts';

/** Returns the absolute path of the state folder; `given`: value of --state-dir, which overrides the environment. */
export function stateDirOf(given: string | null, env: NodeJS.ProcessEnv): string {
  return resolve(given ?? join(env['XDG_STATE_HOME'] || join(homedir(), '.local', 'state'), 'exec-console'));
}

/** Returns the command that starts a gateway with the same state folder; `given`: the value of --state-dir. */
export const startCommand = (given: string | null): string =>
  commandLine(['exec-console', ...(given === null ? [] : ['--state-dir', given]), '--banner']);
