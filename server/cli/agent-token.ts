// Tokens with which `mcp`, `hook` and `shell` connect to this user's gateway for an agent: one for each agent's name.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onceUnlocked, withFileLock } from '../policy/file-lock.ts';
import { openStateDir, writePrivateFile } from '../policy/state-dir.ts';
import { readText } from '../policy/token-records.ts';
import { whyNoName } from '../policy/token-name.ts';
import { Tokens } from '../policy/tokens.ts';
import { visible } from '../../text/visible.ts';
import { CommandFailed, ExitCode } from './exit-codes.ts';
import { UsageError } from './usage-error.ts';

const FOLDER = 'agents';
/** Content of the token's file after `connect --undo`. */
const FORGOTTEN = 'undone';

/** Returns the path of an agent's token file, which is always within the folder. */
export const agentTokenPath = (stateDir: string, name: string): string =>
  join(stateDir, FOLDER, `${encodeURIComponent(name)}.token`);

/**
 * Resolves with the agent's token, which is created on first use, never expires and has the role `agent`; a
 * running gateway accepts it at once. Throws UsageError for an invalid token name, and CommandFailed once the
 * token is revoked, since restarting the command must not give an agent access again. `isConnect`: a person
 * connects the agent, which creates a new token after `forgetAgentToken`.
 */
export async function agentToken(
  stateDir: string,
  name: string,
  { isConnect = false } = {},
): Promise<string> {
  const why = whyNoName(name);
  if (why !== null) throw new UsageError(why);
  const folder = openStateDir(stateDir);
  const path = agentTokenPath(folder, name);
  mkdirSync(join(folder, FOLDER), { recursive: true, mode: 0o700 });
  return onceUnlocked(() => withFileLock(path, () => storedIn(path, new Tokens(folder), name, isConnect)));
}

/** Allows a new token after `connect --undo` when a person connects the agent in another way. */
export async function connectAgain(stateDir: string, name: string): Promise<void> {
  if (readText(agentTokenPath(stateDir, name))?.trim() === FORGOTTEN)
    await agentToken(stateDir, name, { isConnect: true });
}

/** Revokes the agent's token, if any; its commands get no new one until the agent is connected again. */
export async function forgetAgentToken(stateDir: string, name: string): Promise<void> {
  const folder = openStateDir(stateDir);
  const path = agentTokenPath(folder, name);
  await onceUnlocked(() =>
    withFileLock(path, () => {
      const stored = readText(path)?.trim();
      if (stored === undefined) return;
      const tokens = new Tokens(folder);
      const record = tokens.find(stored);
      if (record) tokens.revoke(record.id);
      writePrivateFile(path, `${FORGOTTEN}\n`);
    }),
  );
}

function storedIn(path: string, tokens: Tokens, name: string, isConnect: boolean): string {
  const stored = readText(path)?.trim();
  if (stored === undefined || stored === '' || (isConnect && stored === FORGOTTEN)) {
    const { token } = tokens.create({ name, role: 'agent', ttlMs: null });
    writePrivateFile(path, `${token}\n`);
    return token;
  }
  if (tokens.find(stored) !== null) return stored;
  throw new CommandFailed(
    ExitCode.refused,
    stored === FORGOTTEN
      ? `the agent ${visible(name)} was disconnected by connect --undo; connect it again\nTo connect it in another way, remove ${visible(path)} first.`
      : `the token of the agent ${visible(name)} was revoked\nTo create a new one, remove ${visible(path)} first.`,
  );
}
