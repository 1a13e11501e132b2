// Clients of the Model Context Protocol: over HTTP, and over the stdio of `exec-console mcp`.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Subject } from './measure.ts';
import { within } from './client.ts';

const MAIN = join(import.meta.dirname, '../../dist/server/main.js');

const HELLO = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1' },
};
const READY = { jsonrpc: '2.0', method: 'notifications/initialized' };

interface Answer {
  readonly id?: number;
  readonly result?: { readonly content?: readonly { readonly text: string }[]; readonly isError?: boolean };
  readonly error?: { readonly message: string };
}

export interface McpClient {
  /** Resolves with the text of the tool's result; rejects when the call fails. */
  call(tool: string, args: object): Promise<string>;
  close(): Promise<void>;
}

function textOf({ result, error }: Answer): string {
  const text = result?.content?.[0]?.text;
  if (error || text === undefined || result?.isError)
    throw new Error(`a call failed: ${error?.message ?? text}`);
  return text;
}

/**
 * Resolves with a client that uses the token created by `exec-console mcp`. An `OverStdio` client must be opened first,
 * so that the token exists.
 */
export async function overHttp({ url, stateDir }: Subject): Promise<McpClient> {
  const file = join(stateDir ?? '', 'agents', `${HELLO.clientInfo.name}.token`);
  const token = readFileSync(file, 'utf8').trim();
  const address = new URL('/mcp', url.replace(/^ws/, 'http'));
  let session: string | null = null;
  let made = 0;
  const post = async (message: object): Promise<Answer | null> => {
    const response = await fetch(address, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...(session !== null && { 'mcp-session-id': session, 'mcp-protocol-version': HELLO.protocolVersion }),
      },
      body: JSON.stringify(message),
    });
    session ??= response.headers.get('mcp-session-id');
    const text = await response.text();
    return text === '' ? null : (JSON.parse(text) as Answer);
  };
  const request = (method: string, params: object): object => {
    made += 1;
    return { jsonrpc: '2.0', id: made, method, params };
  };
  await post(request('initialize', HELLO));
  await post(READY);
  return {
    async call(tool, args) {
      const answer = await post(request('tools/call', { name: tool, arguments: args }));
      return textOf(answer ?? {});
    },
    close: () => Promise.resolve(),
  };
}

/** A client of the built `exec-console mcp`, a child process that finds the gateway by its state folder. */
export class OverStdio implements McpClient {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #made = 0;

  private constructor(stateDir: string) {
    this.#child = spawn(process.execPath, [MAIN, 'mcp', '--state-dir', stateDir]);
    this.#child.stderr.resume();
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      const answer = JSON.parse(line) as Answer;
      const resolve = this.#waiting.get(answer.id ?? 0);
      this.#waiting.delete(answer.id ?? 0);
      resolve?.(answer);
    });
  }

  static async open({ stateDir }: Subject): Promise<OverStdio> {
    if (stateDir === null) throw new Error('misuse: a server without a state folder');
    const client = new OverStdio(stateDir);
    await client.#request('initialize', HELLO);
    client.#send(READY);
    return client;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  async call(tool: string, args: object): Promise<string> {
    return textOf(await this.#request('tools/call', { name: tool, arguments: args }));
  }

  async close(): Promise<void> {
    const gone = once(this.#child, 'exit');
    this.#child.stdin.end();
    await gone;
  }

  #request(method: string, params: object): Promise<Answer> {
    this.#made += 1;
    const id = this.#made;
    const answered = new Promise<Answer>((resolve) => this.#waiting.set(id, resolve));
    this.#send({ jsonrpc: '2.0', id, method, params });
    return within(answered, `the answer to ${method}`);
  }

  #send(message: object): void {
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }
}
