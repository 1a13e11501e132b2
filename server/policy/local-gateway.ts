// Files of a running gateway in its state folder, with which the folder's owner finds and accesses it.
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writePrivateFile } from './state-dir.ts';

/** File in which scripts find the running gateway. */
const ADDRESS_FILE = 'gateway.json';
/** File with an admin's token, new at each start; worthless when the gateway has stopped. */
const TOKEN_FILE = 'cli-token';

/** Name of the local commands' acts, as people see it. */
export const LOCAL_NAME = 'cli';

const address = z.object({
  url: z.string(),
  pid: z.number().int().positive(),
  /** Fingerprint, with TLS, of the only certificate to trust there, whatever its issuer. */
  fingerprint: z.string().nullable().default(null),
});

export interface LocalGateway extends z.infer<typeof address> {
  readonly token: string;
}

export const newLocalToken = (): string => randomBytes(32).toString('base64url');

/** Replaces the files of another gateway with the same folder. */
export function announceLocalGateway(stateDir: string, { token, ...there }: LocalGateway): void {
  // The address is written last: a reader that finds it finds the token too.
  writePrivateFile(join(stateDir, TOKEN_FILE), `${token}\n`);
  writePrivateFile(join(stateDir, ADDRESS_FILE), `${JSON.stringify(there)}\n`);
}

/** Removes files that are still this gateway's: a later one with the same folder has replaced them with its own. */
export function withdrawLocalGateway(stateDir: string, { url, pid, token }: LocalGateway): void {
  const there = readAddress(stateDir);
  if (there?.url === url && there.pid === pid) rmSync(join(stateDir, ADDRESS_FILE), { force: true });
  if (readToken(stateDir) === token) rmSync(join(stateDir, TOKEN_FILE), { force: true });
}

/** Returns the gateway announced there, running or not. */
export function findLocalGateway(stateDir: string): LocalGateway | null {
  const there = readAddress(stateDir);
  const token = readToken(stateDir);
  return there && token !== null ? { ...there, token } : null;
}

function readAddress(stateDir: string): z.infer<typeof address> | null {
  try {
    return address.parse(JSON.parse(readFileSync(join(stateDir, ADDRESS_FILE), 'utf8')));
  } catch {
    return null;
  }
}

function readToken(stateDir: string): string | null {
  try {
    return readFileSync(join(stateDir, TOKEN_FILE), 'utf8').trim() || null;
  } catch {
    return null;
  }
}
