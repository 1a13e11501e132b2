// Single-use codes in sign-in links: a client that redeems one before it expires gets its own credential.
import { createHash, randomBytes } from 'node:crypto';
import type { Role } from '../../protocol/session.ts';
import { randomId } from '../host/random-id.ts';
import { deadlineIn, isOver, type Deadline } from './deadline.ts';
import type { Identity } from './identity.ts';

/** Roles that a link can grant; agents do not use links. */
export type LinkRole = Exclude<Role, 'agent'>;

/** Identity that a link grants; without a name, the page is named after its role, such as `operator 2`. */
export interface Welcome {
  readonly role: LinkRole;
  readonly name: string | null;
  /**
   * Creator of the link; when the creator's token ends, everything created by the link ends too. Null for the
   * link printed at the start.
   */
  readonly giver: Pick<Identity, 'tokenId' | 'expiresAtMs'> | null;
}

/** A link without its code; `id` identifies it in the audit log. */
export interface Link extends Welcome {
  readonly id: string;
}

/** Maximum number of outstanding codes per creator; beyond it, the oldest becomes invalid. */
const MAX_CODES = 16;

interface Outstanding {
  readonly link: Link;
  readonly ends: Deadline;
}

export class LinkCodes {
  readonly #ttlMs: number;
  /** Hash of the code → its link and expiry, in order of creation; limited for each creator. */
  readonly #codes = new Map<string, Outstanding>();

  constructor(ttlMs: number) {
    this.#ttlMs = ttlMs;
  }

  /** Creates a code that can be redeemed once, until it expires. */
  create(welcome: Welcome): { readonly code: string; readonly link: Link } {
    const code = randomBytes(24).toString('base64url');
    const link = { ...welcome, id: randomId(9) };
    this.#forget(({ ends }) => isOver(ends));
    this.#codes.set(hash(code), { link, ends: deadlineIn(this.#ttlMs) });
    let left = [...this.#codes.values()].filter((each) => isOf(each, welcome.giver?.tokenId)).length;
    this.#forget((each) => isOf(each, welcome.giver?.tokenId) && left-- > MAX_CODES);
    return { code, link };
  }

  /** Returns the link of a valid code; null for any other. */
  linkOf(code: string): Link | null {
    const found = this.#codes.get(hash(code));
    return found && !isOver(found.ends) ? found.link : null;
  }

  /** Returns the link and makes its code invalid; null for an invalid code. */
  redeem(code: string): Link | null {
    const link = this.linkOf(code);
    this.#codes.delete(hash(code));
    return link;
  }

  /** Removes the codes of all links created with this token, which has ended. */
  forget(tokenId: string): void {
    this.#forget((each) => isOf(each, tokenId));
  }

  #forget(isDue: (each: Outstanding) => boolean): void {
    for (const [key, each] of this.#codes) if (isDue(each)) this.#codes.delete(key);
  }
}

const isOf = ({ link: { giver } }: Outstanding, tokenId: string | undefined): boolean =>
  giver?.tokenId === tokenId;

/** Codes are looked up by hash, so that the time of the lookup reveals nothing about them. */
const hash = (code: string): string => createHash('sha256').update(code).digest('hex');
