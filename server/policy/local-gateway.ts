// Files of a running gateway in its state folder, which allow the folder's owner to find and access it.
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writePrivateFile } from './state-dir.ts';

/** File with the address of the running gateway, for scripts. */
const ADDRESS_FILE = 'gateway.json';
/** File with an admin's token, valid only while this gateway runs. */
const TOKEN_FILE = 'cli-token';

/** Name under which acts of local commands are shown. */
export const LOCAL_NAME = 'cli';

const address = z.object({
  url: z.string(),
  pid: z.number().int().positive(),
  /** Fingerprint of the only trusted certificate, whatever its issuer; with TLS only. */
  fingerprint: z.string().nullable().default(null),
});

export interface LocalGateway extends z.infer<typeof address> {
  readonly token: string;
}

export const newLocalToken = (): string => randomBytes(32).toString('base64url');

/** Writes the gateway's files, replacing those of another gateway with the same folder. */
export function announceLocalGateway(stateDir: string, { token, ...there }: LocalGateway): void {
  // The address is written last, so that a reader which finds it also finds the token.
  writePrivateFile(join(stateDir, TOKEN_FILE), `${token}\n`);
  writePrivateFile(join(stateDir, ADDRESS_FILE), `${JSON.stringify(there)}\n`);
}

/** Removes the gateway's files, unless a later gateway has replaced them. */
export function withdrawLocalGateway(stateDir: string, { url, pid, token }: LocalGateway): void {
  const there = readAddress(stateDir);
  if (there?.url === url && there.pid === pid) rmSync(join(stateDir, ADDRESS_FILE), { force: true });
  if (readToken(stateDir) === token) rmSync(join(stateDir, TOKEN_FILE), { force: true });
}

/** Returns the announced gateway, which may not be running. */
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
