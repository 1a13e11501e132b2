// Tests of tool calls at POST /mcp over real HTTP: rules MC2 to MC6 and MC8.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { events, rpc, run, answerOf, untilAborted, McpVisits } from '../testing/mcp-visits.ts';

let visits: McpVisits;
beforeEach(async () => {
  visits = await McpVisits.start();
});
afterEach(() => visits.close());

describe('the tools', () => {
  it('[MC2] have no output schema, and answers have text and no structured content', async () => {
    const session = await visits.begin();
    const { result } = (await (await visits.post(rpc(1, 'tools/list'), session)).json()) as {
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
    const answer = await visits.post(rpc(2, 'tools/call', { name: 'read_output' }), session);
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
  ])('return for the request %j the error %d', async (message, code, text) => {
    const answer = (await (await visits.post(message, await visits.begin())).json()) as {
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
  ])('[MC3] answer a call of the client %s within %d ms', async (name, budgetMs) => {
    await visits.post(run(1), await visits.begin(name));
    expect(visits.calls[0]?.budgetMs).toBe(budgetMs);
  });

  it('[MC3] answer a call within the budget that the client configures', async () => {
    await visits.post(run(1), await visits.begin('codex', { _meta: { 'exec-console/budgetMs': 7000 } }));
    expect(visits.calls[0]?.budgetMs).toBe(7000);
  });

  it('[MC4] report progress on the stream of the call, when it has a token for it', async () => {
    visits.work = (_args, { progress }) => {
      progress?.('line\u001b[1m');
      progress?.('x'.repeat(500));
      return answerOf('done');
    };
    const session = await visits.begin();
    expect(
      events(await (await visits.post(run(1, undefined, { progressToken: 'p' }), session)).text()),
    ).toEqual([
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
    const plain = await visits.post(run(2), session);
    expect(plain.headers.get('content-type')).toBe('application/json');
  });
});

describe('a call that is cancelled', () => {
  it('[MC5] gets no answer, and only stops waiting', async () => {
    visits.work = untilAborted;
    const session = await visits.begin();
    const answer = visits.post(run('c'), session);
    await expect.poll(() => visits.calls.length).toBe(1);
    const note = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'c' } };
    expect((await visits.post(note, session)).status).toBe(202);
    expect(await (await answer).text()).toBe('');
    expect(visits.calls[0]?.signal.aborted).toBe(true);
    expect(visits.left).toBe(0);
  });

  it('[MC5] only stops waiting when its connection is cut', async () => {
    visits.work = untilAborted;
    const session = await visits.begin();
    const cut = new AbortController();
    const answer = visits.post(run('c'), session, cut.signal).catch(() => 'cut');
    await expect.poll(() => visits.calls.length).toBe(1);
    cut.abort();
    expect(await answer).toBe('cut');
    await expect.poll(() => visits.calls[0]?.signal.aborted).toBe(true);
    expect(visits.left).toBe(0);
  });

  it('[MC5] is unaffected by a cancellation after its answer, which opencode always sends', async () => {
    const session = await visits.begin();
    await visits.post(run(1), session);
    const note = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    expect((await visits.post(note, session)).status).toBe(202);
    expect(await (await visits.post(run(1), session)).json()).toMatchObject({ result: { isError: false } });
  });

  it('does not free its id for a second call before it has ended', async () => {
    visits.work = untilAborted;
    const session = await visits.begin();
    const first = visits.post(run(1), session);
    await expect.poll(() => visits.calls.length).toBe(1);
    expect(await (await visits.post(run(1), session)).json()).toMatchObject({ error: { code: -32600 } });
    visits.door.revoke('t1');
    expect(await (await first).text()).toBe('');
  });
});

describe('the default folder', () => {
  const withRoots = { capabilities: { roots: {} }, _meta: { 'exec-console/cwd': '/own' } };

  /** Runs a call, and answers each request for folders with `result`; returns the number of these requests. */
  async function asked(session: Record<string, string>, result: object, id: number): Promise<number> {
    const response = await visits.post(run(id, { cmd: 'true' }), session);
    let questions = 0;
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      for (const event of events(decoder.decode(chunk as Uint8Array)) as { id: string; method?: string }[]) {
        if (event.method !== 'roots/list') continue;
        questions += 1;
        expect((await visits.post({ jsonrpc: '2.0', id: event.id, ...result }, session)).status).toBe(202);
      }
    }
    return questions;
  }

  it('[MC6] is the first root of the client, which is asked once, and again after it reports a change', async () => {
    const session = await visits.begin('test', withRoots);
    const roots = (...uris: string[]): object => ({ result: { roots: uris.map((uri) => ({ uri })) } });
    expect(await asked(session, roots('vscode-remote://x/y', 'file:///a%20b', 'file:///c'), 1)).toBe(1);
    expect(await asked(session, {}, 2)).toBe(0);
    await visits.post({ jsonrpc: '2.0', method: 'notifications/roots/list_changed' }, session);
    expect(await asked(session, roots(), 3)).toBe(1);
    expect(visits.calls.map(({ cwd }) => cwd)).toEqual(['/a b', '/a b', '/own']);
  });

  it('[MC6] is the folder of exec-console mcp when the client refuses to name any', async () => {
    const session = await visits.begin('test', withRoots);
    await asked(session, { error: { code: -32601, message: 'no' } }, 1);
    expect(visits.calls[0]?.cwd).toBe('/own');
  });

  it('[MC6] is absent for a client that names none, and no client is asked when the call names a folder', async () => {
    await visits.post(run(1, { cmd: 'true' }), await visits.begin());
    expect(visits.calls[0]?.cwd).toBeNull();
    const plain = await visits.post(run(1), await visits.begin('test', withRoots));
    expect(plain.headers.get('content-type')).toBe('application/json');
  });

  it.each(['relative', 7, '/a\0b', `/${'x'.repeat(5000)}`])('is never %j', async (cwd) => {
    await visits.post(
      run(1, { cmd: 'true' }),
      await visits.begin('test', { _meta: { 'exec-console/cwd': cwd } }),
    );
    expect(visits.calls[0]?.cwd).toBeNull();
  });
});

describe('a client’s description of itself', () => {
  it.each([
    ['Codex', { threadId: 'th', callId: 'c1', 'x-codex-turn-metadata': { model: 'm' } }],
    ['Codex as text', { threadId: 'th', callId: 'c1', 'x-codex-turn-metadata': '{"model":"m"}' }],
    ['our own programs', { 'exec-console/thread': 'th', 'exec-console/callId': 'c1', model: 'm' }],
  ])('[MC8] is taken from the names of %s', async (_name, meta) => {
    await visits.post(run(1, undefined, meta), await visits.begin());
    expect(visits.calls[0]).toMatchObject({ thread: 'th', callId: 'c1', model: 'm' });
  });

  it('[MC8] applies to every call that has none of its own', async () => {
    const session = await visits.begin('claude-code', { _meta: { 'exec-console/thread': 's1' } });
    await visits.post(run(1, undefined, { 'claudecode/toolUseId': 'tu' }), session);
    expect(visits.calls[0]).toMatchObject({ thread: 's1', callId: 'tu', model: null });
    expect(visits.entered).toEqual([{ name: 'claude-code', version: '9', thread: 's1' }]);
  });

  it('[MC8] is truncated, and shown without hidden characters', async () => {
    const session = await visits.begin(`\u202e${'n'.repeat(500)}`);
    const meta = { threadId: `\n${'t'.repeat(500)}`, callId: {}, 'x-codex-turn-metadata': '{' };
    await visits.post(run(1, undefined, meta), session);
    expect(visits.entered[0]?.name).toMatch(/^\\u202en{94}$/);
    expect(visits.calls[0]?.thread).toMatch(/^\\nt{98}$/);
    expect(visits.calls[0]).toMatchObject({ callId: null, model: null });
  });
});
