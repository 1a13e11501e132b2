// Where a gateway's state is kept when nobody says otherwise.
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** An absolute path; `given` wins. */
export function stateDirOf(given: string | null, env: NodeJS.ProcessEnv): string {
  return resolve(given ?? join(env['XDG_STATE_HOME'] || join(homedir(), '.local', 'state'), 'exec-console'));
}
