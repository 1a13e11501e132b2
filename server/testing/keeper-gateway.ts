// A built gateway with a keeper, and a client that resumes its session, for tests that kill and restart the gateway.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { createInterface } from 'node:readline';
import { WebSocket } from 'ws';
import { LIVENESS, type LivenessLimits } from '../../client/liveness.ts';
import { systemRuntime, type Runtime } from '../../client/runtime.ts';
import { SessionClient } from '../../client/session-client.ts';
import { keeperPid } from '../keeper/link/keeper-pid.ts';
import { noKeeperLeft } from './left-keeper.ts';
import { TestClient } from './test-client.ts';

/** Factor by which clients shorten their delays between connection attempts. */
const HASTE = 20;
const hasty: Runtime = {
  ...systemRuntime,
  after: (ms, run) => systemRuntime.after(ms / HASTE, run),
};

/**
 * Limits multiplied by `HASTE`, so that they have their usual length, because replies take longer on a busy machine.
 */
const patient = Object.fromEntries(
  Object.entries(LIVENESS).map(([name, ms]) => [name, Number(ms) * HASTE]),
) as unknown as LivenessLimits;

export class KeeperGateway {
  readonly #dir = mkdtempSync(join(tmpdir(), 'exec-console-keeper-'));
  readonly #flags: readonly string[];
  readonly #main: string;
  #gateway: ChildProcess | null = null;
  #url = '';
  #log = '';

  private constructor(flags: readonly string[], main: string) {
    this.#flags = flags;
    this.#main = main;
  }

  /** Starts a gateway; `main` is the file of the built command. */
  static async start(flags: readonly string[], main: string): Promise<KeeperGateway> {
    const made = new KeeperGateway(flags, main);
    await made.startAgain();
    return made;
  }

  get stateDir(): string {
    return join(this.#dir, 'state');
  }

  /** Log lines of all gateways. */
  get log(): string {
    return this.#log;
  }

  /** URL of the gateway that was started last. */
  get url(): string {
    return this.#url;
  }

  get process(): ChildProcess {
    if (!this.#gateway) throw new Error('invariant violation: no gateway');
    return this.#gateway;
  }

  /** Starts a gateway on the state of the previous one; `off` starts one without the keeper. */
  async startAgain(keeper: 'on' | 'off' | 'auto' = 'on', main = this.#main): Promise<void> {
    const files = ['--state-dir', this.stateDir, '--ws-token-file', join(this.#dir, 'token')];
    const argv = [main, '--listen', 'ws://127.0.0.1:0', '--keeper', keeper, ...files, ...this.#flags];
    const gateway = spawn(execPath, argv, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#gateway = gateway;
    gateway.stderr.on('data', (bytes: Buffer) => (this.#log += bytes.toString()));
    const [line] = (await Promise.race([
      once(createInterface(gateway.stdout), 'line'),
      once(gateway, 'exit').then(() => Promise.reject(new Error(`no gateway: ${this.#log}`))),
    ])) as [string];
    this.#url = line;
  }

  /** Sends the gateway a signal, and resolves when it has ended. */
  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const gone = once(this.process, 'exit');
    this.process.kill(signal);
    await gone;
  }

  /** Returns a client that reconnects by itself to any later gateway. */
  async resumingClient(): Promise<SessionClient> {
    const socket = (): WebSocket =>
      new WebSocket(this.#url, {
        headers: { authorization: `Bearer ${this.token}` },
        perMessageDeflate: false,
        maxPayload: 0,
      });
    const client = new SessionClient({ socket, clientName: 'resuming', runtime: hasty, liveness: patient });
    await client.open();
    return client;
  }

  /** Opens a connection with a handshake; `resume` is the id of a session to resume. */
  async client(resume?: string): Promise<TestClient> {
    const client = await TestClient.open(this.#url, { token: this.token });
    await client.initialize(resume);
    return client;
  }

  get token(): string {
    return readFileSync(join(this.#dir, 'token'), 'utf8').trim();
  }

  /** Returns the PID of the keeper of the state folder; null when there is none. */
  keeperPid(): number | null {
    return keeperPid(this.stateDir);
  }

  /** Returns the path of the keeper's program. Throws when there is no keeper. */
  keeperFile(): string {
    const pid = this.keeperPid();
    if (pid === null) throw new Error(`no keeper: ${this.#log}`);
    const argv = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return argv.find((word) => /keeper(-entry)?\.[jt]s$/.test(word)) ?? '';
  }

  /** Ends everything; rejects when a keeper is left. */
  async stop(): Promise<void> {
    await this.end('SIGTERM');
    await noKeeperLeft(this.stateDir);
    rmSync(this.#dir, { recursive: true, force: true });
  }
}
