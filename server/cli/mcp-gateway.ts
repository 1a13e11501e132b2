// Connects `exec-console mcp` to the gateway: one POST per message, and a session that is restarted when it is lost.
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { headOf } from '../../text/cut.ts';
import { tokenCredential, type Credential } from '../../client/proof.ts';
import { BODY_HASH, requestUse } from '../../protocol/proof.ts';
import { authorization, open, openReused, type Asked } from './ask.ts';
import { eventsOf } from './event-stream.ts';
import { CommandFailed, ExitCode } from './exit-codes.ts';
import type { GatewayAddress } from './gateway-address.ts';
import { ReusedConnections } from './reused-connections.ts';
import { NextProof, type Way } from './next-proof.ts';
import { wholeText } from './whole-text.ts';

const MCP_PATH = '/mcp';

/** Time without data after which a request fails; the gateway sends data at least every 15 s. */
const SILENT_MS = 40_000;

/** Delays before the attempts to reopen the session's stream; the last one repeats. */
const HOLD_AGAIN_MS = [500, 2000, 5000, 10_000, 20_000];

export interface McpGatewayOptions {
  /** Resolves with the current address of the gateway. Rejects with CommandFailed without a gateway or valid token. */
  readonly reach: () => Promise<GatewayAddress>;
  /** Called when the gateway refuses the token, which may have been revoked. */
  readonly refused: () => void;
}

interface Session {
  readonly id: string;
  readonly version: string;
}

export class McpGateway {
  readonly #options: McpGatewayOptions;
  readonly #connections = new ReusedConnections();
  readonly #nextProof = new NextProof();
  /** Credential of the token of the last request; null before the first one. */
  #credential: { readonly token: string; readonly made: Promise<Credential> } | null = null;
  /** Params of the client's `initialize`, used to start every session; null before `begin` or `prepare`. */
  #hello: object | null = null;
  #session: Promise<Session> | null = null;
  /** Session whose stream is open or is being opened; null when there is none. */
  #held: Session | null = null;

  constructor(options: McpGatewayOptions) {
    this.#options = options;
  }

  /** Starts the session; resolves with the result of `initialize`. */
  async begin(hello: object): Promise<unknown> {
    this.#hello = hello;
    const { result, session } = await this.#initialize();
    this.#session = Promise.resolve(session);
    return result;
  }

  /** Stores the params of `initialize`, with which the next session is started. */
  prepare(hello: object): void {
    this.#hello = hello;
  }

  /**
   * Sends a message; calls `deliver` with every message of the response. Throws CommandFailed when the gateway refuses
   * the message, or the connection is lost during the response.
   */
  async send(message: object, signal: AbortSignal, deliver: (message: unknown) => void): Promise<void> {
    const response = await this.#post(message, signal);
    if (response.statusCode === 202) {
      response.resume();
      return;
    }
    try {
      if (response.headers['content-type']?.startsWith('text/event-stream')) {
        for await (const data of eventsOf(response)) deliver(JSON.parse(data));
      } else {
        deliver(JSON.parse(await wholeText(response)));
      }
    } catch (cause) {
      if (signal.aborted) return;
      if (cause instanceof CommandFailed) throw cause;
      throw new CommandFailed(
        ExitCode.connectionLost,
        'the connection to the gateway was lost during the call; list_sessions shows what is running',
        { cause },
      );
    }
  }

  async #post(message: object, signal: AbortSignal): Promise<IncomingMessage> {
    for (let isAgain = false; ; isAgain = true) {
      const session = await this.#current();
      void this.#hold(session);
      const response = await this.#request('POST', signal, message, session);
      if (response.statusCode === 200 || response.statusCode === 202) return response;
      // A 404 may mean that the gateway has restarted or dropped the session, so the session is started again once.
      if (response.statusCode !== 404 || isAgain) throw await failureOf(response);
      response.resume();
      this.#session = null;
    }
  }

  #current(): Promise<Session> {
    if (this.#session) return this.#session;
    const begun = this.#initialize().then(async ({ session }) => {
      const ready = { jsonrpc: '2.0', method: 'notifications/initialized' };
      const response = await this.#request('POST', new AbortController().signal, ready, session);
      response.resume();
      return session;
    });
    this.#session = begun;
    begun.catch(() => {
      if (this.#session === begun) this.#session = null;
    });
    return begun;
  }

  async #initialize(): Promise<{ readonly result: unknown; readonly session: Session }> {
    if (this.#hello === null) throw new CommandFailed(ExitCode.failed, 'call initialize first');
    const message = { jsonrpc: '2.0', id: 'exec-console', method: 'initialize', params: this.#hello };
    const response = await this.#request('POST', new AbortController().signal, message, null);
    const id = response.headers['mcp-session-id'];
    if (response.statusCode !== 200 || typeof id !== 'string') throw await failureOf(response);
    const { result } = JSON.parse(await wholeText(response)) as { result: { protocolVersion: string } };
    return { result, session: { id, version: result.protocolVersion } };
  }

  async #request(
    method: 'GET' | 'POST',
    signal: AbortSignal,
    body: object | null,
    session: Session | null,
  ): Promise<IncomingMessage> {
    const address = await this.#options.reach();
    const way = { address, credential: await this.#credentialOf(address) };
    const asked = (authorization: string, nonce: Readonly<Record<string, string>>): Asked => ({
      method,
      path: MCP_PATH,
      headers: {
        authorization,
        ...nonce,
        accept: 'application/json, text/event-stream',
        ...(bodyHash !== undefined && { 'content-type': 'application/json', [BODY_HASH]: bodyHash }),
        ...(session && { 'mcp-session-id': session.id, 'mcp-protocol-version': session.version }),
      },
      signal,
      silentMs: SILENT_MS,
      connections: this.#connections,
      ...(text !== null && { body: text }),
    });
    const text = body && JSON.stringify(body);
    const bodyHash = text === null ? undefined : createHash('sha256').update(text).digest('base64url');
    const use = requestUse(method, MCP_PATH, bodyHash);
    const ready = await this.#nextProof.use(way, use);
    if (ready !== null) {
      const next = this.#nextProof.ask(way);
      const response = await openReused(address, asked(ready, next.headers));
      if (response) next.take(response.headers);
      if (response && response.statusCode !== 401) return response;
      // No connection could be reused, or the gateway refused the proof: its challenge has expired on the gateway's
      // clock, or the token was revoked.
      response?.resume();
    }
    const proved = await this.#proved(use);
    const next = this.#nextProof.ask(proved);
    const response = await open(proved.address, asked(proved.proof, next.headers));
    next.take(response.headers);
    return response;
  }

  /**
   * Resolves with the address, the credential and a proof. A refusal is retried once with a newly determined address
   * and token, since the token may have been revoked.
   */
  async #proved(use: string): Promise<Way & { readonly proof: string }> {
    const address = await this.#options.reach();
    try {
      return await this.#provedFor(address, use);
    } catch (error) {
      this.#connections.forget();
      if (!(error instanceof CommandFailed) || error.exitCode !== ExitCode.refused) throw error;
    }
    this.#options.refused();
    return this.#provedFor(await this.#options.reach(), use);
  }

  async #provedFor(address: GatewayAddress, use: string): Promise<Way & { readonly proof: string }> {
    const credential = await this.#credentialOf(address);
    const proof = await authorization(address, use, { connections: this.#connections, credential });
    return { address, credential, proof };
  }

  #credentialOf({ token }: GatewayAddress): Promise<Credential> {
    if (this.#credential?.token !== token) this.#credential = { token, made: tokenCredential(token) };
    return this.#credential.made;
  }

  /**
   * Holds open the stream that shows the gateway that the agent is connected. A lost stream is reopened, until the
   * gateway refuses it or another session has begun.
   */
  async #hold(session: Session): Promise<void> {
    if (this.#held === session) return;
    this.#held = session;
    for (let failures = 0; this.#held === session; failures += 1) {
      try {
        const response = await this.#request('GET', new AbortController().signal, null, session);
        response.resume();
        if (response.statusCode !== 200) break;
        await new Promise((resolve) => response.once('close', resolve));
        failures = 0;
      } catch (error) {
        // The next message reports the refusal.
        if (error instanceof CommandFailed && error.exitCode === ExitCode.refused) break;
      }
      await setTimeout(HOLD_AGAIN_MS[Math.min(failures, HOLD_AGAIN_MS.length - 1)], null, { ref: false });
    }
    if (this.#held === session) this.#held = null;
  }
}

/** Resolves with the error for an unexpected status, with the gateway's message, the status or a remedy as its text. */
async function failureOf(response: IncomingMessage): Promise<CommandFailed> {
  const status = response.statusCode ?? 0;
  const body = (await wholeText(response)).trim();
  if (status === 404 && !body.startsWith('{'))
    return new CommandFailed(
      ExitCode.noGateway,
      'the running gateway is older than this command and has no /mcp; restart it',
    );
  return new CommandFailed(
    ExitCode.refused,
    `the gateway refused the request: ${reasonIn(body) || `status ${status}`}`,
  );
}

function reasonIn(body: string): string {
  try {
    return (JSON.parse(body) as { error: { message: string } }).error.message;
  } catch {
    return headOf(body, 500);
  }
}
