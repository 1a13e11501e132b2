// A gateway in the test's own process, and clients of its unified exec.
import { tmpdir } from 'node:os';
import { DEFAULT_LIMITS, type Limits } from '../config.ts';
import { Gateway, type GatewayOptions } from '../gateway.ts';
import { Sandboxes } from '../host/sandbox/sandboxes.ts';
import type { Identity } from '../policy/identity.ts';
import { homeOfTest } from './keeper-tests.ts';
import type { Answer } from '../unified/answer.ts';
import type { Call } from '../unified/attention.ts';
import type { UnifiedClient } from '../unified/client.ts';
import type { UnifiedExec } from '../unified/unified-exec.ts';

type Tool = 'exec_command' | 'write_stdin' | 'list_sessions' | 'read_output' | 'terminate';

export class UnifiedGateway {
  readonly gateway: Gateway;

  constructor(given: Partial<Limits> = {}, more: Partial<GatewayOptions> = {}) {
    const limits = { ...DEFAULT_LIMITS, shutdownGraceMs: 0, ...given };
    this.gateway = new Gateway({
      limits,
      version: 'test',
      sandboxes: new Sandboxes({ stateDir: '/nowhere', floor: 'none', user: null }),
      user: null,
      auditPath: null,
      access: null,
      log: () => {},
      home: homeOfTest(limits),
      ...more,
    });
  }

  client(more: { readonly cwd?: string; readonly token?: string } & Partial<UnifiedClient> = {}): TestExec {
    const { cwd = tmpdir(), token = 'bot', ...client } = more;
    const identity: Identity = { tokenId: token, name: token, role: 'agent', expiresAtMs: null };
    const exec = this.gateway.unified.enter(identity, {
      name: 'agent',
      version: '1',
      thread: 't',
      ...client,
    });
    return new TestExec(exec, cwd);
  }

  async close(): Promise<void> {
    await this.gateway.close();
  }
}

export class TestExec {
  readonly exec: UnifiedExec;
  readonly #cwd: string;
  #calls = 0;

  constructor(exec: UnifiedExec, cwd: string) {
    this.exec = exec;
    this.#cwd = cwd;
  }

  call(tool: Tool, args: object = {}, more: Partial<Call> = {}): Promise<Answer> {
    this.#calls += 1;
    const call: Call = {
      callId: `call-${this.#calls}`,
      cwd: this.#cwd,
      budgetMs: 60_000,
      signal: new AbortController().signal,
      ...more,
    };
    switch (tool) {
      case 'exec_command':
        return this.exec.execCommand(args, call);
      case 'write_stdin':
        return this.exec.writeStdin(args, call);
      case 'list_sessions':
        return this.exec.listSessions();
      case 'read_output':
        return this.exec.readOutput(args);
      case 'terminate':
        return this.exec.terminate(args, call);
    }
  }

  /**
   * Starts a command without a login shell; resolves with the text of the answer and its session ID, which is 0 when
   * there is none.
   */
  async start(
    cmd: string,
    args: object = {},
    more: Partial<Call> = {},
  ): Promise<{ text: string; id: number }> {
    const { text } = await this.call('exec_command', { cmd, login: false, ...args }, more);
    return { text, id: Number(/session ID (\d+)/.exec(text)?.[1] ?? 0) };
  }
}
