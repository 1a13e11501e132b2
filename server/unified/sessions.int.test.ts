// Tests of sessions of unified exec between calls: owners, lifetimes, and retained output.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ProcessInfo, WatchResult } from '../../protocol/console.ts';
import { connectInProcess } from '../testing/in-process-wire.ts';
import { UnifiedGateway, type TestExec } from '../testing/unified-gateway.ts';
import { WireClient } from '../testing/wire-client.ts';

let folder: string;
let gateway: UnifiedGateway;
let agent: TestExec;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'exec-console-unified-'));
  gateway = new UnifiedGateway({ waitingQuietMs: 150, waitingLookMs: 50, waitingAgainMs: 100 });
  agent = gateway.client({ cwd: folder });
});
afterEach(async () => {
  await gateway.close();
  rmSync(folder, { recursive: true, force: true });
});

async function person(name = 'ann'): Promise<WireClient> {
  const identity = { tokenId: name, name, role: 'operator', expiresAtMs: null } as const;
  const client = new WireClient(connectInProcess(gateway.gateway, identity));
  await client.initialize();
  return client;
}

async function rows(client: WireClient): Promise<readonly ProcessInfo[]> {
  return (await client.request<WatchResult>('console/watch', {})).processes;
}

const file = (name: string): string => join(folder, name);
const untilFile = (name: string): string => `until [ -e ${name} ]; do sleep 0.05; done`;
const outputOf = (text: string): string => text.slice(text.indexOf('Output:\n') + 'Output:\n'.length);

describe('a session of unified exec', () => {
  it('[UE2] is a process of the agent in the console, with its thread and call', async () => {
    const { id } = await agent.start(
      'sleep 100',
      { yield_time_ms: 250 },
      { thread: 'th', callId: 'toolu_1' },
    );
    const ann = await person();
    const [row] = await rows(ann);
    expect(row).toMatchObject({
      processId: String(id),
      startedBy: 'bot',
      argv: [expect.any(String), '-c', 'sleep 100'],
      cwd: folder,
      tty: false,
      metadata: { threadId: 'th', toolCallId: 'toolu_1', agentVersion: '1' },
    });
    const { sessions } = await ann.request<WatchResult>('console/watch', {});
    expect(sessions.find(({ label }) => label === row?.session)?.clientName).toBe('agent');
  });

  it('[UE9] has only plain ids of an agent in its environment', async () => {
    const env = 'echo "$CODEX_THREAD_ID|$CODEX_TOOL_CALL_ID"';
    expect(outputOf((await agent.start(env, {}, { thread: 'th', callId: 'c' })).text)).toBe('th|c\n');
    const hostile = { thread: 'a\nb', callId: `x\0y` };
    expect(outputOf((await agent.start(env, {}, hostile)).text)).toBe('|\n');
  });

  it.each([false, true])('[UE9] prints no colours and starts no pager (tty: %j)', async (tty) => {
    const cmd = 'echo "$NO_COLOR|$TERM|$COLORTERM|$PAGER|$GIT_PAGER|$GH_PAGER|$LC_ALL"';
    const { text } = await agent.start(cmd, { tty });
    expect(outputOf(text)).toBe('1|dumb||cat|cat|cat|C.UTF-8\n');
  });

  it('[UE2] can be used by its id in all clients of the token that started it, and in no others', async () => {
    const { id } = await agent.start('sleep 100', { yield_time_ms: 250 });
    const stranger = gateway.client({ token: 'other' });
    for (const tool of ['write_stdin', 'read_output', 'terminate'] as const) {
      const { text, isError } = await stranger.call(tool, { session_id: id });
      expect({ text, isError }).toEqual({ text: `${tool} failed: Unknown process id ${id}`, isError: true });
    }
    expect((await stranger.call('list_sessions')).text).toBe('There are no sessions.');
    const sibling = gateway.client({ thread: 'another', name: 'sub' });
    expect((await sibling.call('list_sessions')).text).toMatch(
      new RegExp(`^${id}  running (?:<1|\\d+)s  no tty  `),
    );
    expect((await sibling.call('terminate', { session_id: id })).text).toContain('exited with code 143');
  });

  it('[UE2] cannot be used once the token is revoked, even by a client that is still connected', async () => {
    const { id } = await agent.start('sleep 100', { yield_time_ms: 250 });
    gateway.gateway.revoke('bot');
    const after = [await agent.call('write_stdin', { session_id: id }), await agent.start('true')];
    for (const { text } of after) expect(text).toContain('the token was revoked');
    expect(gateway.gateway.connectedWith('bot')).toBe(0);
  });

  it('[UE5] leaves no connection behind when its client disconnects, whatever call of the client is pending', async () => {
    const { id } = await agent.start('sleep 100', { yield_time_ms: 250 });
    const calls = [agent.call('write_stdin', { session_id: id }), agent.start('sleep 100')];
    agent.exec.close();
    await Promise.all(calls);
    await expect.poll(() => gateway.gateway.connectedWith('bot')).toBe(0);
  });

  it('[UE5] continues with the output printed while its client was away, once another client of the token connects', async () => {
    const { id, text } = await agent.start(`echo a; ${untilFile('b')}; echo b; ${untilFile('c')}; echo c`, {
      yield_time_ms: 2000,
    });
    expect(outputOf(text)).toBe('a\n');
    agent.exec.close();
    writeFileSync(file('b'), '');
    const ann = await person();
    await expect.poll(async () => (await rows(ann))[0]?.lastLine).toBe('b');
    writeFileSync(file('c'), '');
    const next = await gateway.client().call('write_stdin', { session_id: id, yield_time_ms: 20_000 });
    expect(outputOf(next.text)).toBe('b\nc\n');
    expect(next.text).toContain('Process exited with code 0');
  });

  it('[UE5] reports how much output is missing when more was printed while no client was connected than the gateway retains', async () => {
    const { id } = await agent.start(`${untilFile('go')}; seq 1 400000; ${untilFile('end')}`, {
      yield_time_ms: 250,
    });
    agent.exec.close();
    writeFileSync(file('go'), '');
    const ann = await person();
    await expect.poll(async () => (await rows(ann))[0]?.lastLine, { timeout: 20_000 }).toBe('400000');
    writeFileSync(file('end'), '');
    const { text } = await gateway.client().call('write_stdin', { session_id: id, max_output_tokens: 20 });
    const bytes = Buffer.byteLength(Array.from({ length: 400_000 }, (_, at) => `${at + 1}\n`).join(''));
    expect(text).toContain(`Original token count: ${Math.ceil(bytes / 4)}\n`);
    expect(text).toMatch(/bytes omitted/);
    expect(text).toMatch(/400000\n$/);
  }, 40_000);

  it('[UE3] loses no output to a call that was cancelled, and is not ended by it', async () => {
    const cancel = new AbortController();
    const { id } = await agent.start('echo a; sleep 100', { yield_time_ms: 1000 });
    writeFileSync(file('x'), '');
    const cancelled = agent.call(
      'write_stdin',
      { session_id: id, yield_time_ms: 30_000 },
      { signal: cancel.signal },
    );
    cancel.abort();
    expect(await cancelled).toMatchObject({ isError: true, text: 'write_stdin was cancelled' });
    const other = new AbortController();
    const start = agent.start(`echo b; sleep 100`, { yield_time_ms: 30_000 }, { signal: other.signal });
    const ann = await person();
    await expect.poll(async () => (await rows(ann)).map(({ lastLine }) => lastLine)).toContain('b');
    other.abort();
    expect((await start).text).toBe('exec_command was cancelled');
    const [, second = ''] = (await agent.call('list_sessions')).text.split('\n');
    const poll = await agent.call(
      'write_stdin',
      { session_id: Number(second.split(' ')[0]) },
      { budgetMs: 500 },
    );
    expect(outputOf(poll.text)).toBe('b\n');
    expect(poll.text).toContain('Process running');
  });

  it('[UE4] answers within the budget of the call, whatever is requested', async () => {
    const began = performance.now();
    const { id, text } = await agent.start('sleep 100', { yield_time_ms: 30_000 }, { budgetMs: 1000 });
    expect(text).toContain('Process running');
    const poll = (more: object): Promise<{ text: string }> =>
      agent.call('write_stdin', { session_id: id, ...more }, { budgetMs: 1000 });
    // The second call waits for the first, and has no time left for itself.
    const both = await Promise.all([poll({ yield_time_ms: 300_000 }), poll({ yield_time_ms: 300_000 })]);
    for (const answer of both) expect(answer.text).toContain(`Process running with session ID ${id}`);
    const [, { text: refusal }] = await Promise.all([
      poll({ yield_time_ms: 300_000 }),
      poll({ chars: '\u0003' }),
    ]);
    expect(refusal).toBe('write_stdin failed: another call is using this session; nothing was written');
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  it('[UE4] handles the writes of its calls one after another', async () => {
    const { id } = await agent.start('stty -echo; echo ready; cat', { tty: true, yield_time_ms: 2000 });
    const answers = await Promise.all(
      ['one', 'two', 'three'].map((word) =>
        agent.call('write_stdin', { session_id: id, chars: `${word}\n` }),
      ),
    );
    expect(answers.map(({ text }) => outputOf(text))).toEqual(['one\n', 'two\n', 'three\n']);
  });

  it('[UE1] shows a terminal as it was drawn, together with other output', async () => {
    const { text } = await agent.start(String.raw`printf 'load 10%%\rload 99%%\n\033[31mred\033[0m\tend\n'`, {
      tty: true,
    });
    expect(outputOf(text)).toBe('load 99%\nred\tend\n');
    const { meta } = await agent.call('exec_command', { cmd: 'echo a', login: false, tty: true });
    expect(meta).toMatchObject({ exit_code: 0, raw: 'a\r\n' });
  });

  it('[UE3] can be read again after its end, and from any byte, without consuming later output', async () => {
    const { id } = await agent.start(`seq 1 5; ${untilFile('go')}; echo end`, { yield_time_ms: 2000 });
    const read = async (more: object = {}): Promise<string> =>
      (await agent.call('read_output', { session_id: id, ...more })).text;
    expect(outputOf(await read())).toBe('1\n2\n3\n4\n5\n');
    expect(await read({ last_lines: 2 })).toContain('Bytes: 6 to 10\nOutput:\n4\n5\n');
    expect(await read({ last_lines: 2, after_bytes: 8 })).toContain('Bytes: 8 to 10\nOutput:\n5\n');
    expect(outputOf(await read({ last_lines: 9 }))).toBe('1\n2\n3\n4\n5\n');
    expect(await read({ last_lines: 0 })).toMatch(/Bytes: 10 to 10\nOutput:\n$/);
    expect(await read({ after_bytes: 6 })).toContain('Bytes: 6 to 10\nOutput:\n4\n5\n');
    expect(outputOf(await read({ after_bytes: 1000 }))).toBe('');
    writeFileSync(file('go'), '');
    const last = await agent.call('write_stdin', { session_id: id, yield_time_ms: 20_000 });
    expect(outputOf(last.text)).toBe('end\n');
    expect(await read()).toMatch(/^Process exited with code 0\n[\s\S]*5\nend\n$/);
  });

  it('[UE10] is ended with all of its processes, and returns its last output', async () => {
    const { id } = await agent.start('trap "echo bye; exit 3" TERM; sleep 100 & wait', {
      yield_time_ms: 1000,
    });
    const { text } = await agent.call('terminate', { session_id: id });
    expect(text).toContain('Process exited with code 3');
    expect(outputOf(text)).toBe('bye\n');
    expect((await agent.call('terminate', { session_id: id })).text).toBe(
      `terminate failed: Unknown process id ${id}`,
    );
  });

  it('[UE10] is killed after the grace period when it does not end, even while another call waits for its output', async () => {
    const { id } = await agent.start('trap "" TERM; echo on; while :; do sleep 0.1; done', {
      yield_time_ms: 1000,
    });
    const poll = agent.call('write_stdin', { session_id: id, yield_time_ms: 300_000 });
    const { text } = await agent.call('terminate', { session_id: id, grace_ms: 100 });
    expect(text).toContain('Process exited with code 137');
    expect((await poll).text).toContain('Process exited with code 137');
  });

  it('[UE8] reports in its next answer who has typed how much, and never what was typed', async () => {
    const { id } = await agent.start('stty -echo; cat > /dev/null', { tty: true, yield_time_ms: 1000 });
    const ann = await person();
    const [row] = await rows(ann);
    const type = (text: string, writeId: string): Promise<unknown> =>
      ann.request('process/write', { key: row?.key, chunk: Buffer.from(text).toString('base64'), writeId });
    await type('secret\r', 'a');
    const poll = (): Promise<{ text: string }> =>
      agent.call('write_stdin', { session_id: id }, { budgetMs: 300 });
    expect((await poll()).text).toContain('\nTyped by ann: 1 line\nOutput:\n');
    await type('a\rb\r', 'b');
    expect((await poll()).text).toContain('\nTyped by ann: 2 lines\nOutput:\n');
    await agent.call('write_stdin', { session_id: id, chars: 'mine\n' });
    expect((await poll()).text).not.toContain('Typed');
  });

  it('[UE8] reports who has ended it', async () => {
    const { id } = await agent.start('sleep 100', { yield_time_ms: 250 });
    const ann = await person();
    const [row] = await rows(ann);
    await ann.request('process/terminate', { key: row?.key });
    const { text } = await agent.call('write_stdin', { session_id: id });
    expect(text).toMatch(/Process exited with code 143\nOriginal token count: 0\nEnded by ann\nOutput:\n$/);
  });

  it('[UE8] reports that it is waiting for input', async () => {
    const { id } = await agent.start('printf "Password: "; exec cat', { tty: true, yield_time_ms: 250 });
    await expect
      .poll(async () => (await agent.call('write_stdin', { session_id: id }, { budgetMs: 200 })).text, {
        timeout: 20_000,
      })
      .toContain(`Process running with session ID ${id}\nWaiting for input\n`);
    expect((await agent.call('list_sessions')).text).toContain('waiting for input  tty');
  }, 30_000);

  it('needs a folder when the client has no default folder', async () => {
    const { text, isError } = await agent.call('exec_command', { cmd: 'pwd' }, { cwd: null });
    expect({ isError, names: text.includes('workdir') }).toEqual({ isError: true, names: true });
    const at = await agent.call('exec_command', { cmd: 'pwd', login: false, workdir: folder }, { cwd: null });
    expect(outputOf(at.text)).toBe(`${folder}\n`);
  });

  it('reports progress while a call waits for a long time', async () => {
    const reported: string[] = [];
    await agent.start(
      'echo compiling; sleep 100',
      { yield_time_ms: 11_000 },
      { progress: (text) => reported.push(text) },
    );
    expect(reported).toEqual(['compiling']);
  }, 30_000);
});

describe('sessions of one thread', () => {
  it('[UE6] are limited to 64: the least recently used live one is ended, and the answer reports that', async () => {
    const first = await agent.start('sleep 100', { yield_time_ms: 250 });
    const second = await agent.start('sleep 100', { yield_time_ms: 250 });
    const others = await Promise.all(
      Array.from({ length: 62 }, () => agent.start('sleep 100', { yield_time_ms: 250 })),
    );
    expect(others.every(({ text }) => !text.includes('make room'))).toBe(true);
    await agent.call('write_stdin', { session_id: first.id }, { budgetMs: 100 });
    const elsewhere = await gateway.client({ thread: 'another' }).start('sleep 100', { yield_time_ms: 250 });
    expect(elsewhere.text).not.toContain('make room');
    const { text } = await agent.start('sleep 100', { yield_time_ms: 250 });
    expect(text).toContain(`\nEnded to make room (limit: 64 sessions): session ${second.id}\nOutput:\n`);
    expect((await agent.call('write_stdin', { session_id: second.id })).text).toContain('Unknown process id');
    const ann = await person();
    const row = (await rows(ann)).find(({ processId }) => processId === String(second.id));
    await expect
      .poll(async () => (await rows(ann)).find(({ key }) => key === row?.key))
      .toMatchObject({ exitCode: 143, endedBy: { who: 'bot' } });
  }, 60_000);
});

describe('[UE2] the list of sessions', () => {
  it('has all running sessions of the token, and ended ones only of its own thread', async () => {
    await agent.start('echo ended');
    const { id } = await agent.start('sleep 100', { yield_time_ms: 250 });
    expect((await agent.call('list_sessions')).text).toMatch(/exited 0[\s\S]*running/);
    const again = gateway.client({ cwd: folder });
    expect((await again.call('list_sessions')).text).toContain('echo ended');
    for (const thread of ['other', null]) {
      const other = gateway.client({ cwd: folder, thread });
      const { text } = await other.call('list_sessions');
      expect(text).not.toContain('echo ended');
      expect(text).toContain(`${id}  running`);
    }
  });
});

describe('[HE2] an outage of the service behind an agent', () => {
  it('is reported in one answer, and again when it has changed', async () => {
    let outages: readonly string[] = ['Codex has a major outage'];
    const started: string[] = [];
    const statusPages = { started: (agent: string) => void started.push(agent), warnings: () => outages };
    const warned = new UnifiedGateway({}, { statusPages });
    try {
      const agent = warned.client();
      expect((await agent.start('true')).text).toContain('\nCodex has a major outage\nOutput:\n');
      expect((await agent.start('true')).text).not.toContain('outage');
      outages = ['Codex has degraded performance'];
      expect((await agent.start('true')).text).toContain('\nCodex has degraded performance\nOutput:\n');
      expect(started).toEqual(['bot', 'bot', 'bot']);
    } finally {
      await warned.close();
    }
  });
});
