// POST /auth/link: creates a single-use sign-in link to the page, for operators and admins.
import type { ServerResponse } from 'node:http';
import type { Identity } from '../../policy/identity.ts';
import type { LinkCodes, LinkRole } from '../../policy/link-codes.ts';
import { whyNoName } from '../../policy/token-name.ts';
import type { LinkResult } from '../../../protocol/access.ts';
import { end, sendJson } from './answers.ts';
import type { DoorAct } from './listener-options.ts';

export interface FreshLinkOptions {
  readonly identity: Identity;
  /** Requested role of the link's user; null: `operator`. */
  readonly role: string | null;
  readonly name: string | null;
  /** URL of the page; ends with a slash. */
  readonly base: string;
  readonly codes: LinkCodes;
  readonly codeTtlMs: number;
}

/** Roles that each role may grant; none is above its own. */
const MAY_GIVE: { readonly [role in Identity['role']]: readonly LinkRole[] } = {
  agent: [],
  observer: [],
  operator: ['observer', 'operator'],
  admin: ['observer', 'operator', 'admin'],
};

/**
 * Replies 200 with LinkResult; 403 when the role is not allowed to create such a link, 400 for an invalid
 * name. Returns the act for the audit log, with the link's id or the reason of the refusal.
 */
export function giveLink(
  response: ServerResponse,
  options: FreshLinkOptions,
): { readonly act: DoorAct['act']; readonly details: Readonly<Record<string, string>> } {
  const { identity, name, base, codes, codeTtlMs } = options;
  const asked = options.role ?? 'operator';
  const role = MAY_GIVE[identity.role].find((each) => each === asked);
  const whyNot = role
    ? name !== null && whyNoName(name)
    : `${identity.name} has the role ${identity.role}, which is not allowed to create a link for the role ${asked.slice(0, 40)}`;
  if (!role || typeof whyNot === 'string') {
    const reason = String(whyNot);
    end(response, role ? 400 : 403, reason);
    return { act: 'refused', details: { reason } };
  }
  const expiresAtMs = Date.now() + codeTtlMs;
  const { code, link } = codes.create({ role, name, giver: identity });
  const result: LinkResult = { url: `${base}#code=${code}`, expiresAtMs };
  sendJson(response, result);
  return { act: 'link', details: { link: link.id, role, ...(name !== null && { name }) } };
}
