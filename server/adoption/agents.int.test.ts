// Tests that agents with unified exec over MCP continue their sessions after their gateway is killed. Uses the
// built programs.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Approval } from '../../protocol/approvals.ts';
import { runFolder } from '../keeper/wire/place.ts';
import { sharedMain, sharedProduct } from '../testing/command-line.ts';
import { KeeperGateway } from '../testing/keeper-gateway.ts';
import { hello, rpc } from '../testing/mcp-visits.ts';

const gateways: KeeperGateway[] = [];
afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway.stop();
});

interface Result {
  readonly text: string;
  readonly id: number;
  readonly output: string;
}

/** An agent that connects to the current gateway, with its token, for each call. */
class Agent {
  readonly #gateway: KeeperGateway;
  readonly #token: string;
  #session = '';
  #calls = 0;

  private constructor(gateway: KeeperGateway, token: string) {
    this.#gateway = gateway;
    this.#token = token;
  }

  static async start(flags: readonly string[] = []): Promise<{ agent: Agent; gateway: KeeperGateway }> {
    const gateway = await KeeperGateway.start(flags, sharedMain());
    gateways.push(gateway);
    const main = join(sharedProduct(), 'dist/server/main.js');
    const words = [main, 'token', 'create', 'bot', '--role', 'agent', '--state-dir', gateway.stateDir];
    const token =
      execFileSync(process.execPath, words, { encoding: 'utf8' }).trim().split(/\s+/).at(-1) ?? '';
    const agent = new Agent(gateway, token);
    const response = await agent.#post(hello('test-agent'));
    agent.#session = response.headers.get('mcp-session-id') ?? '';
    return { agent, gateway };
  }

  get session(): string {
    return this.#session;
  }

  async call(name: string, args: object): Promise<Result> {
    this.#calls += 1;
    const response = await this.#post(rpc(this.#calls, 'tools/call', { name, arguments: args }));
    const body = await response.text();
    const data = /^data: (.*)$/m.exec(body)?.[1] ?? body;
    const answer = JSON.parse(data) as { result?: { content: { text: string }[] }; error?: object };
    const text = answer.result?.content[0]?.text ?? JSON.stringify(answer.error);
    const [, output = ''] = text.split('Output:\n');
    return { text, id: Number(/session ID (\d+)/.exec(text)?.[1] ?? 0), output };
  }

  /** Resolves when the gateway has noted its last reply, whose output the next gateway would otherwise send again. */
  async settled(): Promise<void> {
    await this.call('list_sessions', {});
  }

  #post(body: object): Promise<Response> {
    return fetch(`${this.#gateway.url.replace('ws:', 'http:')}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${this.#token}`,
        ...(this.#session !== '' && { 'mcp-session-id': this.#session }),
      },
      body: JSON.stringify(body),
    });
  }
}

const NUMBERS = `perl -e '$| = 1; for (1..400) { print "line $_\\n"; select undef, undef, undef, 0.02 } exit 7'`;
const run = (cmd: string, more: object = {}): object => ({ cmd, workdir: '/tmp', login: false, ...more });

describe('An agent whose gateway is killed', () => {
  it('[KP15] continues its session: it gets all output once, and the exit code', async () => {
    const { agent, gateway } = await Agent.start();
    const first = await agent.call('exec_command', run(NUMBERS, { yield_time_ms: 700 }));
    let output = first.output;
    let last = first;
    for (let kill = 0; kill < 2; kill += 1) {
      last = await agent.call('write_stdin', { session_id: first.id, chars: '', yield_time_ms: 5000 });
      output += last.output;
      if (last.id === 0) break;
      await agent.settled();
      await gateway.end('SIGKILL');
      await gateway.startAgain();
    }
    for (let calls = 0; last.id !== 0 && calls < 10; calls += 1) {
      last = await agent.call('write_stdin', { session_id: first.id, chars: '', yield_time_ms: 5000 });
      output += last.output;
    }
    expect(last.text).toContain('Process exited with code 7');
    expect(output).toBe(Array.from({ length: 400 }, (_, line) => `line ${line + 1}\n`).join(''));
  });

  it('[KP15] types into its session at the next gateway, and lists it', async () => {
    const { agent, gateway } = await Agent.start();
    const script = 'stty -echo; while read x; do echo "got $x"; done';
    const { id } = await agent.call('exec_command', run(script, { tty: true, yield_time_ms: 500 }));
    const before = await agent.call('write_stdin', { session_id: id, chars: 'one\n', yield_time_ms: 1000 });
    expect(before.output).toContain('got one');
    await agent.settled();
    await gateway.end('SIGKILL');
    await gateway.startAgain();
    expect((await agent.call('list_sessions', {})).text).toContain(String(id));
    const after = await agent.call('write_stdin', { session_id: id, chars: 'two\n', yield_time_ms: 1000 });
    expect(after.output).toContain('got two');
    expect(after.output).not.toContain('got one');
  });

  it('[KP15] reads the rest of the output of a process that ended without a gateway', async () => {
    const { agent, gateway } = await Agent.start();
    const { id, output } = await agent.call(
      'exec_command',
      run('echo begun; sleep 1.5; echo done; exit 3', { yield_time_ms: 300 }),
    );
    expect(output).toBe('begun\n');
    await agent.settled();
    await gateway.end('SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await gateway.startAgain();
    const end = await agent.call('write_stdin', { session_id: id, chars: '' });
    expect(end.text).toContain('Process exited with code 3');
    expect(end.output).toBe('done\n');
  });

  it('[KP15][KP9] has its waiting start shown for approval again, and started once when a person approves', async () => {
    const { agent, gateway } = await Agent.start(['--approvals', 'always']);
    const asked = agent
      .call('exec_command', run('echo approved-run', { yield_time_ms: 500 }))
      .catch(() => null);
    const client = await gateway.client();
    const waiting = async (at = client): Promise<readonly Approval[]> => {
      const { approvals } = await at.request('console/watch', {});
      return approvals as readonly Approval[];
    };
    await expect.poll(async () => (await waiting()).length).toBe(1);
    const notes = (): string => readFileSync(join(runFolder(gateway.stateDir), 'agents.jsonl'), 'utf8');
    await expect.poll(notes).toContain('"start"');
    await gateway.end('SIGKILL');
    await asked;
    await gateway.startAgain();
    const person = await gateway.client();
    await expect.poll(async () => (await waiting(person)).length).toBe(1);
    const [approval] = await waiting(person);
    const listed = (await agent.call('list_sessions', {})).text;
    expect(listed).toContain('waiting for approval');
    await person.request('console/decide', { id: approval?.id, decision: 'accept' });
    const id = Number(/^\d+/.exec(listed)?.[0]);
    const end = await agent.call('write_stdin', { session_id: id, chars: '' });
    expect(end.text).toContain('Process exited with code 0');
    expect(end.output).toBe('approved-run\n');
    expect(await waiting(person)).toEqual([]);
    const files = readdirSync(runFolder(gateway.stateDir), { recursive: true, withFileTypes: true });
    const all = files
      .filter((each) => each.isFile())
      .map((each) => readFileSync(join(each.parentPath, each.name), 'latin1'))
      .join('');
    for (const secret of [agent.session, 'CODEX_CI', 'GIT_PAGER'])
      expect(all.includes(secret), secret).toBe(false);
  });
});
