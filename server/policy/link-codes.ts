// The single-use codes in printed links: whoever brings one in time gets a credential of their own.
import { createHash, randomBytes } from 'node:crypto';
import type { Role } from '../../protocol/session.ts';
import { randomId } from '../host/random-id.ts';
import type { Identity } from './identity.ts';

/** Whom a link can make: agents need none. */
export type LinkRole = Exclude<Role, 'agent'>;

/** Who somebody is by a link; one that names nobody makes a `page`. */
export interface Welcome {
  readonly role: LinkRole;
  readonly name: string | null;
  /** Whose link it is: with that token ends all that comes of it. Null of what is printed at the start. */
  readonly giver: Pick<Identity, 'tokenId' | 'expiresAtMs'> | null;
}

/** For the record, which never has the code. */
export interface Link extends Welcome {
  readonly id: string;
}

/** Codes of one giver that may be outstanding; beyond, the oldest is worth nothing any more. */
const MAX_CODES = 16;

interface Outstanding {
  readonly link: Link;
  readonly endsAtMs: number;
}

export class LinkCodes {
  readonly #ttlMs: number;
  /** Hash of the code → whom it makes and when it ends, in the order of making; so many of each good token. */
  readonly #codes = new Map<string, Outstanding>();

  constructor(ttlMs: number) {
    this.#ttlMs = ttlMs;
  }

  /** For whoever redeems it in time. */
  create(welcome: Welcome): { readonly code: string; readonly link: Link } {
    const code = randomBytes(24).toString('base64url');
    const link = { ...welcome, id: randomId(9) };
    this.#forget(({ endsAtMs }) => endsAtMs <= Date.now());
    this.#codes.set(hash(code), { link, endsAtMs: Date.now() + this.#ttlMs });
    let left = [...this.#codes.values()].filter((each) => isOf(each, welcome.giver?.tokenId)).length;
    this.#forget((each) => isOf(each, welcome.giver?.tokenId) && left-- > MAX_CODES);
    return { code, link };
  }

  /** Whom a code makes that is good; null for every other. */
  linkOf(code: string): Link | null {
    const found = this.#codes.get(hash(code));
    return found && found.endsAtMs > Date.now() ? found.link : null;
  }

  /** The same; and it is not good any more. */
  redeem(code: string): Link | null {
    const link = this.linkOf(code);
    this.#codes.delete(hash(code));
    return link;
  }

  /** Those of a token that is good no more. */
  forget(tokenId: string): void {
    this.#forget((each) => isOf(each, tokenId));
  }

  #forget(isOver: (each: Outstanding) => boolean): void {
    for (const [key, each] of this.#codes) if (isOver(each)) this.#codes.delete(key);
  }
}

const isOf = ({ link: { giver } }: Outstanding, tokenId: string | undefined): boolean =>
  giver?.tokenId === tokenId;

/** Looked up by hash, the time it takes says nothing about the code. */
const hash = (code: string): string => createHash('sha256').update(code).digest('hex');
