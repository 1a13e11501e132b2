// Relays messages between an MCP client on stdio and the gateway; answers the client itself while there is no gateway.
import { z } from 'zod';
import { initializeResult, negotiated, toolList } from '../mcp/handshake.ts';
import {
  errorOf,
  isRequest,
  isResponse,
  McpError,
  messageOf,
  resultOf,
  type Message,
  type Request,
  type RequestId,
} from '../mcp/messages.ts';
import { visible } from '../../text/visible.ts';
import { CommandFailed } from './exit-codes.ts';
import type { McpGateway } from './mcp-gateway.ts';
import { UsageError } from './usage-error.ts';

export interface McpRelayOptions {
  readonly gateway: Pick<McpGateway, 'begin' | 'prepare' | 'send'>;
  readonly version: string;
  readonly write: (message: unknown) => void;
  /** Called with the client's name before `initialize` is sent to the gateway. */
  readonly named: (client: string) => void;
  /** Facts about the client for `_meta` of `initialize` that only this program can determine. */
  readonly facts: Readonly<Record<string, unknown>>;
}

const cancelled = z.object({ requestId: z.union([z.string(), z.number()]) });
const hello = z.looseObject({
  protocolVersion: z.unknown(),
  clientInfo: z.looseObject({ name: z.string() }),
  _meta: z.record(z.string(), z.unknown()).optional(),
});
const answerId = z.object({ id: z.union([z.string(), z.number()]), method: z.undefined().optional() });

export class McpRelay {
  readonly #options: McpRelayOptions;
  readonly #calls = new Map<RequestId, AbortController>();
  #client = '';
  /** Start of the session, which every message for the gateway waits for. */
  #begun: Promise<void> = Promise.resolve();

  constructor(options: McpRelayOptions) {
    this.#options = options;
  }

  /** Resolves when every received request has a reply or was cancelled. */
  async idle(): Promise<void> {
    await this.#begun;
    while (this.#calls.size > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  receive(line: string): void {
    if (line.trim() === '') return;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      this.#options.write(errorOf(null, McpError.parse, 'the line is not JSON'));
      return;
    }
    for (const each of Array.isArray(value) ? value : [value]) {
      const message = messageOf(each);
      if (message) this.#take(message);
      else this.#options.write(errorOf(null, McpError.invalidRequest, 'the line is not a JSON-RPC message'));
    }
  }

  #take(message: Message): void {
    if (isRequest(message) && message.method === 'initialize') {
      this.#begun = this.#begin(message);
      return;
    }
    // Claude Code sends this request before `initialize`, so there is no session that could answer it.
    if (isRequest(message) && message.method === 'server/discover') {
      this.#options.write(errorOf(message.id, McpError.methodNotFound, 'unknown method'));
      return;
    }
    if (!isRequest(message) && !isResponse(message) && message.method === 'notifications/cancelled') {
      const { data } = cancelled.safeParse(message.params);
      // The gateway stops waiting when the call's connection closes; running commands continue.
      if (data) this.#calls.get(data.requestId)?.abort();
      return;
    }
    void this.#begun.then(() => this.#pass(message));
  }

  async #begin(request: Request): Promise<void> {
    const { gateway, facts, named, write, version } = this.#options;
    const { data: params } = hello.safeParse(request.params);
    if (!params) {
      write(errorOf(request.id, McpError.invalidParams, 'initialize: expected clientInfo with a name'));
      return;
    }
    const { _meta: clientMeta, ...rest } = params;
    const whole = { ...rest, _meta: { ...clientMeta, ...facts } };
    this.#client = params.clientInfo.name;
    named(this.#client);
    try {
      write(resultOf(request.id, (await gateway.begin(whole)) as object));
    } catch {
      // Many clients never retry a server that fails to initialize, so each call reports the error until
      // there is a gateway.
      gateway.prepare(whole);
      write(resultOf(request.id, initializeResult(negotiated(params.protocolVersion), version)));
    }
  }

  async #pass(message: Message): Promise<void> {
    const { gateway, write } = this.#options;
    const controller = new AbortController();
    const id = isRequest(message) ? message.id : null;
    if (id !== null) this.#calls.set(id, controller);
    let isAnswered = false;
    const deliver = (each: unknown): void => {
      if (controller.signal.aborted) return;
      isAnswered ||= answerId.safeParse(each).data?.id === id;
      write(each);
    };
    try {
      await gateway.send(message, controller.signal, deliver);
      if (isRequest(message) && !isAnswered && !controller.signal.aborted)
        write(
          failed(
            message,
            'the gateway has ended the call; list_sessions shows what is running',
            this.#client,
          ),
        );
    } catch (error) {
      if (isRequest(message) && !controller.signal.aborted)
        write(failed(message, reasonOf(error), this.#client));
    } finally {
      if (id !== null) this.#calls.delete(id);
    }
  }
}

/**
 * Returns the reply to a request that the gateway has not answered. A failed call becomes a result with `isError`,
 * whose text clients pass to the model.
 */
function failed({ id, method }: Request, reason: string, client: string): object {
  if (method === 'ping') return resultOf(id, {});
  if (method === 'tools/list') return resultOf(id, toolList(client));
  if (method !== 'tools/call') return errorOf(id, McpError.methodNotFound, 'unknown method');
  return resultOf(id, { content: [{ type: 'text', text: `exec-console: ${reason}` }], isError: true });
}

function reasonOf(error: unknown): string {
  if (error instanceof CommandFailed || error instanceof UsageError) return error.message;
  const { code, message } = error as { code?: unknown; message?: unknown };
  return `the gateway cannot be reached (${visible(String(code ?? message))})`;
}
