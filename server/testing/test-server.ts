// A new gateway on port 0 for one test, with configurable limits, and clients that end with it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Tokens } from '../policy/tokens.ts';
import { DEFAULT_LIMITS, type Config, type Limits } from '../config.ts';
import type { Line } from '../ops/log.ts';
import { ErrorCode } from '../../protocol/jsonrpc.ts';
import type { Role } from '../../protocol/session.ts';
import { createServer, type Addresses, type Server } from '../server.ts';
import { TESTS_HAVE_KEEPER } from './keeper-tests.ts';
import { TestClient } from './test-client.ts';

type Address = Omit<Config, 'version' | 'stateDir' | 'pageDir' | 'limits'>;

/** Maximum number of log lines; no test needs earlier ones, and a soak test would count their growth as a leak. */
const MOST_LINES = 1000;

export class TestServer {
  addresses: Addresses;
  /** Last log lines of the gateway, at every level. */
  readonly lines: readonly Line[];
  /** All defects that the gateway has logged. */
  readonly defects: readonly string[];
  #server: Server;
  readonly #make: () => Server;
  readonly #tokens: { readonly [role in Role]: string };
  readonly #dir: string;
  readonly #clients: TestClient[] = [];

  private constructor(
    server: Server,
    addresses: Addresses,
    parts: {
      dir: string;
      tokens: { [role in Role]: string };
      lines: readonly Line[];
      defects: readonly string[];
      make: () => Server;
    },
  ) {
    this.#server = server;
    this.addresses = addresses;
    this.#dir = parts.dir;
    this.#tokens = parts.tokens;
    this.lines = parts.lines;
    this.defects = parts.defects;
    this.#make = parts.make;
  }

  static async start(limits: Partial<Limits> = {}, address: Partial<Address> = {}): Promise<TestServer> {
    const dir = mkdtempSync(join(tmpdir(), 'exec-console-test-'));
    const [stateDir, pageDir] = [join(dir, 'state'), join(dir, 'page')];
    mkdirSync(stateDir, { mode: 0o700 });
    mkdirSync(pageDir);
    writeFileSync(join(pageDir, 'index.html'), '<!doctype html><title>page</title>');
    mkdirSync(join(pageDir, 'notifications'));
    writeFileSync(join(pageDir, 'notifications', 'worker.js'), 'registration.unregister();');
    const stored = new Tokens(stateDir);
    const tokenOf = (role: Role): string => stored.create({ name: `the ${role}`, role, ttlMs: null }).token;
    const tokens = {
      agent: tokenOf('agent'),
      observer: tokenOf('observer'),
      operator: tokenOf('operator'),
      admin: tokenOf('admin'),
    };
    const lines: Line[] = [];
    const defects: string[] = [];
    const make = (): Server =>
      createServer(
        {
          version: 'test',
          host: '127.0.0.1',
          port: 0,
          portIsFixed: true,
          sandbox: 'none',
          approvals: 'never',
          ruleFiles: [],
          onWaiting: null,
          statusPages: [],
          record: true,
          keeper: TESTS_HAVE_KEEPER ? 'on' : 'off',
          workspaces: [],
          publicUrl: null,
          tls: null,
          trustedProxies: [],
          user: null,
          tokenFile: null,
          ...address,
          stateDir,
          pageDir,
          limits: { ...DEFAULT_LIMITS, ...limits },
        },
        (...line) => {
          const [, sentence, { event }] = line;
          if (event === 'defect') defects.push(sentence);
          if (lines.push(line) > MOST_LINES) lines.shift();
        },
      );
    const server = make();
    return new TestServer(server, await server.listen(), { dir, tokens, lines, defects, make });
  }

  /** Ends the gateway, and starts another one with the same folder; `between` runs while there is none. */
  async restart(between = (): void => {}): Promise<void> {
    for (const { ws } of this.#clients.splice(0)) ws.terminate();
    await this.#server.close();
    between();
    this.#server = this.#make();
    this.addresses = await this.#server.listen();
  }

  get logged(): readonly string[] {
    return this.lines.map(([, sentence]) => sentence);
  }

  get url(): string {
    return this.addresses.url;
  }

  get stateDir(): string {
    return join(this.#dir, 'state');
  }

  token(role: Role): string {
    return this.#tokens[role];
  }

  /** Opens a connection without a handshake. */
  async open(role: Role = 'agent'): Promise<TestClient> {
    const client = await TestClient.open(this.url, { token: this.#tokens[role] });
    this.#clients.push(client);
    return client;
  }

  /**
   * Opens a connection with a handshake; `resume` is the id of a session to resume, as agents do after a lost
   * connection. Retries while that session is still attached.
   */
  async client(role: Role = 'agent', resume?: string): Promise<TestClient> {
    for (;;) {
      const client = await this.open(role);
      try {
        await client.initialize(resume);
        return client;
      } catch (error) {
        // The gateway may not have noticed the cut yet.
        if (resume === undefined || (error as { code?: number }).code !== ErrorCode.stillAttached)
          throw error;
      }
    }
  }

  async stop(): Promise<void> {
    for (const { ws } of this.#clients) ws.terminate();
    await this.#server.close();
    rmSync(this.#dir, { recursive: true, force: true });
  }
}
