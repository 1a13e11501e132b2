// Tests of sessions at POST /mcp over real HTTP, and of what the endpoint refuses: rules MC1, MC7, MC9,
// AU5, AU6 and LI18.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hello, rpc, run, untilAborted, McpVisits } from '../testing/mcp-visits.ts';

let visits: McpVisits;
beforeEach(async () => {
  visits = await McpVisits.start();
});
afterEach(() => visits.close());

describe('the beginning of a session', () => {
  it.each([
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2025-03-26', '2025-03-26'],
    ['2024-11-05', '2025-11-25'],
    ['2026-07-28', '2025-11-25'],
    [7, '2025-11-25'],
  ])('[MC1] answers a client of %j in %s', async (asked, spoken) => {
    const response = await visits.post(hello('test', { protocolVersion: asked }));
    expect(await response.json()).toMatchObject({
      id: 0,
      result: { protocolVersion: spoken, serverInfo: { name: 'exec-console', version: '1.2.3' } },
    });
    expect(response.headers.get('mcp-session-id')).toMatch(/^[\x21-\x7e]{20,}$/);
  });

  it('[MC1] answers server/discover, which Claude Code sends first, with an unknown method at once', async () => {
    const response = await visits.post(rpc('d', 'server/discover', {}), {
      'mcp-protocol-version': '2026-07-28',
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ id: 'd', error: { code: -32601 } });
  });

  it.each([
    ['2025-11-25', 200],
    ['2025-03-26', 200],
    ['2026-07-28', 400],
    ['x', 400],
  ])('[MC1] answers a later request of the version %s with %d', async (version, status) => {
    const session = await visits.begin();
    const response = await visits.post(rpc(1, 'ping'), { ...session, 'mcp-protocol-version': version });
    expect(response.status).toBe(status);
  });

  it('refuses an initialize without a name', async () => {
    const response = await visits.post(rpc(0, 'initialize', { capabilities: {} }));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ id: 0, error: { code: -32602 } });
  });

  it('refuses a session when the gateway has no room', async () => {
    visits.whyFull = '200 connections with this token are open, which is the limit; close one first';
    const response = await visits.post(hello('test'));
    expect(response.status).toBe(429);
    expect(await response.text()).toContain('200 connections');
  });

  it('[MC7] ends the longest idle session of a token that opens too many', async () => {
    const sessions = [];
    for (let at = 0; at < 6; at += 1) sessions.push(await visits.begin());
    const answers = await Promise.all(sessions.map((session) => visits.post(rpc(1, 'ping'), session)));
    expect(answers.map(({ status }) => status)).toEqual([404, 200, 200, 200, 200, 200]);
  });
});

describe('the end of a client', () => {
  it('[MC7] follows the end of its last stream, unless it returns', async () => {
    const session = await visits.begin();
    await visits.post(run(1), session);
    const hold = new AbortController();
    const headers = { accept: 'text/event-stream', ...session };
    const streams = await Promise.all([
      fetch(visits.url, { headers, signal: hold.signal }),
      fetch(visits.url, { headers, signal: hold.signal }),
    ]);
    expect(streams.map(({ status }) => status)).toEqual([200, 200]);
    expect(visits.left).toBe(0);
    hold.abort();
    await expect.poll(() => visits.left).toBe(1);
    const again = await fetch(visits.url, { headers });
    expect(visits.returned).toBe(1);
    expect(await (await visits.post(run(2), session)).json()).toMatchObject({ result: { isError: false } });
    expect(visits.entered).toHaveLength(1);
    await again.body?.cancel();
  });

  it('[MC7] follows its DELETE, after which its session is unknown', async () => {
    const session = await visits.begin();
    await visits.post(run(1), session);
    expect((await fetch(visits.url, { method: 'DELETE', headers: session })).status).toBe(200);
    expect(visits.left).toBe(1);
    const response = await visits.post(run(2), session);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ id: 2, error: { code: -32001 } });
    expect((await fetch(visits.url, { method: 'DELETE', headers: session })).status).toBe(404);
  });

  it('[MC7] follows the end of its token', async () => {
    const session = await visits.begin();
    await visits.post(run(1), session);
    visits.door.revoke('t1');
    expect(visits.left).toBe(1);
    // The client might reuse the connection that is being closed if the test did not wait.
    await expect.poll(() => visits.taken).toBe(0);
    expect((await visits.post(run(2), session)).status).toBe(404);
  });
});

describe('the connections of a token', () => {
  const stream = (session: Record<string, string>): Promise<Response> =>
    fetch(visits.url, { headers: { accept: 'text/event-stream', ...session } });

  it('[LI18] take a descriptor each until they close, and are refused when it has no more', async () => {
    const session = await visits.begin();
    const streams = [await stream(session), await stream(session)];
    expect(visits.taken).toBe(2);
    visits.whyFull = 'this token may have at most 128 descriptors at a time and has 128';
    const refused = await stream(session);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('connection')).toBe('close');
    expect(await refused.text()).toContain('128 descriptors');
    for (const each of streams) await each.body?.cancel();
    await expect.poll(() => visits.taken).toBe(0);
  });

  it('[LI18] are counted for tokens that are not an agent’s, too', async () => {
    visits.identity = { ...visits.identity, role: 'observer' };
    expect((await visits.post(hello('test'))).status).toBe(403);
    expect(visits.taken).toBe(1);
  });

  it('[AU5] close when the token is revoked', async () => {
    const session = await visits.begin();
    visits.work = untilAborted;
    const held = await stream(session);
    const call = await visits.post(run(1), { ...session, accept: 'text/event-stream' });
    visits.identity = { ...visits.identity, tokenId: 't2' };
    const others = await stream(await visits.begin());
    visits.door.revoke('t1');
    await expect(held.text()).rejects.toThrow('terminated');
    await call.text().catch(() => undefined);
    await expect.poll(() => visits.taken).toBe(1);
    await others.body?.cancel();
  });

  it('[AU6] close when the token expires, even during a call', async () => {
    // The token stays valid long enough for a busy machine to open the stream.
    visits.identity = { ...visits.identity, expiresAtMs: Date.now() + 2000 };
    visits.work = untilAborted;
    const session = await visits.begin();
    const held = await stream(session);
    // The answer to the long call may have started already, so either error can occur.
    const answer = visits.post(run(1), session).then((response) => response.text());
    const cut = expect(answer).rejects.toThrow(/fetch failed|terminated/);
    await expect(held.text()).rejects.toThrow('terminated');
    await cut;
    await expect.poll(() => visits.taken).toBe(0);
  });
});

describe('the endpoint', () => {
  it('[MC9] hides a token’s session from all others, and accepts only agents’ tokens', async () => {
    const session = await visits.begin();
    visits.identity = { ...visits.identity, tokenId: 't2' };
    expect((await visits.post(rpc(1, 'ping'), session)).status).toBe(404);
    for (const role of ['observer', 'operator', 'admin'] as const) {
      visits.identity = { ...visits.identity, role };
      const response = await visits.post(hello('test'));
      expect(response.status).toBe(403);
      expect(await response.text()).toContain(`has the role ${role}`);
    }
  });

  it.each([
    ['{', 400, -32700],
    ['', 400, -32700],
    ['null', 400, -32600],
    ['[]', 400, -32600],
    ['7', 400, -32600],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', 400, -32600],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', 400, -32600],
    [`"${'x'.repeat(1024 * 1024)}"`, 413, -32600],
  ])('answers the body %.60s with %d', async (body, status, code) => {
    const response = await visits.post(body, await visits.begin());
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ id: null, error: { code } });
  });

  it('names what an initialize request lacks, and assumes the newest version for one that names none', async () => {
    const clientInfo = { name: 'test', version: '1' };
    const refused = await visits.post(rpc(1, 'initialize', { clientInfo }));
    expect(await refused.json()).toMatchObject({
      error: { code: -32602, message: 'initialize: expected capabilities, and clientInfo with a name' },
    });
    const accepted = await visits.post(rpc(1, 'initialize', { capabilities: {}, clientInfo }));
    expect(await accepted.json()).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
  });

  it('accepts several messages in one body only in the oldest version', async () => {
    const both = [rpc(1, 'ping'), rpc(2, 'ping'), { jsonrpc: '2.0', method: 'notifications/initialized' }];
    const old = await visits.post(both, await visits.begin('old', { protocolVersion: '2025-03-26' }));
    expect(await old.json()).toEqual([
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 2, result: {} },
    ]);
    expect((await visits.post(both, await visits.begin())).status).toBe(400);
  });

  it.each([
    ['POST without a session', () => visits.post(rpc(1, 'tools/list')), 400],
    ['GET without a session', () => fetch(visits.url, { headers: { accept: 'text/event-stream' } }), 405],
    ['GET of a page', () => fetch(visits.url), 405],
    ['PUT', () => fetch(visits.url, { method: 'PUT', body: '{}' }), 405],
    ['another content type', () => visits.post('{}', { 'content-type': 'text/plain' }), 415],
    ['nothing acceptable', () => visits.post(rpc(1, 'ping'), { accept: 'text/html' }), 406],
  ])('answers %s', async (_what, visit, status) => {
    expect((await visit()).status).toBe(status);
  });
});
