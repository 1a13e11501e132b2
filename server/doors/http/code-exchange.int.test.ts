// The exchange of codes, and the limit on wrong attempts: rules AU24 and AU25.
import { generateKeyPairSync } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ExchangeResult } from '../../../protocol/access.ts';
import { TestServer } from '../../testing/test-server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await TestServer.start();
});
afterEach(() => server.stop());

const origin = (): string => server.url.replace('ws', 'http');
const code = (): string => new URL(server.addresses.pageUrl()).hash.replace('#code=', '');
const exchange = (body: object): Promise<Response> =>
  fetch(`${origin()}/auth/exchange`, {
    method: 'POST',
    headers: { origin: origin() },
    body: JSON.stringify(body),
  });
const spki = (namedCurve: string): string =>
  generateKeyPairSync('ec', { namedCurve })
    .publicKey.export({ format: 'der', type: 'spki' })
    .toString('base64url');

describe('[AU24] The code of a link', () => {
  it('returns no token to a page with a key', async () => {
    const result = (await (
      await exchange({ code: code(), publicKey: spki('P-256') })
    ).json()) as ExchangeResult;
    expect(result).toEqual({
      gatewayKey: expect.stringMatching(/^[\w-]{43}$/),
      name: 'operator',
      role: 'operator',
      expiresAtMs: expect.any(Number),
    });
    const bearer = { headers: { authorization: `Bearer ${result.gatewayKey}` } };
    expect((await fetch(`${origin()}/auth/identity`, bearer)).status).toBe(401);
  });

  it('is refused in a body of more than 4 KiB, which the reply names, and stays valid', async () => {
    const valid = code();
    const long = await exchange({ code: valid, more: 'x'.repeat(4096) });
    expect([long.status, await long.text()]).toEqual([413, 'the body is longer than 4096 bytes']);
    expect((await exchange({ code: valid })).status).toBe(200);
  });

  it.each([
    ['another curve', spki('P-384')],
    ['no key', 'AAAA'],
    ['nothing', ''],
    ['a value that is too long', 'A'.repeat(201)],
  ])('is refused with %s as the key, and stays valid', async (_, publicKey) => {
    const valid = code();
    expect((await exchange({ code: valid, publicKey })).status).toBe(400);
    expect((await exchange({ code: valid })).status).toBe(200);
  });
});

describe('[AU25] Many wrong attempts', () => {
  // The allowance of attempts recovers over time; the fake clock prevents that on a slow machine.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  it.each([['code'], ['share']])('get 429 with a %s, while valid ones always succeed', async (what) => {
    const statuses: number[] = [];
    for (let turn = 0; turn < 40; turn += 1)
      statuses.push((await exchange({ [what]: `wrong-${turn}` })).status);
    expect(statuses).toEqual([...Array<number>(30).fill(401), ...Array<number>(10).fill(429)]);
    expect((await exchange({ code: code() })).status).toBe(200);
    const operator = await server.client('operator');
    const { url } = await operator.request<{ url: string }>('console/share', {});
    expect((await exchange({ share: url.split('#share=')[1] })).status).toBe(200);
  });
});
