// What a running gateway leaves in its state folder, so that whoever owns the folder finds it and may come in.
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writePrivateFile } from './state-dir.ts';

/** How scripts find the running gateway. */
const ADDRESS_FILE = 'gateway.json';
/** An admin's token, another one at each start; worth nothing when the gateway has gone. */
const TOKEN_FILE = 'cli-token';

/** Whose acts these are, as people see it. */
export const LOCAL_NAME = 'cli';

const address = z.object({
  url: z.string(),
  pid: z.number().int().positive(),
  /** With TLS: of the only certificate that is to be believed there, whoever has signed it. */
  fingerprint: z.string().nullable().default(null),
});

export interface LocalGateway extends z.infer<typeof address> {
  readonly token: string;
}

export const newLocalToken = (): string => randomBytes(32).toString('base64url');

/** Takes the place of what another gateway with the same folder has left. */
export function announceLocalGateway(stateDir: string, { token, ...there }: LocalGateway): void {
  // The address last: who finds it finds the token too.
  writePrivateFile(join(stateDir, TOKEN_FILE), `${token}\n`);
  writePrivateFile(join(stateDir, ADDRESS_FILE), `${JSON.stringify(there)}\n`);
}

/** Removes what is still this gateway's: a later one with the same folder has put its own there. */
export function withdrawLocalGateway(stateDir: string, { url, pid, token }: LocalGateway): void {
  const there = readAddress(stateDir);
  if (there?.url === url && there.pid === pid) rmSync(join(stateDir, ADDRESS_FILE), { force: true });
  if (readToken(stateDir) === token) rmSync(join(stateDir, TOKEN_FILE), { force: true });
}

/** What is announced there, whether or not that gateway still runs. */
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
