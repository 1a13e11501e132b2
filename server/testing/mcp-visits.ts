// Serves POST /mcp with a mock unified exec that records its calls, and sends requests to it.
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { McpDoor } from '../mcp/door.ts';
import type { Exec } from '../mcp/room.ts';
import type { Identity } from '../policy/identity.ts';
import type { Answer } from '../unified/answer.ts';
import type { Call } from '../unified/attention.ts';
import type { UnifiedClient } from '../unified/client.ts';

type Work = (args: unknown, call: Call) => Promise<Answer>;

export const answerOf = (text: string): Promise<Answer> => Promise.resolve({ text, isError: false });
export const untilAborted: Work = (_args, { signal }) =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve({ text: 'late', isError: false })));

export class McpVisits {
  identity: Identity = { tokenId: 't1', name: 'bot', role: 'agent', expiresAtMs: null };
  whyFull: string | null = null;
  /** Number of open connections that occupy a descriptor. */
  taken = 0;
  /** Implementation of exec_command. */
  work: Work = () => answerOf('done');
  readonly entered: UnifiedClient[] = [];
  readonly calls: Call[] = [];
  /** Number of clients that were reported as gone. */
  left = 0;
  /** Number of clients that have reconnected. */
  returned = 0;
  readonly door: McpDoor;
  readonly #server: Server;
  url = '';

  private constructor() {
    const exec: Exec = {
      execCommand: (args, call) => {
        this.calls.push(call);
        return this.work(args, call);
      },
      writeStdin: () => answerOf('written'),
      listSessions: () => answerOf('none'),
      readOutput: () => Promise.resolve({ text: 'again', isError: true, meta: { exitCode: 3 } }),
      terminate: () => answerOf('ended'),
      ask: () => Promise.resolve(null),
      close: () => {
        this.left += 1;
      },
      reopen: () => {
        this.returned += 1;
      },
    };
    this.door = new McpDoor({
      room: {
        enter: (_identity, client) => {
          this.entered.push(client);
          return exec;
        },
        comeBack: () => exec,
      },
      decide: () => undefined,
      limits: { mcpSessions: 10, mcpIdleMs: 60_000, mcpForgottenMs: 120_000 },
      version: '1.2.3',
      whyFull: () => this.whyFull,
      take: () => {
        this.taken += 1;
        return () => {
          this.taken -= 1;
        };
      },
    });
    this.#server = createServer(
      (request, response) => void this.door.serve(request, response, this.identity),
    ).listen(0);
  }

  static async start(): Promise<McpVisits> {
    const visits = new McpVisits();
    await once(visits.#server, 'listening');
    visits.url = `http://127.0.0.1:${(visits.#server.address() as AddressInfo).port}/mcp`;
    return visits;
  }

  close(): void {
    this.door.close();
    this.#server.close();
    this.#server.closeAllConnections();
  }

  post(body: unknown, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<Response> {
    return fetch(this.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: BOTH, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...(signal && { signal }),
    });
  }

  /** Starts a session; returns its header. */
  async begin(name = 'test', more: object = {}): Promise<Record<string, string>> {
    const response = await this.post(hello(name, more));
    return { 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' };
  }
}

const BOTH = 'application/json, text/event-stream';

export const rpc = (id: number | string, method: string, params?: object): object => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params && { params }),
});
export const hello = (name: string, more: object = {}): object =>
  rpc(0, 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name, version: '9' },
    ...more,
  });
export const run = (
  id: number | string,
  args: object = { cmd: 'true', workdir: '/' },
  meta: object = {},
): object => rpc(id, 'tools/call', { name: 'exec_command', arguments: args, _meta: meta });

export const events = (text: string): unknown[] =>
  [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as unknown);
