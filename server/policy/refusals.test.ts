// Tests of the reasons for refusals, and of the ways to send a proof.
import { expect, it } from 'vitest';
import { admit, checkOrigin, type Visit } from './admission.ts';
import { verify, NAMES, LOCAL, HOST, OWN, bearer, page, upgrade } from '../testing/visits.ts';

const statusOf = (method: string, headers: Visit['headers'], url = '/'): number | null => {
  const visit = {
    method,
    url,
    headers: { host: HOST, ...headers },
    repeated: [],
    localAddress: LOCAL,
    isUpgrade: false,
  };
  return checkOrigin(visit, NAMES)?.status ?? null;
};

it.each([
  [{ host: 'evil.example' }, '/', 'POST', 421, 'the Host header does not name this gateway'],
  [{ origin: 'https://evil.example' }, '/', 'POST', 403, 'the Origin header does not name this gateway'],
  [{}, '/', 'POST', 403, 'a request without an Origin needs a bearer token or a proof'],
  [
    { 'sec-fetch-site': 'cross-site', ...bearer },
    '/',
    'POST',
    403,
    'the request comes from a page of another site',
  ],
  [{}, 'http://x/', 'GET', 400, 'the request target is not a path'],
  [{}, '/?a=1&a=2', 'GET', 400, 'a name appears more than once in the query'],
  [bearer, '/?token=other', 'GET', 400, 'the request has more than one credential'],
] as const)('the reason of a refusal of %j at %s for a %s', (headers, url, method, status, reason) => {
  const visit = { ...upgrade(headers, url), method, isUpgrade: false };
  expect(checkOrigin(visit, NAMES)).toEqual({ admitted: false, status, reason });
});

it.each([
  [{ ...bearer, 'content-length': '5' }, '/', 400, 'an upgrade must not have a body'],
  [{ authorization: 'Bearer' }, '/', 401, 'missing websocket bearer token'],
  [{ authorization: 'Bearer bad good' }, '/', 401, 'missing websocket bearer token'],
  [{ authorization: 'Bearer good bad' }, '/', 401, 'missing websocket bearer token'],
  [{ authorization: ' Bearer good' }, '/', 401, 'missing websocket bearer token'],
  [{}, '/?token=', 401, 'missing websocket bearer token'],
  [{ authorization: 'Bearer bad' }, '/', 401, 'invalid websocket bearer token'],
  [{ origin: OWN }, '/?token=good', 403, 'a page must send its token as a subprotocol'],
] as const)('the reason of a refusal of an upgrade with %j at %s', (headers, url, status, reason) => {
  expect(admit(upgrade(headers, url), verify, NAMES)).toEqual({ admitted: false, status, reason });
});

it.each([
  [{}, 'missing bearer token or proof'],
  [{ authorization: 'Bearer bad' }, 'invalid bearer token or proof'],
])('the reason of a refusal of a request with %j', (headers, reason) => {
  const visit = { ...upgrade(headers, '/status'), isUpgrade: false };
  expect(admit(visit, verify, NAMES)).toEqual({ admitted: false, status: 401, reason });
});

it('[AU3] a proof is reported with the way it was sent, and a token may have several blanks around it', () => {
  for (const [headers, url, way] of [
    [bearer, '/', 'bearer'],
    [{ authorization: 'Bearer   good ' }, '/', 'bearer'],
    [page, '/', 'subprotocol'],
    [{}, '/some/path?token=good', 'query'],
  ] as const) {
    const ways: string[] = [];
    admit(upgrade(headers, url), (proof) => (ways.push(proof.way), verify(proof)), NAMES);
    expect(ways, way).toEqual([way]);
  }
});

it('[AU10] a direct request may be a POST, and a navigation is recognized only by both of its headers', () => {
  expect(statusOf('POST', { ...bearer, 'sec-fetch-site': 'none' })).toBeNull();
  const foreign = { 'sec-fetch-site': 'cross-site' };
  expect(statusOf('GET', { ...foreign, 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'document' })).toBe(403);
  expect(statusOf('POST', { authorization: 'Proof good' })).toBeNull();
  expect(statusOf('POST', { authorization: 'Basic good' })).toBe(403);
});
