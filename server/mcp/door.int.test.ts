// POST /mcp over real HTTP, with a room that only notes what it is asked: rules MC1 to MC8.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Identity } from '../policy/identity.ts';
import type { Answer, Call, UnifiedClient } from '../unified/unified-exec.ts';
import { McpDoor } from './door.ts';
import type { Exec } from './room.ts';

type Work = (args: unknown, call: Call) => Promise<Answer>;

let server: Server;
let door: McpDoor;
let url: string;
let identity: Identity;
let entered: UnifiedClient[];
let left: number;
let whyFull: string | null;
/** Calls of exec_command, with what they were told. */
let calls: Call[];
let work: Work;

const said = (text: string): Promise<Answer> => Promise.resolve({ text, isError: false });
const untilAborted = ({ signal }: Call): Promise<Answer> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve({ text: 'late', isError: false })));

beforeEach(async () => {
  [entered, calls, left, whyFull] = [[], [], 0, null];
  work = () => said('done');
  identity = { tokenId: 't1', name: 'bot', role: 'agent', expiresAtMs: null };
  const exec: Exec = {
    execCommand: (args, call) => {
      calls.push(call);
      return work(args, call);
    },
    writeStdin: () => said('written'),
    listSessions: () => said('none'),
    readOutput: () => Promise.resolve({ text: 'again', isError: true, meta: { exitCode: 3 } }),
    terminate: () => said('ended'),
    ask: () => Promise.resolve(null),
    close: () => {
      left += 1;
    },
  };
  door = new McpDoor({
    room: {
      enter: (_identity, client) => {
        entered.push(client);
        return exec;
      },
    },
    decide: () => undefined,
    limits: { mcpSessions: 10, mcpIdleMs: 60_000, mcpForgottenMs: 120_000 },
    version: '1.2.3',
    whyFull: () => whyFull,
  });
  server = createServer((request, response) => void door.serve(request, response, identity)).listen(0);
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
});
afterEach(() => {
  door.close();
  server.close();
  server.closeAllConnections();
});

const BOTH = 'application/json, text/event-stream';

function post(body: unknown, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: BOTH, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal && { signal }),
  });
}

const rpc = (id: number | string, method: string, params?: object): object => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params && { params }),
});
const hello = (name: string, more: object = {}): object =>
  rpc(0, 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name, version: '9' },
    ...more,
  });
const run = (id: number | string, args: object = { cmd: 'true', workdir: '/' }, meta: object = {}): object =>
  rpc(id, 'tools/call', { name: 'exec_command', arguments: args, _meta: meta });

async function begin(name = 'test', more: object = {}): Promise<Record<string, string>> {
  const response = await post(hello(name, more));
  return { 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' };
}

const events = (text: string): unknown[] =>
  [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as unknown);

describe('the beginning of a session', () => {
  it.each([
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2025-03-26', '2025-03-26'],
    ['2024-11-05', '2025-11-25'],
    ['2026-07-28', '2025-11-25'],
    [7, '2025-11-25'],
  ])('[MC1] answers a client of %j in %s', async (asked, spoken) => {
    const response = await post(hello('test', { protocolVersion: asked }));
    expect(await response.json()).toMatchObject({
      id: 0,
      result: { protocolVersion: spoken, serverInfo: { name: 'exec-console', version: '1.2.3' } },
    });
    expect(response.headers.get('mcp-session-id')).toMatch(/^[\x21-\x7e]{20,}$/);
  });

  it('[MC1] answers server/discover, which Claude Code sends first, with an unknown method at once', async () => {
    const response = await post(rpc('d', 'server/discover', {}), { 'mcp-protocol-version': '2026-07-28' });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ id: 'd', error: { code: -32601 } });
  });

  it.each([
    ['2025-11-25', 200],
    ['2025-03-26', 200],
    ['2026-07-28', 400],
    ['x', 400],
  ])('[MC1] answers a later request of the version %s with %d', async (version, status) => {
    const session = await begin();
    const response = await post(rpc(1, 'ping'), { ...session, 'mcp-protocol-version': version });
    expect(response.status).toBe(status);
  });

  it('refuses an initialize without a name', async () => {
    const response = await post(rpc(0, 'initialize', { capabilities: {} }));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ id: 0, error: { code: -32602 } });
  });

  it('refuses a session when the gateway has no room', async () => {
    whyFull = '200 connections of this token are open, the limit';
    const response = await post(hello('test'));
    expect(response.status).toBe(429);
    expect(await response.text()).toContain('200 connections');
  });

  it('[MC7] ends the longest idle session of a token that begins ever more', async () => {
    const sessions = [];
    for (let at = 0; at < 6; at += 1) sessions.push(await begin());
    const answers = await Promise.all(sessions.map((session) => post(rpc(1, 'ping'), session)));
    expect(answers.map(({ status }) => status)).toEqual([404, 200, 200, 200, 200, 200]);
  });
});

describe('the tools', () => {
  it('[MC2] have no output schema, and answers have text and no structured content', async () => {
    const session = await begin();
    const { result } = (await (await post(rpc(1, 'tools/list'), session)).json()) as {
      result: { tools: Record<string, unknown>[] };
    };
    expect(result.tools.map(({ name }) => name)).toEqual([
      'exec_command',
      'write_stdin',
      'list_sessions',
      'read_output',
      'terminate',
    ]);
    for (const tool of result.tools) expect(tool).not.toHaveProperty('outputSchema');
    const answer = await post(rpc(2, 'tools/call', { name: 'read_output' }), session);
    expect(await answer.json()).toEqual({
      jsonrpc: '2.0',
      id: 2,
      result: {
        content: [{ type: 'text', text: 'again' }],
        isError: true,
        _meta: { 'exec-console/exitCode': 3 },
      },
    });
  });

  it.each([
    [rpc(1, 'tools/call', { name: 'nope\u202e' }), -32602, 'Unknown tool: nope\\u202e'],
    [rpc(1, 'tools/call', { arguments: {} }), -32602, ''],
    [rpc(1, 'tools/call', { name: 'exec_command', arguments: [] }), -32602, ''],
    [rpc(1, 'resources/list'), -32601, 'unknown method'],
  ])('answer %j with the error %d', async (message, code, text) => {
    const answer = (await (await post(message, await begin())).json()) as {
      error: { code: number; message: string };
    };
    expect(answer.error.code).toBe(code);
    expect(answer.error.message).toContain(text);
  });

  it.each([
    ['unknown', 50_000],
    ['claude-code', 110_000],
    ['codex-mcp-client', 240_000],
    ['gemini-cli-mcp-client', 300_000],
    ['Visual Studio Code', 240_000],
  ])('[MC3] of the client %s are answered within %d ms', async (name, budgetMs) => {
    await post(run(1), await begin(name));
    expect(calls[0]?.budgetMs).toBe(budgetMs);
  });

  it('[MC3] are answered within the budget that a person has set', async () => {
    await post(run(1), await begin('codex', { _meta: { 'exec-console/budgetMs': 7000 } }));
    expect(calls[0]?.budgetMs).toBe(7000);
  });

  it('[MC4] report progress on the stream of the call, when it has a token for it', async () => {
    work = (_args, { progress }) => {
      progress?.('line\u001b[1m');
      progress?.('x'.repeat(500));
      return said('done');
    };
    const session = await begin();
    expect(events(await (await post(run(1, undefined, { progressToken: 'p' }), session)).text())).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: 'p', progress: 1, message: 'line\\x1b[1m' },
      },
      {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: 'p', progress: 2, message: 'x'.repeat(200) },
      },
      expect.objectContaining({ id: 1 }),
    ]);
    const plain = await post(run(2), session);
    expect(plain.headers.get('content-type')).toBe('application/json');
  });
});

describe('a call that is cancelled', () => {
  it('[MC5] gets no answer, and is told only to stop waiting', async () => {
    work = (_args, call) => untilAborted(call);
    const session = await begin();
    const answer = post(run('c'), session);
    await expect.poll(() => calls.length).toBe(1);
    const note = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'c' } };
    expect((await post(note, session)).status).toBe(202);
    expect(await (await answer).text()).toBe('');
    expect(calls[0]?.signal.aborted).toBe(true);
    expect(left).toBe(0);
  });

  it('[MC5] when its connection is cut, is told the same', async () => {
    work = (_args, call) => untilAborted(call);
    const session = await begin();
    const cut = new AbortController();
    const answer = post(run('c'), session, cut.signal).catch(() => 'cut');
    await expect.poll(() => calls.length).toBe(1);
    cut.abort();
    expect(await answer).toBe('cut');
    await expect.poll(() => calls[0]?.signal.aborted).toBe(true);
    expect(left).toBe(0);
  });

  it('[MC5] after its answer, as opencode does always, changes nothing', async () => {
    const session = await begin();
    await post(run(1), session);
    const note = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    expect((await post(note, session)).status).toBe(202);
    expect(await (await post(run(1), session)).json()).toMatchObject({ result: { isError: false } });
  });

  it('does not free its id for a second call while it is not over', async () => {
    work = (_args, call) => untilAborted(call);
    const session = await begin();
    const first = post(run(1), session);
    await expect.poll(() => calls.length).toBe(1);
    expect(await (await post(run(1), session)).json()).toMatchObject({ error: { code: -32600 } });
    door.revoke('t1');
    expect(await (await first).text()).toBe('');
  });
});

describe('the default folder', () => {
  const withRoots = { capabilities: { roots: {} }, _meta: { 'exec-console/cwd': '/own' } };

  /** Runs a call, and answers what it is asked with `result`. */
  async function asked(session: Record<string, string>, result: object, id: number): Promise<number> {
    const response = await post(run(id, { cmd: 'true' }), session);
    let questions = 0;
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      for (const event of events(decoder.decode(chunk as Uint8Array)) as { id: string; method?: string }[]) {
        if (event.method !== 'roots/list') continue;
        questions += 1;
        expect((await post({ jsonrpc: '2.0', id: event.id, ...result }, session)).status).toBe(202);
      }
    }
    return questions;
  }

  it('[MC6] is the first root of the client, which is asked once, and again when it says that they changed', async () => {
    const session = await begin('test', withRoots);
    const roots = (...uris: string[]): object => ({ result: { roots: uris.map((uri) => ({ uri })) } });
    expect(await asked(session, roots('vscode-remote://x/y', 'file:///a%20b', 'file:///c'), 1)).toBe(1);
    expect(await asked(session, {}, 2)).toBe(0);
    await post({ jsonrpc: '2.0', method: 'notifications/roots/list_changed' }, session);
    expect(await asked(session, roots(), 3)).toBe(1);
    expect(calls.map(({ cwd }) => cwd)).toEqual(['/a b', '/a b', '/own']);
  });

  it('[MC6] is that of exec-console mcp when the client refuses to name any', async () => {
    const session = await begin('test', withRoots);
    await asked(session, { error: { code: -32601, message: 'no' } }, 1);
    expect(calls[0]?.cwd).toBe('/own');
  });

  it('[MC6] is none for a client that names none, and no client is asked that names a folder itself', async () => {
    await post(run(1, { cmd: 'true' }), await begin());
    expect(calls[0]?.cwd).toBeNull();
    const plain = await post(run(1), await begin('test', withRoots));
    expect(plain.headers.get('content-type')).toBe('application/json');
  });

  it.each(['relative', 7, '/a\0b', `/${'x'.repeat(5000)}`])('is never %j', async (cwd) => {
    await post(run(1, { cmd: 'true' }), await begin('test', { _meta: { 'exec-console/cwd': cwd } }));
    expect(calls[0]?.cwd).toBeNull();
  });
});

describe('what a client says of itself', () => {
  it.each([
    ['Codex', { threadId: 'th', callId: 'c1', 'x-codex-turn-metadata': { model: 'm' } }],
    ['Codex as text', { threadId: 'th', callId: 'c1', 'x-codex-turn-metadata': '{"model":"m"}' }],
    ['our own programs', { 'exec-console/thread': 'th', 'exec-console/callId': 'c1', model: 'm' }],
  ])('[MC8] is taken from the names of %s', async (_name, meta) => {
    await post(run(1, undefined, meta), await begin());
    expect(calls[0]).toMatchObject({ thread: 'th', callId: 'c1', model: 'm' });
  });

  it('[MC8] is that of the whole session where a call has none', async () => {
    const session = await begin('claude-code', { _meta: { 'exec-console/thread': 's1' } });
    await post(run(1, undefined, { 'claudecode/toolUseId': 'tu' }), session);
    expect(calls[0]).toMatchObject({ thread: 's1', callId: 'tu', model: null });
    expect(entered).toEqual([{ name: 'claude-code', version: '9', thread: 's1' }]);
  });

  it('[MC8] is cut, and shown without what hides', async () => {
    const session = await begin(`\u202e${'n'.repeat(500)}`);
    const meta = { threadId: `\n${'t'.repeat(500)}`, callId: {}, 'x-codex-turn-metadata': '{' };
    await post(run(1, undefined, meta), session);
    expect(entered[0]?.name).toMatch(/^\\u202en{94}$/);
    expect(calls[0]?.thread).toMatch(/^\\nt{98}$/);
    expect(calls[0]).toMatchObject({ callId: null, model: null });
  });
});

describe('the end of a client', () => {
  it('[MC7] is the end of the last stream that it held, until it comes back', async () => {
    const session = await begin();
    await post(run(1), session);
    const hold = new AbortController();
    const headers = { accept: 'text/event-stream', ...session };
    const streams = await Promise.all([
      fetch(url, { headers, signal: hold.signal }),
      fetch(url, { headers, signal: hold.signal }),
    ]);
    expect(streams.map(({ status }) => status)).toEqual([200, 200]);
    expect(left).toBe(0);
    hold.abort();
    await expect.poll(() => left).toBe(1);
    expect(await (await post(run(2), session)).json()).toMatchObject({ result: { isError: false } });
    expect(entered).toHaveLength(2);
  });

  it('[MC7] is its DELETE, after which its session is unknown', async () => {
    const session = await begin();
    await post(run(1), session);
    expect((await fetch(url, { method: 'DELETE', headers: session })).status).toBe(200);
    expect(left).toBe(1);
    const response = await post(run(2), session);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ id: 2, error: { code: -32001 } });
    expect((await fetch(url, { method: 'DELETE', headers: session })).status).toBe(404);
  });

  it('[MC7] is the end of its token', async () => {
    const session = await begin();
    await post(run(1), session);
    door.revoke('t1');
    expect(left).toBe(1);
    expect((await post(run(2), session)).status).toBe(404);
  });
});

describe('the door', () => {
  it('[MC9] knows the session of one token for no other, and takes tokens of agents only', async () => {
    const session = await begin();
    identity = { ...identity, tokenId: 't2' };
    expect((await post(rpc(1, 'ping'), session)).status).toBe(404);
    for (const role of ['observer', 'operator', 'admin'] as const) {
      identity = { ...identity, role };
      const response = await post(hello('test'));
      expect(response.status).toBe(403);
      expect(await response.text()).toContain(`is of the role ${role}`);
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
    const response = await post(body, await begin());
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ id: null, error: { code } });
  });

  it('takes several messages in one body from the oldest version alone', async () => {
    const both = [rpc(1, 'ping'), rpc(2, 'ping'), { jsonrpc: '2.0', method: 'notifications/initialized' }];
    const old = await post(both, await begin('old', { protocolVersion: '2025-03-26' }));
    expect(await old.json()).toEqual([
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 2, result: {} },
    ]);
    expect((await post(both, await begin())).status).toBe(400);
  });

  it.each([
    ['POST without a session', () => post(rpc(1, 'tools/list')), 400],
    ['GET without a session', () => fetch(url, { headers: { accept: 'text/event-stream' } }), 405],
    ['GET of a page', () => fetch(url), 405],
    ['PUT', () => fetch(url, { method: 'PUT', body: '{}' }), 405],
    ['another content type', () => post('{}', { 'content-type': 'text/plain' }), 415],
    ['nothing acceptable', () => post(rpc(1, 'ping'), { accept: 'text/html' }), 406],
  ])('answers %s', async (_what, visit, status) => {
    expect((await visit()).status).toBe(status);
  });
});
