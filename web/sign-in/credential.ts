// The page's credential: got for the code of the printed link, or for a share's secret, kept in this origin's storage, brought explicitly.
import type { ExchangeResult } from '../../server/protocol/console.ts';
import { SUBPROTOCOL } from '../../server/protocol/console-constants.ts';
import type { OpenFailure } from '../client/connection.ts';
import { isKeptElsewhere, ofThisGateway, readText, writeText } from '../ui/storage.ts';

/** Where the gateway is: always where the page came from. */
const base = new URL('.', location.href);

const STORAGE_KEY = ofThisGateway('exec-console.token');

export const readToken = (): string | null => readText(STORAGE_KEY);

/** Whether this browser has a credential beside that of a guest. */
export const hasOwnToken = (): boolean => isKeptElsewhere(STORAGE_KEY);

export const forgetToken = (): void => writeText(STORAGE_KEY, null);

/** What a link has brought: a code that works once, or what shows something for a while. */
export type Brought = { readonly code: string } | { readonly share: string };

/** Taken out of the address bar and the history at once. */
export function takeBrought(): Brought | null {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const [code, share] = [fragment.get('code'), fragment.get('share')];
  if (location.hash) history.replaceState(null, '', location.pathname + location.search);
  if (share !== null) return { share };
  return code === null ? null : { code };
}

/** Trades it for a credential of this page's own. Throws a sentence when that does not work. */
export async function exchange(brought: Brought): Promise<void> {
  const response = await fetch(new URL('auth/exchange', base), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(brought),
  });
  if (!response.ok) throw new Error((await response.text()) || `the gateway answered ${response.status}`);
  const { token } = (await response.json()) as Partial<ExchangeResult>;
  if (typeof token !== 'string') throw new Error('the gateway gave no token');
  writeText(STORAGE_KEY, token);
}

export function openSocket(token: string): WebSocket {
  const url = new URL(base);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return new WebSocket(url, [SUBPROTOCOL.console, SUBPROTOCOL.tokenPrefix + token]);
}

/** Why a socket did not open: a browser does not tell, so the gateway is asked whose token this is. */
export async function probe(token: string): Promise<OpenFailure> {
  try {
    const response = await fetch(new URL('auth/identity', base), {
      headers: { authorization: `Bearer ${token}` },
    });
    return response.status === 401 || response.status === 403 ? 'refused' : 'unreachable';
  } catch {
    return 'unreachable';
  }
}
