// The MCP SDK's client against the built gateway, over stdio and over HTTP: rules MC5, MC6 and MC8 to MC10.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProcessInfo } from '../../protocol/console.ts';
import { CommandLine } from '../testing/command-line.ts';

let line: CommandLine;
let folder: string;
const clients: Client[] = [];
beforeAll(async () => {
  line = await CommandLine.start();
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-root-')));
});
afterAll(async () => {
  for (const client of clients) await client.close();
  await line.stop();
  rmSync(folder, { recursive: true });
});

async function connected(transport: StdioClientTransport | StreamableHTTPClientTransport): Promise<Client> {
  const client = new Client({ name: 'sdk', version: '4.5' }, { capabilities: { roots: {} } });
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: pathToFileURL(folder).href }] }));
  await client.connect(transport);
  clients.push(client);
  return client;
}

const overStdio = (): Promise<Client> => {
  const [command = '', ...args] = line.argv(['mcp']);
  return connected(
    new StdioClientTransport({
      command,
      args,
      env: { ...line.env, AGENTS_SECRET: 'hunter2' },
      stderr: 'inherit',
    }),
  );
};

async function overHttp(): Promise<Client> {
  const { stdout } = await line.outcome(['token', 'create', 'remote', '--role', 'agent']);
  const url = new URL(line.url.replace('ws:', 'http:'));
  [url.search, url.pathname] = ['', '/mcp'];
  const headers = { authorization: `Bearer ${stdout.toString().trim()}` };
  return connected(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
}

async function call(
  client: Client,
  name: string,
  args: object,
  more: { readonly meta?: object; readonly signal?: AbortSignal } = {},
): Promise<{ readonly text: string; readonly key: string }> {
  const params = { name, arguments: { ...args }, ...(more.meta && { _meta: { ...more.meta } }) };
  const result = await client.callTool(params, undefined, more.signal ? { signal: more.signal } : {});
  const { content, _meta: meta } = result as {
    content: { text: string }[];
    _meta: Record<string, unknown>;
  };
  return { text: content[0]?.text ?? '', key: String(meta['exec-console/key']) };
}

/** Arguments of a command without a login shell, since starting one takes seconds on some machines. */
const run = (cmd: string, more: object = {}): object => ({ cmd, login: false, ...more });

const processOf = async (key: string): Promise<ProcessInfo | undefined> =>
  (await line.processes()).find((each) => each.key === key);

describe.each([
  ['stdio', overStdio, 'sdk'],
  ['HTTP', overHttp, 'remote'],
] as const)('an agent over %s', (_door, connect, name) => {
  let client: Client;
  beforeAll(async () => {
    client = await connect();
  });

  it('[MC6] [MC8] runs a command in its folder, shown in the console as a process of that agent', async () => {
    const meta = { threadId: 'th-1', callId: 'call-1' };
    const { text, key } = await call(client, 'exec_command', run('pwd; exit 3'), { meta });
    expect(text).toMatch(
      /^Chunk ID: [0-9a-f]{6}\nWall time: \d+\.\d{4} seconds\nProcess exited with code 3\nOriginal token count: \d+\nOutput:\n/,
    );
    expect(text).toContain(`Output:\n${folder}\n`);
    expect(await processOf(key)).toMatchObject({
      startedBy: name,
      cwd: folder,
      exitCode: 3,
      metadata: { threadId: 'th-1', toolCallId: 'call-1', agentVersion: '4.5' },
    });
  });

  it('continues a command that still runs, and ends it', async () => {
    const started = await call(
      client,
      'exec_command',
      run('read x; echo got $x; exec sleep 300', {
        tty: true,
        yield_time_ms: 250,
      }),
    );
    const [, id] = /session ID (\d+)/.exec(started.text) ?? [];
    const session = { session_id: Number(id) };
    const typed = await call(client, 'write_stdin', { ...session, chars: 'tea\n', yield_time_ms: 1000 });
    expect(typed.text).toContain('got tea');
    expect((await call(client, 'list_sessions', {})).text).toContain(`${id}  running`);
    expect((await call(client, 'terminate', session)).text).toContain('Process exited with code 143');
    expect((await processOf(started.key))?.endedBy?.who).toBe(name);
  });

  it('[MC5] cancels a call, and its command keeps running', async () => {
    const cancel = new AbortController();
    const label = `cancelled-${name}`;
    const cancelled = call(client, 'exec_command', run(`: ${label}; exec sleep 300`), {
      signal: cancel.signal,
    });
    const running = async (): Promise<boolean> =>
      (await line.processes()).some(
        (each) => each.argv.join(' ').includes(label) && each.state === 'running',
      );
    await expect.poll(running).toBe(true);
    cancel.abort();
    await expect(cancelled).rejects.toThrow();
    expect((await call(client, 'list_sessions', {})).text).toContain(label);
    expect(await running()).toBe(true);
  });

  it('[MC10] passes no environment of the agent to commands', async () => {
    expect((await call(client, 'exec_command', run('env'))).text).not.toContain('hunter2');
  });
});

it('[MC9] hides the sessions of one agent from others', async () => {
  const [one, other] = [await overStdio(), await overHttp()];
  const { text } = await call(one, 'exec_command', run('exec sleep 300', { yield_time_ms: 250 }));
  const [, id] = /session ID (\d+)/.exec(text) ?? [];
  for (const tool of ['write_stdin', 'read_output', 'terminate'])
    expect((await call(other, tool, { session_id: Number(id) })).text).toBe(
      `${tool} failed: Unknown process id ${id}`,
    );
  expect((await call(other, 'list_sessions', {})).text).not.toContain(String(id));
});
