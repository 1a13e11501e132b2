// Creates and revokes the tokens with which `mcp`, `hook` and `shell` connect to this user's gateway: one per agent.
import { mkdirSync, rmSync } from 'node:fs';
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

/** Returns the path of an agent's token file; the encoded name cannot lead out of the folder. */
export const agentTokenPath = (stateDir: string, name: string): string =>
  join(stateDir, FOLDER, `${encodeURIComponent(name)}.token`);

/**
 * Resolves with the agent's token, which is created on first use, never expires and has the role `agent`; a running
 * gateway accepts it at once. Throws UsageError for an invalid token name, and CommandFailed once the token is
 * revoked, since restarting the command must not give an agent access again. `isConnect`: true when a person
 * connects the agent; required for a new token after `forgetAgentToken`.
 */
export async function agentToken(
  stateDir: string,
  name: string,
  { isConnect = false } = {},
): Promise<string> {
  return (await stored(stateDir, name, isConnect)).token;
}

/**
 * Variant of `agentToken` for a person who connects the agent; `revoke` revokes a token that is new, and is null for
 * one that existed before.
 */
export async function newAgentToken(
  stateDir: string,
  name: string,
): Promise<{ readonly token: string; readonly revoke: (() => Promise<void>) | null }> {
  const { token, before } = await stored(stateDir, name, true);
  const revoke = (): Promise<void> => ended(stateDir, name, before);
  return { token, revoke: before === token ? null : revoke };
}

/** Returns the agent's token if it exists and is valid, without creating one; otherwise null. */
export function validToken(stateDir: string, name: string): string | null {
  const token = readText(agentTokenPath(stateDir, name))?.trim() ?? '';
  return token !== '' && token !== FORGOTTEN && new Tokens(stateDir).find(token) !== null ? token : null;
}

/** Returns the reason why commands of the agent get no token; null when they have one, or get one on first use. */
export function whyNoToken(stateDir: string, name: string): string | null {
  const text = readText(agentTokenPath(stateDir, name))?.trim() ?? '';
  return text === '' || validToken(stateDir, name) !== null ? null : refusal(stateDir, name, text);
}

interface Stored {
  readonly token: string;
  /** Previous content of the token's file; null when there was no file. */
  readonly before: string | null;
}

async function stored(stateDir: string, name: string, isConnect: boolean): Promise<Stored> {
  const why = whyNoName(name);
  if (why !== null) throw new UsageError(why);
  const folder = openStateDir(stateDir);
  const path = agentTokenPath(folder, name);
  mkdirSync(join(folder, FOLDER), { recursive: true, mode: 0o700 });
  return onceUnlocked(() =>
    withFileLock(path, () => {
      const before = readText(path)?.trim() ?? null;
      return { token: tokenFor(before, folder, name, isConnect), before };
    }),
  );
}

/**
 * Creates a new token for an agent that `connect --undo` has disconnected, when a person connects it in another
 * way; otherwise does nothing.
 */
export async function connectAgain(stateDir: string, name: string): Promise<void> {
  if (readText(agentTokenPath(stateDir, name))?.trim() === FORGOTTEN)
    await agentToken(stateDir, name, { isConnect: true });
}

/**
 * Revokes the agent's token, if it has one; the agent's commands then get no new one until it is connected again.
 * `wasConnected`: false when settings of the agent may never have existed; an agent that never had a token may then
 * still get one on first use. Resolves to false when the agent had no valid token.
 */
export async function forgetAgentToken(
  stateDir: string,
  name: string,
  { wasConnected = false } = {},
): Promise<boolean> {
  const isThere = validToken(stateDir, name) !== null;
  if (wasConnected || readText(agentTokenPath(stateDir, name)) !== null)
    await ended(stateDir, name, FORGOTTEN);
  return isThere;
}

/** Revokes the agent's token and writes `left` to the token's file; null deletes the file. */
async function ended(stateDir: string, name: string, left: string | null): Promise<void> {
  const folder = openStateDir(stateDir);
  const path = agentTokenPath(folder, name);
  mkdirSync(join(folder, FOLDER), { recursive: true, mode: 0o700 });
  await onceUnlocked(() =>
    withFileLock(path, () => {
      const tokens = new Tokens(folder);
      const record = tokens.find(readText(path)?.trim() ?? '');
      if (record) tokens.revoke(record.id);
      if (left === null) rmSync(path, { force: true });
      else writePrivateFile(path, `${left}\n`);
    }),
  );
}

function tokenFor(before: string | null, folder: string, name: string, isConnect: boolean): string {
  const tokens = new Tokens(folder);
  if (before === null || before === '' || (isConnect && before === FORGOTTEN)) {
    const { token } = tokens.create({ name, role: 'agent', ttlMs: null });
    writePrivateFile(agentTokenPath(folder, name), `${token}\n`);
    return token;
  }
  if (tokens.find(before) !== null) return before;
  throw new CommandFailed(ExitCode.refused, refusal(folder, name, before));
}

function refusal(stateDir: string, name: string, content: string): string {
  const path = visible(agentTokenPath(stateDir, name));
  return content === FORGOTTEN
    ? `the agent ${visible(name)} was disconnected by "exec-console connect --undo"; connect it again with: exec-console connect\nTo connect it in another way, remove ${path} first.`
    : `the token of the agent ${visible(name)} was revoked\nTo create a new one, remove ${path} first.`;
}
