// Sample requests with an accepted credential and its identity, for tests of a gateway's admission.
import type { Proof, Visit } from '../policy/admission.ts';
import type { Identity } from '../policy/identity.ts';
import type { OwnNames } from '../policy/own-names.ts';

export const identity: Identity = { tokenId: 'id', name: 'somebody', role: 'operator', expiresAtMs: null };
export const verify = ({ text }: Proof): Identity | null => (text === 'good' ? identity : null);

export const NAMES: OwnNames = { publicUrl: null, certificate: null };
export const LOCAL = '127.0.0.1';
export const HOST = '127.0.0.1:7420';
export const OWN = `http://${HOST}`;
export const bearer = { authorization: 'Bearer good' };
export const page = { 'sec-websocket-protocol': 'exec-console.v1, exec-console.token.good' };

export function upgrade(headers: Visit['headers'], url = '/'): Visit {
  return {
    method: 'GET',
    url,
    headers: { host: HOST, ...headers },
    repeated: [],
    localAddress: LOCAL,
    isUpgrade: true,
  };
}
