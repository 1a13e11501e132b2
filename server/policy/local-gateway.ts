// Files of a running gateway in its state folder, which allow the folder's owner to find and access it.
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { bootId } from '../host/boot-id.ts';
import { procStat } from '../host/proc-stat.ts';
import { readRegular } from '../host/regular-file.ts';
import { writePrivateFile } from './state-dir.ts';

/** File with the address of the running gateway, for scripts. */
const ADDRESS_FILE = 'gateway.json';
/**
 * File with an admin's token, which is valid until this gateway ends, and longer if the next one takes over its
 * processes.
 */
const TOKEN_FILE = 'cli-token';

/** Name under which acts of local commands are shown. */
export const LOCAL_NAME = 'cli';

const address = z.object({
  url: z.string(),
  pid: z.number().int().positive(),
  /** Fingerprint of the only certificate that local commands trust, whatever its issuer; null without TLS. */
  fingerprint: z.string().nullable().default(null),
  /** Time of the announcement (ms since the epoch), which differs after a restart; 0 when unknown. */
  announcedAtMs: z.number().default(0),
});

/** `born` distinguishes the gateway from a later process with the same PID; null where it is unavailable. */
const stored = address.extend({ born: z.string().nullable().default(null) });

export interface LocalGateway extends z.infer<typeof address> {
  readonly token: string;
}

export const newLocalToken = (): string => randomBytes(32).toString('base64url');

/**
 * Returns the token that the previous gateway left for its successor, so that commands which wait for the successor
 * remain authorized; null when there is none.
 */
export function leftLocalToken(stateDir: string): string | null {
  const token = readToken(stateDir);
  return token !== null && /^[\w-]{43}$/.test(token) ? token : null;
}

/** Writes the gateway's files, replacing those of another gateway with the same folder. */
export function announceLocalGateway(stateDir: string, { token, ...there }: LocalGateway): void {
  // The address is written last, so that a reader which finds it also finds the token.
  writePrivateFile(join(stateDir, TOKEN_FILE), `${token}\n`);
  writePrivateFile(
    join(stateDir, ADDRESS_FILE),
    `${JSON.stringify({ ...there, born: bornAs(there.pid) })}\n`,
  );
}

/**
 * Removes the gateway's files, unless a later gateway has replaced them. With `leavesProcesses`, the token stays for
 * the next gateway, which takes the processes over.
 */
export function withdrawLocalGateway(
  stateDir: string,
  { url, pid, token }: LocalGateway,
  leavesProcesses = false,
): void {
  const there = readAddress(stateDir);
  const isReplaced = there !== null && (there.url !== url || there.pid !== pid);
  if (there && !isReplaced) rmSync(join(stateDir, ADDRESS_FILE), { force: true });
  if (!isReplaced && !leavesProcesses && readToken(stateDir) === token)
    rmSync(join(stateDir, TOKEN_FILE), { force: true });
}

/**
 * Returns the announced gateway, which may have ended; null when none is announced, or when its PID now belongs to
 * another process, since a killed gateway leaves its files.
 */
export function findLocalGateway(stateDir: string): LocalGateway | null {
  const found = readAddress(stateDir);
  const token = readToken(stateDir);
  if (!found || token === null) return null;
  const { born, ...there } = found;
  const isAnother = born !== null && (bornAs(there.pid) ?? born) !== born;
  return isAnother ? null : { ...there, token };
}

/** Returns the boot id and the start time of a process; null when the process is not running, and outside Linux. */
function bornAs(pid: number): string | null {
  const stat = procStat(pid);
  return stat && `${bootId()} ${stat.startTime}`;
}

function readAddress(stateDir: string): z.infer<typeof stored> | null {
  try {
    return stored.parse(JSON.parse(readRegular(join(stateDir, ADDRESS_FILE)).toString()));
  } catch {
    return null;
  }
}

function readToken(stateDir: string): string | null {
  try {
    return readRegular(join(stateDir, TOKEN_FILE)).toString().trim() || null;
  } catch {
    return null;
  }
}
