// Reads the newest entries that earlier gateways have written, from the end of an audit file and its predecessors.
import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, readSync, type Stats } from 'node:fs';
import type { AuditEntry } from '../../protocol/audit.ts';
import { ROLES } from '../../protocol/console-constants.ts';
import { openRegular } from '../host/regular-file.ts';
import { pathOfAge } from './audit-file.ts';

export interface PastLimits {
  /** Maximum number of files that are read, including the current one. */
  readonly auditFiles: number;
  readonly auditEntries: number;
  /** Maximum number of bytes that are read from all files together. */
  readonly auditPastBytes: number;
}

/** An entry of an earlier gateway, without its number, which is only unique within that gateway's run. */
export type PastEntry = Omit<AuditEntry, 'number'>;

export interface PastLine {
  readonly entry: PastEntry;
  /** Approximate length as JSON. */
  readonly chars: number;
}

interface End {
  readonly bytes: Buffer;
  /** True when the file begins with these bytes, and so with a whole line. */
  readonly isAll: boolean;
}

export interface UnparsedPast {
  /** Ends of the files, newest first. */
  readonly ends: readonly End[];
  readonly failure: string | null;
}

export interface Past {
  /** Entries, oldest first. */
  readonly entries: readonly PastLine[];
  /** Number of lines that are damaged, too long, or not from an audit log. */
  readonly skipped: number;
  /** Reason why a file could not be read; null when all could. */
  readonly failure: string | null;
}

/** Maximum length of a line, in bytes. The gateway writes no longer one, since it shortens the texts of entries. */
const LONGEST_LINE = 256 * 1024;

const NEWLINE = 0x0a;

/** Reads the ends of the files without parsing them: parsing thousands of entries would delay the gateway's start. */
export function readPast(path: string, { auditFiles, auditPastBytes }: PastLimits): UnparsedPast {
  const ends: End[] = [];
  const seen = new Set<number>();
  let room = auditPastBytes;
  let failure: string | null = null;
  for (let age = 0; age < auditFiles && room > 0; age += 1) {
    try {
      const end = readEnd(pathOfAge(path, age), room, seen);
      room -= end.bytes.length;
      ends.push(end);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT') failure ??= message;
    }
  }
  return { ends, failure };
}

export function parsePast({ ends, failure }: UnparsedPast, { auditEntries }: PastLimits): Past {
  const newestFirst: PastLine[] = [];
  let skipped = 0;
  for (const end of ends) {
    for (const line of linesFromEnd(end)) {
      if (newestFirst.length >= auditEntries) break;
      const entry = entryIn(line);
      if (entry === 'damaged') skipped += 1;
      else if (entry !== null) newestFirst.push(entry);
    }
  }
  return { entries: newestFirst.reverse(), skipped, failure };
}

/** Returns the number of lines, which is the maximum possible number of entries. */
export function countLines({ ends }: UnparsedPast): number {
  let count = 0;
  for (const { bytes } of ends) {
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
    // The last line may lack its newline.
    if (bytes.length > 0 && bytes.at(-1) !== NEWLINE) count += 1;
  }
  return count;
}

/** Returns the last bytes of a file. `seen`: inodes already read, since another gateway may rotate files in between. */
function readEnd(path: string, most: number, seen: Set<number>): End {
  const file = openRegular(path, constants.O_RDONLY);
  try {
    const stat: Stats = fstatSync(file);
    if (seen.has(stat.ino)) return { bytes: Buffer.alloc(0), isAll: true };
    seen.add(stat.ino);
    const start = Math.max(0, stat.size - most);
    const bytes = Buffer.allocUnsafe(stat.size - start);
    const length = readSync(file, bytes, 0, bytes.length, start);
    return { bytes: bytes.subarray(0, length), isAll: start === 0 };
  } finally {
    closeSync(file);
  }
}

/** Yields the non-empty lines, last first. */
function* linesFromEnd({ bytes, isAll }: End): Generator<Buffer> {
  let end = bytes.length;
  while (end > 0) {
    const start = bytes.lastIndexOf(NEWLINE, end - 1) + 1;
    // The first line may be incomplete when only the end of the file was read.
    if (start === 0 && !isAll) return;
    if (start < end) yield bytes.subarray(start, end);
    end = start - 1;
  }
}

/** Returns the entry, `damaged`, or null for a line that counts unwritten entries, which is not an act. */
function entryIn(line: Buffer): PastLine | 'damaged' | null {
  if (line.length > LONGEST_LINE || !isUtf8(line)) return 'damaged';
  try {
    const stored: unknown = JSON.parse(line.toString());
    if (!isObject(stored)) return 'damaged';
    if (stored['act'] === 'unwritten' && typeof stored['count'] === 'number') return null;
    const entry = decoded(stored);
    return entry === null ? 'damaged' : { entry, chars: line.length };
  } catch {
    return 'damaged';
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const isRole = (value: unknown): value is AuditEntry['role'] =>
  value === '' || ROLES.some((role) => role === value);

/**
 * Returns the entry; null when a member is missing or invalid. The check is written by hand, because there are
 * thousands of entries, and a schema takes several times as long.
 */
function decoded(stored: Readonly<Record<string, unknown>>): PastEntry | null {
  const { at, who, role, token, connection, from, act, key, bytes, details } = stored;
  const atMs = isText(at) ? Date.parse(at) : Number.NaN;
  if (!isCount(atMs) || !isRole(role) || !(key === null || isText(key))) return null;
  if (!isText(who) || !isText(token) || !isText(connection) || !isText(from) || !isText(act)) return null;
  if (!(bytes === undefined || isCount(bytes)) || !(details === undefined || isObject(details))) return null;
  return {
    atMs,
    who,
    role,
    token,
    connection,
    from,
    act,
    key,
    ...(bytes !== undefined && { bytes }),
    ...(details && { details }),
  };
}
