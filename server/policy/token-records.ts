// Stored records of tokens and shares, without their secrets, in one file for the owner only.
import { createHash, randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { z } from 'zod';
import { ROLES } from '../../protocol/console-constants.ts';
import { randomId } from '../host/random-id.ts';
import { readRegular } from '../host/regular-file.ts';
import type { Identity } from './identity.ts';
import { writePrivateFile } from './state-dir.ts';

const shared = {
  id: z.string(),
  name: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  createdAtMs: z.number(),
};
const tokenRecord = z.object({
  ...shared,
  role: z.enum(ROLES),
  kind: z.enum(['token', 'page', 'gateway']).default('token'),
  expiresAtMs: z.number().nullable(),
  /** Id of the token that created this one, directly or by a link; this token ends with it. */
  parent: z.string().nullable().default(null),
  /** Set for an agent whose own client may show approvals to its user and submit the decision. */
  mayElicit: z.literal(true).optional(),
  /**
   * Public key of a page that has its own key, and is admitted only by that key. The secret of `sha256` then
   * admits nobody; the hash serves only for the gateway's own proof.
   */
  page: z
    .object({
      /** P-256, SPKI in base64url. */
      publicKey: z.string(),
      /** Port of the gateway at which the page signed in. */
      port: z.number(),
    })
    .optional(),
});
/** A share link. Its secret grants no access itself, but creates guests that have access. */
const shareRecord = z.object({
  ...shared,
  kind: z.literal('share'),
  expiresAtMs: z.number(),
  /** Id of the token that created the share; the share ends with that token. */
  parent: z.string(),
  /** The only process that is shown; null means all. */
  key: z.string().nullable(),
});
const guestRecord = shareRecord.extend({ kind: z.literal('viewer') });

/** Shares have a separate list, so that an older gateway never mistakes one for a token. */
const file = z.object({
  tokens: z.array(tokenRecord),
  shares: z.array(z.discriminatedUnion('kind', [shareRecord, guestRecord])).default([]),
});

export type TokenRecord = z.infer<typeof tokenRecord>;
export type ShareRecord = z.infer<typeof shareRecord>;
/** A client that has opened a share; `parent` is the id of the share, and `key` is copied from it. */
export type GuestRecord = z.infer<typeof guestRecord>;
export type StoredRecord = TokenRecord | ShareRecord | GuestRecord;

export const isToken = (each: StoredRecord): each is TokenRecord => !isShared(each);
export const isShare = (each: StoredRecord): each is ShareRecord => each.kind === 'share';
export const isGuestRecord = (each: StoredRecord): each is GuestRecord => each.kind === 'viewer';
export const isPage = (each: StoredRecord): boolean => each.kind === 'page';
const isShared = (each: StoredRecord): each is ShareRecord | GuestRecord =>
  isShare(each) || isGuestRecord(each);

/** Returns the file's content; null when it does not exist. Throws when it cannot be read. */
export function readText(path: string): string | null {
  try {
    return readRegular(path).toString();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Returns the records in the text, none for null; throws an error that names the file if the text cannot be parsed. */
export function recordsOf(text: string | null, path: string): StoredRecord[] {
  if (text === null) return [];
  try {
    const { tokens, shares } = file.parse(JSON.parse(text));
    return [...tokens, ...shares];
  } catch (cause) {
    throw new Error(`${path} is damaged; restore it, or remove it, which revokes every token`, { cause });
  }
}

export function writeRecords(path: string, records: readonly StoredRecord[]): void {
  const content = { tokens: records.filter(isToken), shares: records.filter(isShared) };
  writePrivateFile(path, `${JSON.stringify(content, null, 2)}\n`);
}

/**
 * Returns the time, inode and size of the file, by which its changes are detected; null when it does not exist. Each
 * write replaces the inode, so that two within one tick of the clock are distinguished, too.
 */
export function versionOf(path: string): string | null {
  const file = statSync(path, { throwIfNoEntry: false });
  return file ? `${file.mtimeMs} ${file.ino} ${file.size}` : null;
}

/** Returns a new secret with the stored parts of its record. */
export function newSecret(): { readonly secret: string; readonly id: string; readonly sha256: string } {
  const secret = randomBytes(32).toString('base64url');
  return { secret, id: randomId(9), sha256: sha256(secret).toString('hex') };
}

export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

const ids = new WeakMap<StoredRecord, string>();

/** Returns the id by which a client names a credential in a proof; the id alone grants no access. */
export function proofIdOf(each: StoredRecord): string {
  const known = ids.get(each);
  if (known !== undefined) return known;
  const id = createHash('sha256').update(Buffer.from(each.sha256, 'hex')).digest('base64url');
  ids.set(each, id);
  return id;
}

export const isExpired = ({ expiresAtMs }: StoredRecord): boolean =>
  expiresAtMs !== null && expiresAtMs <= Date.now();

/** Returns a record and all its descendants. */
export function treeOf(records: readonly StoredRecord[], id: string): readonly StoredRecord[] {
  const ids = new Set([id]);
  // Descendants come after their parent in the list, so one pass finds them all.
  return records.filter((each) => {
    const isOfIt = each.id === id || (each.parent !== null && ids.has(each.parent));
    if (isOfIt) ids.add(each.id);
    return isOfIt;
  });
}

/** Returns all records except `id` and its descendants. */
export function without(records: readonly StoredRecord[], id: string): readonly StoredRecord[] {
  const gone = new Set(treeOf(records, id));
  return records.filter((each) => !gone.has(each));
}

/** Returns the id of the topmost token from which a record descends; null for a record without a parent. */
export function rootOf(records: readonly StoredRecord[], { parent }: StoredRecord): string | null {
  const giver = records.find(({ id }) => id === parent);
  return giver?.parent ? rootOf(records, giver) : parent;
}

/** Returns the identity of a record; a guest is an observer whatever else is stored. */
export function identityOf(each: TokenRecord | GuestRecord): Identity {
  const { id: tokenId, name, expiresAtMs } = each;
  if (!isGuestRecord(each)) {
    const { role, mayElicit } = each;
    return { tokenId, name, role, expiresAtMs, ...(mayElicit && { mayElicit }) };
  }
  return { tokenId, name, role: 'observer', expiresAtMs, share: { id: each.parent, key: each.key } };
}
