// Determines the state folder of a gateway.
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Returns an absolute path; `given` overrides the environment. */
export function stateDirOf(given: string | null, env: NodeJS.ProcessEnv): string {
  return resolve(given ?? join(env['XDG_STATE_HOME'] || join(homedir(), '.local', 'state'), 'exec-console'));
}
