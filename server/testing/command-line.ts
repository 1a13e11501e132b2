// The built command: a gateway started by it, and commands that people type.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buffer, text } from 'node:stream/consumers';
import { inject } from 'vitest';
import { findLocalGateway, type LocalGateway } from '../policy/local-gateway.ts';
import type { Approval, ApprovalsResult } from '../../protocol/approvals.ts';
import type { ProcessInfo } from '../../protocol/console.ts';
import type { Size } from '../../protocol/scalars.ts';
import { noKeeperLeft } from './left-keeper.ts';
import { PATH, TERMINAL, specOf, startChild, type TestChild } from './test-child.ts';
import { TestClient } from './test-client.ts';

/** Returns the folder of this test run's build, which tests must not change. */
export const sharedProduct = (): string => inject('builtProduct');

export const sharedMain = (): string => join(sharedProduct(), 'dist/server/main.js');

export interface Outcome {
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Parses the output of a command with `--json`, one value per line. */
export const lines = (stdout: Buffer): unknown[] =>
  stdout
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((text) => JSON.parse(text) as unknown);

/** Resolves when a line of the stream contains `text`, or at the end of the stream. */
export async function untilPrinted(stream: NodeJS.ReadableStream | null, text: string): Promise<void> {
  if (!stream) throw new Error('invariant violation: no pipe');
  for await (const each of createInterface(stream)) if (each.includes(text)) return;
}

export interface StartOptions {
  readonly flags?: readonly string[];
  /**
   * Returns the words before the gateway's command line, such as `unshare -m`; `stateDir` is its private state folder.
   */
  readonly inside?: (stateDir: string) => readonly string[];
}

type Env = Readonly<Record<string, string>>;

export class CommandLine {
  readonly #product: string;
  readonly #state: string;
  readonly #flags: readonly string[];
  readonly #children: ChildProcess[] = [];
  gateway: ChildProcess;
  url = '';

  private constructor(product: string, state: string, { flags = [], inside }: StartOptions) {
    this.#product = product;
    this.#state = state;
    mkdirSync(this.stateDir, { mode: 0o700 });
    const before = inside?.(this.stateDir) ?? [];
    this.#flags = flags;
    this.gateway = this.#run([...before, ...this.argv(['--port', '0', ...this.#flags])]);
  }

  /** Starts a gateway with the built command; other commands find it automatically. */
  static async start(options: StartOptions = {}): Promise<CommandLine> {
    const state = mkdtempSync(join(tmpdir(), 'exec-console-state-'));
    const started = new CommandLine(sharedProduct(), state, options);
    await started.#listens();
    return started;
  }

  /** Kills the gateway, and starts another one with the same folder and flags. */
  async killAndStart(): Promise<void> {
    this.gateway.kill('SIGKILL');
    await once(this.gateway, 'exit');
    this.gateway = this.#run(this.argv(['--port', '0', ...this.#flags]));
    await this.#listens();
  }

  async #listens(): Promise<void> {
    const { stdout } = this.gateway;
    if (!stdout) throw new Error('invariant violation: no stdout');
    [this.url] = (await once(createInterface(stdout), 'line')) as [string];
  }

  get builtFolder(): string {
    return join(this.#product, 'dist/server');
  }

  /** Returns the argv that runs the built `exec-console` with these arguments. */
  argv(args: readonly string[]): string[] {
    return [process.execPath, join(this.#product, 'dist/server/main.js'), ...args];
  }

  get env(): Env {
    return { PATH, HOME: this.#state, XDG_STATE_HOME: this.#state, TERM: 'xterm-256color' };
  }

  spawn(args: readonly string[], env: Env = {}): ChildProcess {
    return this.#run(this.argv(args), env);
  }

  #run([command = '', ...args]: readonly string[], env: Env = {}): ChildProcess {
    const child = spawn(command, args, { stdio: 'pipe', cwd: tmpdir(), env: { ...this.env, ...env } });
    this.#children.push(child);
    return child;
  }

  async outcome(
    args: readonly string[],
    { input = '', env = {} }: { input?: string | Buffer; env?: Env } = {},
  ): Promise<Outcome> {
    const child = this.spawn(args, env);
    const { stdin, stdout, stderr } = child;
    if (!stdin || !stdout || !stderr) throw new Error('invariant violation: no pipes');
    // Writing fails when a command ends without reading its stdin.
    stdin.on('error', () => undefined);
    stdin.end(input);
    const [out, err, [code]] = await Promise.all([
      buffer(stdout),
      text(stderr),
      once(child, 'exit') as Promise<[number | null]>,
    ]);
    return { code, stdout: out, stderr: err };
  }

  get stateDir(): string {
    return join(this.#state, 'exec-console');
  }

  announced(): LocalGateway {
    const found = findLocalGateway(this.stateDir);
    if (!found) throw new Error('the gateway has announced nothing');
    return found;
  }

  async processes(): Promise<ProcessInfo[]> {
    const { stdout } = await this.outcome(['ps', '--all', '--json']);
    return JSON.parse(stdout.toString()) as ProcessInfo[];
  }

  /** Returns the waiting approvals, or all approvals, over the wire, so that polling starts no commands. */
  async approvals(all = false): Promise<readonly Approval[]> {
    const client = await TestClient.open(this.url, { token: this.announced().token });
    try {
      await client.initialize();
      const result = await client.request<ApprovalsResult>('console/approvals', { all });
      return result.approvals;
    } finally {
      client.ws.terminate();
    }
  }

  /** Starts a process that outlives its command, and waits for the first line that it prints; returns its key. */
  async started(label: string, script: string): Promise<string> {
    const child = this.spawn(['run', '--label', label, '--', 'bash', '-c', script]);
    const { stdout } = child;
    if (!stdout) throw new Error('invariant violation: no stdout');
    await once(createInterface(stdout), 'line');
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
    const found = (await this.processes()).find((info) => info.label === label);
    if (!found) throw new Error(`no process ${label}`);
    return found.key;
  }

  inTerminal(argv: readonly string[], size: Size = TERMINAL): TestChild {
    return startChild(specOf(argv, { tty: size, env: this.env }));
  }

  async stop(): Promise<void> {
    // The gateway ends its processes on SIGTERM, but would leave them running when killed below.
    if (this.gateway.exitCode === null && this.gateway.signalCode === null) {
      this.gateway.kill('SIGTERM');
      await once(this.gateway, 'exit');
    }
    for (const child of this.#children) child.kill('SIGKILL');
    await noKeeperLeft(this.stateDir);
    rmSync(this.#state, { recursive: true });
  }
}
