// The mixed load of a soak: agents, floods, terminals with typing, changing watchers, cut connections.
import { setTimeout as sleep } from 'node:timers/promises';
import { createConsoleClient } from '../../client/node/connect.ts';
import type { ExecClient, OutputSink } from '../../client/exec-client.ts';
import type { SessionClient } from '../../client/session-client.ts';
import { FaultProxy } from '../../server/testing/fault-proxy.ts';
import { retried } from '../../server/testing/retried.ts';
import { agentOf } from './forked-gateway.ts';
import type { GatewayAccess } from './gateway.ts';
import { typeInto } from './typing.ts';

/** Number of concurrent terminals, and of keys typed into each before it is replaced. */
const TERMINALS = 4;
const KEYS = 300;
const PATH = process.env['PATH'] ?? '';
const sh = (script: string) => ({ argv: ['sh', '-c', script], cwd: '/tmp', env: { PATH } });

const drawsAtOnce: OutputSink = {
  output: (_, drawn) => drawn(),
  gap: () => undefined,
  resized: () => undefined,
  exited: () => undefined,
  closed: () => undefined,
  reconnected: () => undefined,
};

export class Load {
  readonly #gateway: GatewayAccess;
  readonly #proxy: FaultProxy;
  #echoes: number[] = [];
  #isOver = false;
  /** Number of rounds by part of the load. */
  readonly rounds = new Map<string, number>();

  private constructor(gateway: GatewayAccess, proxy: FaultProxy) {
    this.#gateway = gateway;
    this.#proxy = proxy;
  }

  static async on(gateway: GatewayAccess): Promise<Load> {
    return new Load(gateway, await FaultProxy.listen(Number(new URL(gateway.url).port)));
  }

  /** Removes and returns the echo times (ms) measured since the last call. */
  takeEchoes(): readonly number[] {
    const echoes = this.#echoes;
    this.#echoes = [];
    return echoes;
  }

  /** Runs until `end`; rejects when a part of the load has failed. */
  async run(): Promise<void> {
    const agent = await agentOf(this.#gateway);
    const watcher = this.#console(this.#proxy.port);
    await Promise.all([
      this.#repeat('short processes', 200, () => this.#shortProcess(agent)),
      this.#repeat('floods', 2500, () => this.#flood(agent)),
      this.#repeat('abandoned sessions', 1500, () => this.#leftSession()),
      this.#repeat('watchers', 1000, () => this.#watch()),
      this.#repeat('cuts', 3000, () => {
        this.#proxy.cut();
        return retried(watcher.connection, () => watcher.connection.request('environment/status', undefined));
      }),
      ...Array.from({ length: TERMINALS }, () =>
        this.#repeat('terminals', 0, () =>
          typeInto(
            agent,
            (keys) => keys < KEYS && !this.#isOver,
            (ms) => this.#echoes.push(ms),
          ),
        ),
      ),
    ]);
    watcher.connection.close();
    agent.close();
    await this.#proxy.close();
  }

  end(): void {
    this.#isOver = true;
  }

  #console(port?: number): ExecClient {
    const url = new URL(this.#gateway.url);
    if (port !== undefined) url.port = String(port);
    const client = createConsoleClient({
      url: url.href,
      token: this.#gateway.operatorToken,
      clientName: 'page',
    });
    client.connection.open();
    return client;
  }

  async #repeat(name: string, pauseMs: number, work: () => Promise<unknown>): Promise<void> {
    while (!this.#isOver) {
      await work();
      this.rounds.set(name, (this.rounds.get(name) ?? 0) + 1);
      await sleep(pauseMs);
    }
  }

  async #shortProcess(agent: SessionClient): Promise<void> {
    const { exitCode, stdout } = await (await agent.start(sh('echo out; exit 3'))).communicate();
    if (exitCode !== 3 || Buffer.from(stdout).toString() !== 'out\n')
      throw new Error('a short process failed');
  }

  async #flood(agent: SessionClient): Promise<void> {
    const bytes = 5_000_000;
    const { stdout } = await (await agent.start(sh(`head -c ${bytes} /dev/zero`))).communicate();
    if (stdout.length !== bytes) throw new Error(`${stdout.length} bytes of a flood arrived`);
  }

  /** Starts a terminal and disconnects its client; the terminal's process ends when the session expires. */
  async #leftSession(): Promise<void> {
    const client = await agentOf(this.#gateway);
    await client.start({ ...sh('exec cat'), tty: true });
    client.close();
  }

  async #watch(): Promise<void> {
    const client = this.#console();
    const { processes } = await retried(client.connection, () =>
      client.connection.request('console/watch', {}),
    );
    for (const { key } of processes.slice(-5)) client.processes.attach(key).follow(drawsAtOnce);
    for (const { key, tty } of processes.slice(-5)) {
      if (tty) await client.connection.request('process/snapshot', { key }).catch(() => undefined);
    }
    await sleep(500);
    client.connection.close();
  }
}
