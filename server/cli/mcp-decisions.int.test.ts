// Decisions about requests of MCP agents, in the console, and in the agent's client if its token allows that:
// rules MC11 and MC12.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Approval } from '../../protocol/approvals.ts';
import { Tokens } from '../policy/tokens.ts';
import { CommandLine } from '../testing/command-line.ts';

let line: CommandLine;
let clients: Client[];
beforeEach(() => {
  clients = [];
});
afterEach(async () => {
  for (const client of clients) await client.close();
  await line.stop();
});

/** Messages of the forms that the client was asked to show. */
let shown: string[] = [];

async function agent(
  name: string,
  {
    mayElicit = false,
    token = new Tokens(line.stateDir).create({ name: 'bot', role: 'agent', ttlMs: null, mayElicit }).token,
    chosen,
  }: {
    readonly mayElicit?: boolean;
    readonly token?: string;
    readonly chosen?: () => Promise<ElicitResult>;
  } = {},
): Promise<Client> {
  const url = new URL(line.url.replace('ws:', 'http:'));
  [url.search, url.pathname] = ['', '/mcp'];
  const headers = { authorization: `Bearer ${token}` };
  const client = new Client(
    { name, version: '1' },
    { capabilities: chosen ? { elicitation: { form: {} } } : {} },
  );
  if (chosen)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      shown.push(params.message);
      return chosen();
    });
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } });
  await client.connect(transport);
  clients.push(client);
  return client;
}

async function call(client: Client, name: string, args: object, signal?: AbortSignal): Promise<string> {
  const params = { name, arguments: { ...args } };
  const { content } = (await client.callTool(params, undefined, signal ? { signal } : {})) as {
    content: { text: string }[];
  };
  return content[0]?.text ?? '';
}

const waiting = (): Promise<Approval> =>
  vi.waitFor(async () => {
    const [approval, ...more] = await line.approvals();
    if (!approval || more.length > 0) throw new Error('not one request waits');
    return approval;
  }, 20_000);

describe('the tool approve of headless Claude Code', () => {
  const bash = { tool_name: 'Bash', input: { command: 'make', description: 'd' }, tool_use_id: 'tu-1' };
  beforeEach(async () => {
    line = await CommandLine.start();
  });

  it('[MC11] shows everything that is approved, and refuses input that is too long to read', async () => {
    const claude = await agent('claude-code');
    const input = { command: 'make', timeout: 1000, dangerouslyDisableSandbox: true };
    const asked = call(claude, 'approve', { tool_name: 'Bash', input });
    const { id, details } = await waiting();
    expect(details).toBe('dangerouslyDisableSandbox: true');
    await line.outcome(['approve', id]);
    expect(JSON.parse(await asked)).toEqual({ behavior: 'allow', updatedInput: input });
    const long = { content: 'lorem ipsum '.repeat(5500), file_path: '/srv/authorized_keys' };
    const { behavior, message } = JSON.parse(
      await call(claude, 'approve', { tool_name: 'Write', input: long }),
    ) as { behavior: string; message: string };
    expect(behavior).toBe('deny');
    expect(message).toContain('input must have at most 65,536 characters, so that a person can read it');
  });

  it('[MC11] requests approval in the console under every policy, and returns the decision', async () => {
    const claude = await agent('claude-code');
    const allowed = call(claude, 'approve', bash);
    const first = await waiting();
    expect(first).toMatchObject({ kind: 'tool', startedBy: 'bot', metadata: { toolCallId: 'tu-1' } });
    expect(first.argv.at(-1)).toBe('make');
    await line.outcome(['approve', first.id]);
    expect(JSON.parse(await allowed)).toEqual({ behavior: 'allow', updatedInput: bash.input });

    const denied = call(claude, 'approve', { tool_name: 'Edit', input: { file: '/etc/passwd' } });
    const second = await waiting();
    expect(second.details).toContain('/etc/passwd');
    await line.outcome(['decline', '--message', 'not that one', second.id]);
    expect(JSON.parse(await denied)).toEqual({
      behavior: 'deny',
      message: expect.stringContaining('not that one') as string,
    });
  });

  it('[MC11] is withdrawn when its call is cancelled', async () => {
    const claude = await agent('claude-code');
    const cancel = new AbortController();
    const asked = call(claude, 'approve', bash, cancel.signal);
    const { id } = await waiting();
    cancel.abort();
    await expect(asked).rejects.toThrow();
    await expect.poll(() => line.approvals()).toHaveLength(0);
    expect((await line.approvals(true)).find((each) => each.id === id)?.state).toBe('withdrawn');
  });

  it('[MC11] is offered only to Claude Code', async () => {
    const names = async (name: string): Promise<string[]> =>
      (await (await agent(name)).listTools()).tools.map((tool) => tool.name);
    expect(await names('claude-code')).toContain('approve');
    expect(await names('codex-mcp-client')).not.toContain('approve');
  });
});

describe('a form in the client of the agent', () => {
  const run = { cmd: 'echo ran', login: false, workdir: '/tmp', yield_time_ms: 1000 };
  const fill = (decision: string) => () =>
    Promise.resolve<ElicitResult>({ action: 'accept', content: { decision } });
  beforeEach(async () => {
    shown = [];
    line = await CommandLine.start({ flags: ['--approvals', 'always'] });
  });

  it('[MC12] decides once about a request of a token that was created with --may-elicit', async () => {
    const created = await line.outcome(['token', 'create', 'bot', '--role', 'agent', '--may-elicit']);
    const client = await agent('sdk', {
      token: created.stdout.toString().trim(),
      chosen: fill('Approve once'),
    });
    expect(await call(client, 'exec_command', run)).toContain('Output:\nran');
    expect(await call(client, 'exec_command', run)).toContain('Output:\nran');
    expect(shown).toHaveLength(2);
    expect(shown[0]).toContain('echo ran');
    expect((await line.approvals(true)).map(({ state, decidedBy }) => [state, decidedBy])).toEqual([
      ['accepted', 'bot (in its client)'],
      ['accepted', 'bot (in its client)'],
    ]);
  });

  it('[MC12] decides nothing while a pause holds the request', async () => {
    let choose: (result: ElicitResult) => void = () => {};
    const chosen = new Promise<ElicitResult>((resolve) => (choose = resolve));
    const client = await agent('sdk', { mayElicit: true, chosen: () => chosen });
    const answer = call(client, 'exec_command', run);
    const { id } = await waiting();
    await expect.poll(() => shown.length).toBe(1);
    await line.outcome(['pause']);
    choose({ action: 'accept', content: { decision: 'Approve once' } });
    // The gateway answers this request only after it has processed the choice.
    await client.listTools();
    expect(await line.approvals()).toMatchObject([{ id, state: 'waiting' }]);
    await line.outcome(['approve', id]);
    expect(await answer).toContain('ran');
  });

  it('[MC12] [SC5] is in the audit log, with secrets of the command masked', async () => {
    const client = await agent('sdk', { mayElicit: true, chosen: fill('Approve once') });
    const secret = `ghp_${'aB3'.repeat(12)}`;
    expect(await call(client, 'exec_command', { ...run, cmd: `echo ran ${secret}` })).toContain('ran');
    const audit = readFileSync(join(line.stateDir, 'audit.jsonl'), 'utf8');
    expect(audit).toContain('bot (in its client)');
    expect(audit).not.toContain(secret);
  });

  it('[MC12] declines a request in the same way', async () => {
    const client = await agent('sdk', { mayElicit: true, chosen: fill('Decline') });
    expect(await call(client, 'exec_command', run)).toContain('rejected by user');
    expect((await line.approvals(true))[0]).toMatchObject({
      state: 'declined',
      decidedBy: 'bot (in its client)',
    });
  });

  it.each([
    ['that declines by itself', { action: 'decline' }],
    ['that cancels by itself', { action: 'cancel' }],
    ['that fills in something else', { action: 'accept', content: { decision: 'yes' } }],
  ] as const)('[MC12] decides nothing at a client %s', async (_which, result) => {
    const client = await agent('sdk', {
      mayElicit: true,
      chosen: () => Promise.resolve(result as unknown as ElicitResult),
    });
    const answer = call(client, 'exec_command', run);
    const { id } = await waiting();
    await expect.poll(() => shown.length).toBe(1);
    await line.outcome(['approve', id]);
    expect(await answer).toContain('Output:\nran');
    expect((await line.approvals(true))[0]?.decidedBy).toBe('cli');
  });

  it('[MC12] is not shown for other tokens', async () => {
    const client = await agent('sdk', { chosen: fill('Approve once') });
    const answer = call(client, 'exec_command', run);
    const { id } = await waiting();
    await line.outcome(['approve', id]);
    expect(await answer).toContain('Output:\nran');
    expect(shown).toEqual([]);
  });

  it('[MC12] is not shown for a paused agent', async () => {
    const client = await agent('sdk', { mayElicit: true, chosen: fill('Approve once') });
    await line.outcome(['pause']);
    const answer = call(client, 'exec_command', run);
    const { id } = await waiting();
    await line.outcome(['approve', id]);
    expect(await answer).toContain('Output:\nran');
    expect(shown).toEqual([]);
  });
});

it('[MC12] --may-elicit is only for tokens of agents', async () => {
  line = await CommandLine.start();
  const { code, stderr } = await line.outcome(['token', 'create', 'x', '--role', 'operator', '--may-elicit']);
  expect(stderr).toContain('--may-elicit needs --role agent');
  expect(code).toBe(2);
});
