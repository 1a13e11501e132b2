// exec-console mcp as an agent starts it; the gateway is running, missing or started later: rules MC1 and MC10.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CommandLine } from '../testing/command-line.ts';

interface Answered {
  readonly id?: number | string | null;
  readonly result?: {
    readonly protocolVersion?: string;
    readonly tools?: readonly { readonly name: string }[];
    readonly content?: readonly { readonly text: string }[];
    readonly isError?: boolean;
  };
  readonly error?: { readonly code: number; readonly message: string };
}

class Agent {
  readonly child: ChildProcess;
  readonly #lines: Interface;
  readonly #answers = new Map<unknown, (answer: Answered) => void>();
  readonly replies: Answered[] = [];
  #made = 0;

  constructor(argv: readonly string[], env: Readonly<Record<string, string>>) {
    const [command = '', ...args] = argv;
    this.child = spawn(command, args, { stdio: 'pipe', env });
    const { stdout } = this.child;
    if (!stdout) throw new Error('invariant violation: no pipes');
    this.#lines = createInterface(stdout);
    this.#lines.on('line', (line) => {
      const answer = JSON.parse(line) as Answered;
      this.replies.push(answer);
      this.#answers.get(answer.id)?.(answer);
    });
  }

  send(message: object | string): void {
    const text = typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message });
    this.child.stdin?.write(`${text}\n`);
  }

  ask(method: string, params: object = {}): Promise<Answered> {
    this.#made += 1;
    const id = this.#made;
    const answer = new Promise<Answered>((resolve) => this.#answers.set(id, resolve));
    this.send({ id, method, params });
    return answer;
  }

  begin(name = 'claude-code'): Promise<Answered> {
    return this.ask('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name, version: '1' },
    });
  }

  async call(name: string, args: object = {}): Promise<string> {
    const { result } = await this.ask('tools/call', { name, arguments: args });
    return result?.content?.[0]?.text ?? '';
  }
}

let line: CommandLine;
let agents: Agent[];
beforeEach(async () => {
  agents = [];
  line = await CommandLine.start();
});
afterEach(async () => {
  for (const { child } of agents) child.kill('SIGKILL');
  await line.stop();
});

function agent(flags: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Agent {
  const started = new Agent(line.argv(['mcp', ...flags]), { ...line.env, ...env });
  agents.push(started);
  return started;
}

const tokens = async (): Promise<{ id: string; name: string; role: string }[]> =>
  JSON.parse((await line.outcome(['token', 'list', '--json'])).stdout.toString()) as [];

async function stopGateway(): Promise<void> {
  line.gateway.kill('SIGTERM');
  await once(line.gateway, 'exit');
}

describe('exec-console mcp', () => {
  it('[MC10] relays messages, with one token that is created for the agent', async () => {
    const first = agent();
    expect((await first.begin()).result?.protocolVersion).toBe('2025-06-18');
    expect((await first.ask('tools/list')).result?.tools?.map(({ name }) => name)).toContain('exec_command');
    await agent().begin();
    await agent(['--agent', 'reviewer']).begin();
    await agent().begin('codex-mcp-client');
    await agent().begin('cli');
    // The gateway itself has created the token `agent`, for the command that it prints.
    const made = (await tokens()).filter(({ name }) => name !== 'agent');
    expect(made.map(({ name, role }) => `${name} ${role}`).toSorted()).toEqual([
      'claude agent',
      'codex agent',
      'reviewer agent',
    ]);
  });

  it("[MC10] runs commands in the agent's folder on the gateway of --state-dir, whatever EXEC_CONSOLE_URL names", async () => {
    const one = agent(['--state-dir', line.stateDir], {
      EXEC_CONSOLE_URL: 'ws://127.0.0.1:1',
      CLAUDE_PROJECT_DIR: line.stateDir,
    });
    await one.begin();
    expect(await one.call('exec_command', { cmd: 'pwd' })).toContain(`\n${line.stateDir}\n`);
  });

  it('[MC10] answers each call with instructions while no gateway is running, and uses one that is started later', async () => {
    await stopGateway();
    const early = agent();
    expect((await early.begin()).result?.protocolVersion).toBe('2025-06-18');
    early.send({ method: 'notifications/initialized' });
    expect((await early.ask('tools/list')).result?.tools).toHaveLength(6);
    const call = await early.ask('tools/call', { name: 'list_sessions', arguments: {} });
    expect(call.result?.isError).toBe(true);
    expect(call.result?.content?.[0]?.text).toContain('no gateway is running; start one with: exec-console');
    const later = line.spawn(['--port', '0']);
    if (!later.stdout) throw new Error('invariant violation: no stdout');
    await once(createInterface(later.stdout), 'line');
    expect(await early.call('list_sessions')).not.toContain('gateway');
    later.kill('SIGTERM');
    await once(later, 'exit');
    expect(await early.call('list_sessions')).toContain('no gateway is running');
  });

  it('[MC10] answers while the gateway hangs, and uses it when it continues', async () => {
    const one = agent();
    line.gateway.kill('SIGSTOP');
    const [begun, ps] = await Promise.all([one.begin(), line.outcome(['ps'])]);
    line.gateway.kill('SIGCONT');
    expect(begun.result?.protocolVersion).toBe('2025-06-18');
    expect([ps.code, ps.stderr]).toEqual([3, expect.stringContaining('has not answered for 10 s')]);
    expect(await one.call('exec_command', { cmd: 'echo after', login: false })).toContain('after');
  });

  it('[MC10] never connects an agent whose token was revoked', async () => {
    const revoked = agent();
    await revoked.begin();
    const [claude] = (await tokens()).filter(({ name }) => name === 'claude');
    await line.outcome(['token', 'revoke', claude?.id ?? '']);
    const why = 'the token of the agent claude was revoked';
    // A running gateway detects a revocation within a second.
    await expect.poll(() => revoked.call('list_sessions')).toContain(why);
    expect(await revoked.call('list_sessions')).toContain(why);
    const again = agent();
    await again.begin();
    expect(await again.call('list_sessions')).toContain(why);
  });

  it('[MC1] answers server/discover, which Claude Code sends first, without a gateway', async () => {
    expect((await agent().ask('server/discover')).error?.code).toBe(-32601);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('[MC10] ends by itself on %s, without waiting for its calls', async (signal, code) => {
    const idle = agent();
    await idle.begin();
    void idle.call('exec_command', { cmd: 'sleep 60' });
    const exit = once(idle.child, 'exit');
    idle.child.kill(signal);
    expect(await exit).toEqual([code, null]);
  });

  it('[MC10] answers messages sent before the end of its stdin, and then ends', async () => {
    const brief = agent();
    brief.send({ id: 'd', method: 'server/discover' });
    const exit = once(brief.child, 'exit');
    brief.child.stdin?.end();
    expect(await exit).toEqual([0, null]);
    expect(brief.replies).toEqual([expect.objectContaining({ id: 'd' })]);
  });

  it.each([
    ['{', -32700],
    ['7', -32600],
    [`"${'x'.repeat(1024 * 1024)}"`, -32600],
    ['{"jsonrpc":"2.0","id":"x","method":"initialize","params":{}}', -32602],
  ])('answers the line %.60s with an error, and continues', async (text, code) => {
    const wrong = agent();
    wrong.send(text);
    expect((await wrong.begin()).result).toBeDefined();
    expect(wrong.replies[0]?.error?.code).toBe(code);
  });

  it.each([
    [['--budget', '0'], '--budget 0: expected a whole number of seconds from 1 to 86400'],
    [['--agent', 'cli'], '--agent: the name cli is reserved for the gateway'],
    [['--url', 'ws://127.0.0.1:1'], 'needs a token'],
  ])('refuses the flags %j', async (flags, why) => {
    const { code, stderr } = await line.outcome(['mcp', ...flags]);
    expect(stderr).toContain(why);
    expect(code).toBe(2);
  });
});
