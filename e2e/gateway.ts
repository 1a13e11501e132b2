// The built gateway in a separate process, and a proxy between the gateway and a page.
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseCommand } from '../server/cli/options.ts';
import { DEFAULT_LIMITS, type Config, type Limits } from '../server/config.ts';
import { findLocalGateway } from '../server/policy/local-gateway.ts';
import { Tokens } from '../server/policy/tokens.ts';
import { keeperFlags } from '../server/testing/keeper-tests.ts';
import { noKeeperLeft } from '../server/testing/left-keeper.ts';
import { TestClient } from '../server/testing/test-client.ts';

const DIST = join(import.meta.dirname, '../dist');
const { version: VERSION } = JSON.parse(readFileSync(join(DIST, '../package.json'), 'utf8')) as {
  version: string;
};
const HOST = join(import.meta.dirname, 'gateway-host.mjs');

/**
 * Grace period of the stop after each test. Interactive shells ignore SIGTERM, so each stop would take the whole
 * default.
 */
const GRACE_MS = 100;

interface GatewayOptions {
  readonly flags?: readonly string[];
  /** Wrapper command that runs the gateway. */
  readonly inside?: readonly string[];
  /** Limits that differ from the defaults; only for gateways in a host. */
  readonly limits?: Partial<Limits>;
  /** A former gateway whose state and port this one takes over. */
  readonly former?: { readonly dir: string; readonly port: number };
}

/** Roles by name, for people besides the one who follows the printed link. */
export const PEOPLE = { Olga: 'observer', Ada: 'operator' } as const;

interface Links {
  readonly url: string;
  readonly pageUrl: string;
}

/**
 * Promises for the ends of the keepers of stopped gateways: null once a keeper has ended, or the error. They are
 * awaited only when the worker ends, since a keeper waits for another gateway before it ends.
 */
const keepersEnd: Promise<unknown>[] = [];

/** Resolves when the keepers of all gateways stopped by this worker have ended; rejects if one remains. */
export async function noKeepersLeft(): Promise<void> {
  for (const failure of await Promise.all(keepersEnd.splice(0))) if (failure !== null) throw failure;
}

/** Hosts of this worker without a running gateway. */
const free: ChildProcess[] = [];

function freeHost(): ChildProcess {
  for (let host = free.pop(); host; host = free.pop()) if (isAlive(host)) return host;
  const host = fork(HOST, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  // The host ends with the worker and must not keep it alive.
  host.unref();
  host.channel?.unref();
  return host;
}

const isAlive = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null;

/** Sends a request to a host; resolves with the reply, and rejects with the host's error or when the host exits. */
function answerOf(host: ChildProcess, request: object): Promise<Links> {
  return new Promise((resolve, reject) => {
    const onExit = (): void => reject(new Error('the host of the gateway has ended'));
    host.once('exit', onExit);
    host.once('message', (answer: Links & { readonly failure?: string }) => {
      host.off('exit', onExit);
      if (answer.failure === undefined) resolve(answer);
      else reject(new Error(answer.failure));
    });
    host.send(request);
  });
}

export class Gateway {
  /** Process in which the gateway runs. */
  readonly child: ChildProcess;
  readonly url: string;
  readonly pageUrl: string;
  readonly token: string;
  readonly dir: string;
  readonly tokenOf: Readonly<Record<keyof typeof PEOPLE, string>>;
  readonly #isHosted: boolean;
  readonly #clients: TestClient[] = [];

  private constructor(
    { child, isHosted }: { readonly child: ChildProcess; readonly isHosted: boolean },
    { url, pageUrl }: Links,
    dir: string,
    tokenOf: Gateway['tokenOf'],
  ) {
    this.tokenOf = tokenOf;
    this.child = child;
    this.#isHosted = isHosted;
    this.url = url;
    this.pageUrl = pageUrl;
    this.dir = dir;
    this.token = readFileSync(join(dir, 'token'), 'utf8').trim();
  }

  /**
   * Starts a gateway: normally in a host of this worker, which has the program loaded; with a wrapper command
   * or a keeper, in a new process.
   */
  static async start({
    flags = [],
    inside = [],
    limits = {},
    former,
  }: GatewayOptions = {}): Promise<Gateway> {
    const dir = former?.dir ?? mkdtempSync(join(tmpdir(), 'exec-console-e2e-'));
    const files = ['--ws-token-file', join(dir, 'token'), '--state-dir', join(dir, 'state')];
    const tokenOf = makeTokens(join(dir, 'state'));
    const args = ['--port', String(former?.port ?? 0), ...files, ...flags];
    // A separate home, since a login shell would read the user's files.
    const home = { HOME: dir };
    if (inside.length === 0 && flags[flags.indexOf('--keeper') + 1] !== 'on') {
      const child = freeHost();
      const links = await answerOf(child, {
        start: configOf([...args, ...keeperFlags(flags)], limits),
        ...home,
      });
      return new Gateway({ child, isHosted: true }, links, dir, tokenOf);
    }
    const [file = '', ...rest] = [...inside, process.execPath, join(DIST, 'server/main.js'), ...args];
    const child = spawn(file, rest, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...home },
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const [url, pageUrl] = [(await lines.next()).value, (await lines.next()).value];
    if (typeof url !== 'string' || typeof pageUrl !== 'string') throw new Error('the gateway did not start');
    return new Gateway({ child, isHosted: false }, { url, pageUrl }, dir, tokenOf);
  }

  /** Connects a client with the token of the gateway's token file; resumes the session if one is given. */
  async agent(resumeSessionId?: string): Promise<TestClient> {
    const client = await TestClient.open(this.url, { token: this.token });
    this.#clients.push(client);
    await client.initialize(resumeSessionId);
    return client;
  }

  async operator(): Promise<TestClient> {
    const client = await TestClient.open(this.url, { token: this.tokenOf.Ada });
    this.#clients.push(client);
    await client.initialize();
    return client;
  }

  async freshLink(role: 'observer' | 'operator' | 'admin', name?: string): Promise<string> {
    const { token } = findLocalGateway(join(this.dir, 'state')) ?? { token: '' };
    const asked = new URLSearchParams({ role, ...(name !== undefined && { name }) });
    const answer = await fetch(new URL(`/auth/link?${asked.toString()}`, this.pageUrl), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    return ((await answer.json()) as { url: string }).url;
  }

  /** Kills the gateway with SIGKILL; `startAgain` starts another with its port and state. */
  async kill(): Promise<void> {
    const gone = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await gone;
  }

  startAgain(flags: readonly string[] = []): Promise<Gateway> {
    return Gateway.start({ flags, former: { dir: this.dir, port: Number(new URL(this.url).port) } });
  }

  async stop(): Promise<void> {
    for (const client of this.#clients) client.ws.terminate();
    if (!isAlive(this.child)) return this.#forget();
    if (this.#isHosted) {
      await answerOf(this.child, {});
      free.push(this.child);
    } else {
      const gone = once(this.child, 'exit');
      this.child.kill('SIGTERM');
      await gone;
      keepersEnd.push(
        this.#forget().then(
          () => null,
          (failure: unknown) => failure,
        ),
      );
      return;
    }
    await this.#forget();
  }

  async #forget(): Promise<void> {
    await noKeeperLeft(join(this.dir, 'state'));
    rmSync(this.dir, { recursive: true, force: true });
  }
}

/** Returns the gateway's configuration for a command line, with these limits in place of the defaults. */
function configOf(args: readonly string[], limits: Partial<Limits>): Config {
  const command = parseCommand(args, process.env);
  if (command.kind !== 'serve') throw new Error('invariant violation: these arguments start a gateway');
  return {
    ...command.options,
    version: VERSION,
    pageDir: join(DIST, 'web'),
    user: null,
    limits: { ...DEFAULT_LIMITS, shutdownGraceMs: GRACE_MS, ...command.options.limits, ...limits },
  };
}

function makeTokens(stateDir: string): Gateway['tokenOf'] {
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  const tokens = new Tokens(stateDir);
  const make = (name: keyof typeof PEOPLE): string =>
    tokens.create({ name, role: PEOPLE[name], ttlMs: null }).token;
  return { Olga: make('Olga'), Ada: make('Ada') };
}

/** TCP proxy that a test can cut to simulate a network failure. */
export class Proxy {
  readonly #server: Server;
  readonly #target: number;
  readonly #sockets = new Set<Socket>();
  #isOpen = true;

  private constructor(server: Server, target: number) {
    this.#server = server;
    this.#target = target;
    server.on('connection', (socket) => this.#join(socket));
  }

  static async before(url: string): Promise<Proxy> {
    const server = createServer();
    const proxy = new Proxy(server, Number(new URL(url).port));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  /** Returns the page's URL through this proxy. */
  through(pageUrl: string): string {
    const address = this.#server.address();
    const url = new URL(pageUrl);
    if (typeof address === 'object' && address) url.port = String(address.port);
    return url.href;
  }

  /** Cuts all connections and refuses new ones until `heal`. */
  cut(): void {
    this.#isOpen = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  heal(): void {
    this.#isOpen = true;
  }

  close(): void {
    this.cut();
    this.#server.close();
  }

  #join(client: Socket): void {
    if (!this.#isOpen) {
      client.destroy();
      return;
    }
    const upstream = connect(this.#target, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.#sockets.add(from);
      from.setNoDelay(true);
      from.on('error', () => {});
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  }
}
