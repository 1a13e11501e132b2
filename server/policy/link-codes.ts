// The single-use codes in printed links: a client that sends one in time gets a credential of its own.
import { createHash, randomBytes } from 'node:crypto';
import type { Role } from '../../protocol/session.ts';
import { randomId } from '../host/random-id.ts';
import type { Identity } from './identity.ts';

/** Roles that a link can grant: agents need none. */
export type LinkRole = Exclude<Role, 'agent'>;

/** Identity that a link grants; without a name it is a `page`. */
export interface Welcome {
  readonly role: LinkRole;
  readonly name: string | null;
  /**
   * Creator of the link: everything that descends from it ends with that token. Null for the link printed at the start.
   */
  readonly giver: Pick<Identity, 'tokenId' | 'expiresAtMs'> | null;
}

/** A link for the audit log, which never has the code. */
export interface Link extends Welcome {
  readonly id: string;
}

/** Limit of outstanding codes of one creator; beyond it the oldest becomes invalid. */
const MAX_CODES = 16;

interface Outstanding {
  readonly link: Link;
  readonly endsAtMs: number;
}

export class LinkCodes {
  readonly #ttlMs: number;
  /** Hash of the code → its identity and expiry, in the order of creation; limited for each valid token. */
  readonly #codes = new Map<string, Outstanding>();

  constructor(ttlMs: number) {
    this.#ttlMs = ttlMs;
  }

  /** Creates a code that can be redeemed once, in time. */
  create(welcome: Welcome): { readonly code: string; readonly link: Link } {
    const code = randomBytes(24).toString('base64url');
    const link = { ...welcome, id: randomId(9) };
    this.#forget(({ endsAtMs }) => endsAtMs <= Date.now());
    this.#codes.set(hash(code), { link, endsAtMs: Date.now() + this.#ttlMs });
    let left = [...this.#codes.values()].filter((each) => isOf(each, welcome.giver?.tokenId)).length;
    this.#forget((each) => isOf(each, welcome.giver?.tokenId) && left-- > MAX_CODES);
    return { code, link };
  }

  /** Returns the link of a valid code; null for any other. */
  linkOf(code: string): Link | null {
    const found = this.#codes.get(hash(code));
    return found && found.endsAtMs > Date.now() ? found.link : null;
  }

  /** Returns the link, and makes its code invalid. */
  redeem(code: string): Link | null {
    const link = this.linkOf(code);
    this.#codes.delete(hash(code));
    return link;
  }

  /** Forgets the codes of a token that has ended. */
  forget(tokenId: string): void {
    this.#forget((each) => isOf(each, tokenId));
  }

  #forget(isOver: (each: Outstanding) => boolean): void {
    for (const [key, each] of this.#codes) if (isOver(each)) this.#codes.delete(key);
  }
}

const isOf = ({ link: { giver } }: Outstanding, tokenId: string | undefined): boolean =>
  giver?.tokenId === tokenId;

/** Looking up the hash takes a time that reveals nothing about the code. */
const hash = (code: string): string => createHash('sha256').update(code).digest('hex');
