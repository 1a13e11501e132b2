// Credential of the page: a key that this browser generated for a sign-in code, or the token from a share link in a
// guest's tab. The page proves that it has the credential, and never sends the credential itself.
import type { ExchangeResult } from '../../../protocol/access.ts';
import { SUBPROTOCOL } from '../../../protocol/console-constants.ts';
import { PROOF, SOCKET_USE } from '../../../protocol/proof.ts';
import {
  fromBase64url,
  idOf,
  importGatewayKey,
  prove,
  toBase64url,
  tokenCredential,
  type Answered,
  type Credential,
  type Outcome,
} from '../../../client/proof.ts';
import { askBounded } from '../../../client/bounded-answer.ts';
import { ProvenSocket } from '../../../client/proven-socket.ts';
import type { SocketLike } from '../../../client/socket-like.ts';
import {
  isGuest,
  isStoredElsewhere,
  ofThisGateway,
  readStored,
  readText,
  writeStored,
  writeText,
} from './storage.ts';
import { cutTo } from '../../../text/cut.ts';
import { readKeys, removeKeys, writeKeys } from './key-store.ts';

/** Address of the gateway: the folder of the page's URL. */
const base = new URL('.', location.href);

/** Storage name of a guest's token; a token in browser-wide storage dates from before keys and is no longer used. */
const TOKEN_KEY = ofThisGateway('exec-console.token');
const PAGE_KEY = ofThisGateway('exec-console.page');

/** Maximum number of characters shown of the gateway's reason for a refusal. */
const REASON_CHARS = 300;

const SIGNING = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/** Identity that this browser is signed in with; it contains no secrets. */
export interface SignedIn {
  readonly id: string;
  readonly name: string;
  readonly role: string;
}

export function signedIn(): SignedIn | null {
  return readStored(PAGE_KEY, (value) => {
    const { id, name, role } = (value ?? {}) as Record<string, unknown>;
    return typeof id === 'string' && typeof name === 'string' && typeof role === 'string'
      ? { id, name, role }
      : null;
  });
}

/** Returns true when this browser has a credential other than a guest's. */
export const hasOwnCredential = (): boolean => isStoredElsewhere(PAGE_KEY);

/** Reads the credential; resolves to null when there is none. */
export async function readCredential(): Promise<Credential | null> {
  if (isGuest) {
    const token = readText(TOKEN_KEY);
    return token === null ? null : tokenCredential(token);
  }
  writeText(TOKEN_KEY, null);
  const id = signedIn()?.id;
  const keys = id === undefined ? null : await readKeys(id);
  if (id === undefined || !keys) return null;
  return {
    id,
    gatewayKey: keys.gatewayKey,
    answer: async (text) => {
      const signature = await crypto.subtle.sign(SIGNING, keys.privateKey, new TextEncoder().encode(text));
      return toBase64url(new Uint8Array(signature));
    },
  };
}

/** Deletes the credential of the tab (guest) or the browser, so that no later script can use its key. */
export async function forgetCredential(): Promise<void> {
  writeText(TOKEN_KEY, null);
  const known = isGuest ? null : signedIn();
  if (!known) return;
  writeText(PAGE_KEY, null);
  await removeKeys(known.id);
}

/** Secret from a link: a single-use code, or a share secret, which works until it expires or is revoked. */
export type Brought = { readonly code: string } | { readonly share: string };

/**
 * Returns the secret in the page's fragment, or null; removes the fragment from the address bar and history.
 */
export function takeBrought(): Brought | null {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const [code, share] = [fragment.get('code'), fragment.get('share')];
  if (location.hash) history.replaceState(null, '', location.pathname + location.search);
  if (share !== null) return { share };
  return code === null ? null : { code };
}

/** Returns why a page at this address cannot store a key; null when it can. */
export const whyInsecure = (): string | null =>
  isSecureContext
    ? null
    : 'The browser does not store keys for plain http addresses: open the page over https, or through a tunnel at http://localhost';

/** Thrown for a link that was used or revoked, or has expired. */
export class LinkEnded extends Error {}

const OK = 200;
const UNAUTHORIZED = 401;

/** Exchanges the secret for a credential, and stores it. Rejects with the gateway's reason if it refuses. */
export async function exchange(brought: Brought): Promise<void> {
  if ('share' in brought) {
    const { token } = await post(brought);
    if (typeof token !== 'string') throw new Error('the gateway did not send a token');
    writeText(TOKEN_KEY, token);
    return;
  }
  const { privateKey, publicKey } = await crypto.subtle.generateKey(SIGNING, false, ['sign', 'verify']);
  const spki = toBase64url(new Uint8Array(await crypto.subtle.exportKey('spki', publicKey)));
  const { gatewayKey, name = '', role = '' } = await post({ ...brought, publicKey: spki });
  if (typeof gatewayKey !== 'string') throw new Error('the gateway did not send its key');
  const bytes = fromBase64url(gatewayKey);
  const id = await idOf(bytes);
  const former = signedIn();
  await writeKeys(id, { privateKey, gatewayKey: (await importGatewayKey(bytes)) as CryptoKey });
  writeStored(PAGE_KEY, { id, name, role } satisfies SignedIn);
  if (former) await removeKeys(former.id);
}

async function post(body: object): Promise<Partial<ExchangeResult>> {
  const { href } = new URL('auth/exchange', base);
  const headers = { 'content-type': 'application/json' };
  const { status, body: text } = await askBounded(href, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  if (status !== OK) {
    const reason = cutTo(text, REASON_CHARS) || `the gateway answered with status ${status}`;
    throw status === UNAUTHORIZED ? new LinkEnded(reason) : new Error(reason);
  }
  return JSON.parse(text) as Partial<ExchangeResult>;
}

export function openSocket(credential: Credential): SocketLike {
  const url = new URL(base);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return new ProvenSocket({
    credential: () => Promise.resolve(credential),
    ask,
    dial: (proof) => new WebSocket(url, [SUBPROTOCOL.console, PROOF.subprotocol + proof]),
  });
}

/**
 * Resolves to the outcome of proving this credential to the program at the gateway's address, which may no longer be
 * the gateway. Never rejects.
 */
export function probe(credential: Credential): Promise<Outcome['kind']> {
  return prove(credential, ask, SOCKET_USE).then(
    ({ kind }) => kind,
    () => 'unreachable',
  );
}

const ask = (path: string): Promise<Answered> => askBounded(new URL(path, base).href);
