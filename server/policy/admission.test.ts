// Tests of the decision on each kind of request.
import { describe, expect, it, test } from 'vitest';
import { admit, checkOrigin, withoutQuery, type Proof, type Visit } from './admission.ts';
import type { Identity } from './identity.ts';
import { parsePublicUrl } from './public-url.ts';
import { identity, verify, NAMES, LOCAL, HOST, OWN, bearer, page, upgrade } from '../testing/visits.ts';

const outcome = (visit: Visit): 'in' | number => {
  const admission = admit(visit, verify, NAMES);
  return admission.admitted ? 'in' : admission.status;
};

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

describe('[AU1] The Host', () => {
  it.each([
    ['127.0.0.1:7420', 'in'],
    ['127.0.0.1', 'in'],
    ['localhost:7420', 'in'],
    ['LOCALHOST:7420', 'in'],
    ['[::1]:7420', 'in'],
    ['evil.example:7420', 421],
    ['evil.example', 421],
    ['localhost.evil.example:7420', 421],
    ['127.0.0.1.evil.example', 421],
    ['evil.example@127.0.0.1', 421],
    ['0.0.0.0:7420', 421],
    ['192.168.1.2:7420', 421],
    ['', 421],
  ] as const)('%j with a good token: %s', (host, expected) => {
    expect(outcome(upgrade({ ...bearer, host }))).toBe(expected);
  });

  it('is refused with a rebound name even with a matching Origin', () => {
    expect(outcome(upgrade({ ...page, host: 'evil.example:7420', origin: 'http://evil.example:7420' }))).toBe(
      421,
    );
  });

  it('is required', () => {
    const visit: Visit = {
      method: 'GET',
      url: '/',
      headers: {},
      repeated: [],
      localAddress: LOCAL,
      isUpgrade: false,
    };
    expect(checkOrigin(visit, NAMES)?.status).toBe(421);
  });
});

describe('[AU1] [AU2] Behind a declared proxy', () => {
  const publicUrl = parsePublicUrl('https://console.example/here/');
  it.each([
    ['console.example', 'https://console.example', 'in'],
    ['console.example:443', 'https://console.example', 'in'],
    ['Console.Example', 'https://Console.Example', 'in'],
    [HOST, 'https://console.example', 'in'],
    [HOST, OWN, 'in'],
    ['console.example', undefined, 'in'],
    ['console.example', 'http://console.example', 403],
    ['console.example', 'https://console.example:8443', 403],
    ['console.example', OWN, 403],
    ['console.example:8443', 'https://console.example:8443', 421],
    ['other.example', 'https://other.example', 421],
    [HOST, 'https://other.example', 403],
    [HOST, 'null', 403],
  ] as const)('the Host %j with the Origin %j: %s', (host, origin, expected) => {
    const proof = origin === undefined ? bearer : page;
    const visit = upgrade({ ...proof, host, ...(origin && { origin }) });
    const admission = admit(visit, verify, { ...NAMES, publicUrl });
    expect(admission.admitted ? 'in' : admission.status).toBe(expected);
  });
});

describe('[AU2] The Origin', () => {
  it.each([
    [OWN, 'in'],
    ['http://127.0.0.1:9999', 403],
    ['http://127.0.0.1', 403],
    ['http://localhost:7420', 403],
    ['https://127.0.0.1:7420', 403],
    ['http://127.0.0.1:7420.evil.example', 403],
    ['https://evil.example', 403],
    ['null', 403],
    ['', 403],
    [`${OWN}, ${OWN}`, 403],
  ] as const)('%j of an upgrade with a good token: %s', (origin, expected) => {
    expect(outcome(upgrade({ ...page, origin }))).toBe(expected);
    expect(outcome(upgrade({ ...bearer, origin }))).toBe(expected);
  });

  it('is checked before the proof', () => {
    expect(outcome(upgrade({ origin: 'https://evil.example' }))).toBe(403);
  });

  it.each([
    ['GET', {}, null],
    ['HEAD', {}, null],
    ['GET', { origin: 'https://evil.example' }, 403],
    ['POST', {}, 403],
    ['DELETE', {}, 403],
    ['POST', { origin: 'null' }, 403],
    ['POST', { origin: OWN }, null],
    ['POST', bearer, null],
    ['POST', { ...bearer, origin: 'https://evil.example' }, 403],
  ] as const)('is checked for a %s with %j: %s', (method, headers, expected) => {
    expect(statusOf(method, headers)).toBe(expected);
  });
});

describe('[AU10] Fetch metadata', () => {
  const fetched = (site: string, mode: string, dest: string): Visit['headers'] => ({
    'sec-fetch-site': site,
    'sec-fetch-mode': mode,
    'sec-fetch-dest': dest,
  });
  it.each([
    ['GET', fetched('none', 'navigate', 'document'), null],
    ['GET', fetched('same-origin', 'cors', 'empty'), null],
    ['POST', { ...fetched('same-origin', 'cors', 'empty'), origin: OWN }, null],
    ['GET', fetched('cross-site', 'navigate', 'document'), null],
    ['GET', fetched('same-site', 'navigate', 'document'), null],
    ['GET', fetched('cross-site', 'navigate', 'iframe'), 403],
    ['GET', fetched('same-site', 'navigate', 'iframe'), 403],
    ['GET', fetched('cross-site', 'navigate', 'object'), 403],
    ['GET', fetched('cross-site', 'no-cors', 'script'), 403],
    ['GET', fetched('same-site', 'no-cors', 'image'), 403],
    ['GET', fetched('same-site', 'no-cors', 'serviceworker'), 403],
    ['HEAD', fetched('cross-site', 'no-cors', 'empty'), 403],
    ['POST', { ...fetched('cross-site', 'navigate', 'document'), origin: 'null' }, 403],
    ['POST', { ...fetched('cross-site', 'navigate', 'document'), ...bearer }, 403],
    ['GET', { 'sec-fetch-site': 'same-origin, cross-site' }, 403],
  ] as const)('are checked for a %s: %j → %s', (method, headers, expected) => {
    expect(statusOf(method, headers)).toBe(expected);
  });

  it('are ignored for an upgrade, whose Origin is checked', () => {
    expect(outcome(upgrade({ ...page, origin: OWN, 'sec-fetch-site': 'cross-site' }))).toBe('in');
  });
});

it.each(['http://evil.example/', 'http://127.0.0.1:7420/', 'evil.example:80', '*', ''])(
  '[AU1] a request target with a host is refused: %j',
  (url) => {
    expect(statusOf('GET', {}, url)).toBe(400);
    expect(outcome(upgrade(bearer, url))).toBe(400);
  },
);

describe('[AU3] The proof', () => {
  it.each([
    ['none', {}, '/', 401],
    ['a bearer token', bearer, '/', 'in'],
    ['a scheme in capitals', { authorization: 'BEARER good' }, '/', 'in'],
    ['a wrong bearer token', { authorization: 'Bearer bad' }, '/', 401],
    ['no scheme', { authorization: 'good' }, '/', 401],
    ['another scheme', { authorization: 'Basic good' }, '/', 401],
    ['a proxy’s own password beside a good query', { authorization: 'Basic eDp5' }, '/?token=good', 'in'],
    ['the same beside a subprotocol', { ...page, authorization: 'Basic eDp5' }, '/', 'in'],
    ['an empty bearer token beside a good query', { authorization: 'Bearer' }, '/?token=good', 400],
    ['an empty bearer token', { authorization: 'Bearer' }, '/', 401],
    ['a query', {}, '/?token=good', 'in'],
    ['a query among others', {}, '/?a=1&token=good', 'in'],
    ['a wrong query', {}, '/?token=bad', 401],
    ['an empty query', {}, '/?token=', 401],
    ['a subprotocol', page, '/', 'in'],
    ['a wrong subprotocol', { 'sec-websocket-protocol': 'exec-console.token.bad' }, '/', 401],
    ['a cookie', { cookie: 'token=good' }, '/', 401],
    ['a query from the gateway’s own Origin', { origin: OWN }, '/?token=good', 403],
  ] as const)('%s: %s %s → %s', (_, headers, url, expected) => {
    expect(outcome(upgrade(headers, url))).toBe(expected);
  });

  it('is named in the reason when it is missing', () => {
    expect(admit(upgrade({}), verify, NAMES)).toMatchObject({ reason: 'missing websocket bearer token' });
  });

  it('yields its identity, and the subprotocol is selected only when it was offered', () => {
    expect(admit(upgrade(page), verify, NAMES)).toEqual({
      admitted: true,
      identity,
      subprotocol: 'exec-console.v1',
      proof: null,
    });
    expect(admit(upgrade(bearer), verify, NAMES)).toMatchObject({ subprotocol: null });
  });

  it.each([
    { authorization: 'Proof good' },
    { 'sec-websocket-protocol': 'exec-console.v1, exec-console.proof.good' },
  ])('[AU22] is accepted when it proves a credential without containing it: %j', (headers) => {
    const ways: string[] = [];
    const noting = (proof: Proof): Identity | null => (ways.push(proof.way), verify(proof));
    expect(admit(upgrade(headers), noting, NAMES)).toMatchObject({ admitted: true, proof: 'good' });
    expect(ways).toEqual(['proof']);
  });
});

describe('[AU12] Ambiguous requests are refused, whatever their proof:', () => {
  it.each([
    'host',
    'authorization',
    'origin',
    'upgrade',
    'content-length',
    'transfer-encoding',
    'sec-websocket-key',
    'sec-websocket-version',
    'sec-websocket-protocol',
    'sec-websocket-extensions',
    'sec-fetch-site',
    'sec-fetch-mode',
    'sec-fetch-dest',
  ])('a second header: %s', (name) => {
    const visit = { ...upgrade(bearer), repeated: ['accept', name] };
    expect(admit(visit, verify, NAMES)).toMatchObject({
      status: 400,
      reason: `the request has more than one ${name} header`,
    });
    expect(checkOrigin({ ...visit, isUpgrade: false }, NAMES)?.status).toBe(400);
  });

  it.each(['accept', 'x-forwarded-for', 'cookie', 'via'])(
    'but not a second irrelevant header: %s',
    (name) => {
      expect(admit({ ...upgrade(bearer), repeated: [name] }, verify, NAMES).admitted).toBe(true);
    },
  );

  it.each([
    'identity',
    'gzip',
    'gzip, chunked',
    'chunked, chunked',
    'xchunked',
    'chunked;q=1',
    '"chunked"',
    '',
  ])('another transfer coding than chunked: %j', (coding) => {
    const visit = { ...upgrade({ ...bearer, 'transfer-encoding': coding }), isUpgrade: false };
    expect(checkOrigin(visit, NAMES)?.status).toBe(400);
    const chunked = { ...bearer, 'transfer-encoding': 'Chunked' };
    expect(checkOrigin({ ...visit, headers: { ...visit.headers, ...chunked } }, NAMES)).toBeNull();
  });

  const offer = (...names: string[]): Visit['headers'] => ({ 'sec-websocket-protocol': names.join(', ') });
  it.each([
    ['a bearer token and another in the query', bearer, '/?token=bad'],
    ['a wrong bearer token and a right one in the query', { authorization: 'Bearer bad' }, '/?token=good'],
    ['a bearer token and another as a subprotocol', { ...bearer, ...offer('exec-console.token.bad') }, '/'],
    ['two tokens as subprotocols', offer('exec-console.token.good', 'exec-console.token.bad'), '/'],
    ['a proof and a token', { authorization: 'Proof good', ...offer('exec-console.token.bad') }, '/'],
    ['two proofs', { authorization: 'Proof good', ...offer('exec-console.proof.bad') }, '/'],
    ['a token and an empty one', bearer, '/?token='],
    ['two tokens in the query', {}, '/?token=good&token=bad'],
    ['one token twice in the query', {}, '/?token=good&token=good'],
    ['two tokens in the query, one in another spelling', {}, '/?token=good&to%6ben=bad'],
    ['two other parameters of one name in the query', bearer, '/?role=agent&role=admin'],
    ['a body with a length', { ...bearer, 'content-length': '20' }, '/'],
    ['a body in chunks', { ...bearer, 'transfer-encoding': 'chunked' }, '/'],
  ])('%s', (_, headers, url) => {
    expect(outcome(upgrade(headers, url))).toBe(400);
  });

  it.each([
    ['the same token twice, in two ways', bearer, '/?token=good'],
    ['a body of no length', { ...bearer, 'content-length': '0' }, '/'],
    ['several subprotocols', { ...bearer, ...offer('exec-console.v1', 'other') }, '/'],
  ])('but not %s', (_, headers, url) => {
    expect(outcome(upgrade(headers, url))).toBe('in');
  });

  it('but not a token after a second question mark', () => {
    expect(outcome(upgrade({}, '/?a=?token=good'))).toBe(401);
    expect(outcome(upgrade({}, '/?a=?&token=good'))).toBe('in');
  });
});

test.each([
  ['/?token=secret', '/?…'],
  ['/path?a=1&token=secret&b=2', '/path?…'],
  ['/?to%6ben=secret', '/?…'],
  ['/a;token=secret', '/a?…'],
  ['/a#token=secret', '/a?…'],
  ['/nothing', '/nothing'],
])('%s is logged as %s', (url, logged) => {
  expect(withoutQuery(url)).toBe(logged);
});
