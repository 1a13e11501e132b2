// One MCP client: its calls in progress, its default folder, and its processes.
import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Approval } from '../../protocol/approvals.ts';
import type { Identity } from '../policy/identity.ts';
import type { Answer } from '../unified/answer.ts';
import type { Call } from '../unified/attention.ts';
import { pathFromUri } from '../host/file-uri.ts';
import { approve } from './approve.ts';
import { Asks } from './asks.ts';
import { callFacts } from './call-facts.ts';
import { pathOf, shortText, type McpClient } from './client.ts';
import { toolList, type Version } from './handshake.ts';
import {
  errorOf,
  McpError,
  problemIn,
  resultOf,
  type Notification,
  type Request,
  type Response,
} from './messages.ts';
import { decisionOf, formOf } from './elicit.ts';
import { OVER, type Reply } from './reply.ts';
import type { Exec, Room } from './room.ts';

/** Timeout of `roots/list`; after it, a call runs without the client's folders. */
const ROOTS_MS = 2000;

/** Maximum number of calls in progress in one session; an agent makes a handful. */
const MOST_CALLS = 64;

const callParams = z.object({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).default({}),
  _meta: z.looseObject({ progressToken: z.union([z.string().max(200), z.number()]).optional() }).default({}),
});
type CallParams = z.infer<typeof callParams>;

const roots = z.object({ roots: z.array(z.object({ uri: z.string().max(8192) })).max(1000) });
const cancelled = z.object({ requestId: z.union([z.string(), z.number()]) });

type Tool = (exec: Exec, args: unknown, call: Call) => Promise<Answer>;

const TOOLS: ReadonlyMap<string, Tool> = new Map<string, Tool>([
  ['exec_command', (exec, args, call) => exec.execCommand(args, call)],
  ['write_stdin', (exec, args, call) => exec.writeStdin(args, call)],
  ['list_sessions', (exec) => exec.listSessions()],
  ['read_output', (exec, args) => exec.readOutput(args)],
  ['terminate', (exec, args, call) => exec.terminate(args, call)],
  ['approve', approve],
]);

/** Facts of a session for a later gateway, which finds the session by the hash of its id. */
export interface PastMcpSession {
  readonly tokenId: string;
  readonly client: McpClient;
  readonly version: Version;
  readonly isGone: boolean;
}

export const hashOf = (id: string): string => createHash('sha256').update(id).digest('hex');

export interface SessionOptions {
  readonly identity: Identity;
  readonly client: McpClient;
  readonly version: Version;
  readonly room: Room;
  /** Submits a decision of the client's user; throws when it is too late or not allowed. */
  readonly decide: (identity: Identity, id: string, decision: 'accept' | 'decline') => void;
  /** Hash of the id that an earlier gateway assigned; absent for a new session. */
  readonly idHash?: string;
  /** Called when the facts for a later gateway have changed. */
  readonly noted?: (idHash: string, past: PastMcpSession) => void;
}

interface Waiting {
  readonly reply: Reply;
  /** Signal that is aborted when the caller no longer waits for the answer. */
  readonly signal: AbortSignal;
  /** Signal that is aborted when the call has ended, with or without an answer. */
  readonly over: AbortSignal;
}

export class McpSession {
  /** Secret id; unused in a session restored from an earlier gateway. */
  readonly id = randomUUID();
  readonly idHash: string;
  readonly #options: SessionOptions;
  readonly #asks = new Asks();
  readonly #calls = new Map<string | number, AbortController>();
  /** Number of open streams of the client (GET). */
  #held = 0;
  #isGone = false;
  #exec: Exec | null = null;
  /** First of the client's folders; null when there is none, undefined until the client has listed them. */
  #root: string | null | undefined;
  #usedAtMs = performance.now();

  constructor(options: SessionOptions) {
    this.#options = options;
    this.idHash = options.idHash ?? hashOf(this.id);
  }

  /** Reconnects the client to its processes of an earlier gateway. */
  comeBack(): void {
    const { room, identity, client } = this.#options;
    this.#exec ??= room.comeBack(identity, client);
  }

  /** Reports the facts that a later gateway needs. */
  note(): void {
    const { client, version } = this.#options;
    const past = { tokenId: this.tokenId, client, version, isGone: this.#isGone };
    this.#options.noted?.(this.idHash, past);
  }

  get tokenId(): string {
    return this.#options.identity.tokenId;
  }

  get version(): Version {
    return this.#options.version;
  }

  /** Milliseconds since the client's last request or the end of its last call; 0 during a call or an open stream. */
  get idleMs(): number {
    return this.#held > 0 || this.#calls.size > 0 ? 0 : performance.now() - this.#usedAtMs;
  }

  /** Marks the client as active; a client that was disconnected continues with its processes. */
  touch(): void {
    this.#usedAtMs = performance.now();
    if (!this.#isGone) return;
    this.#isGone = false;
    this.note();
    if (this.#exec) this.#exec.reopen();
    else if (this.#options.idHash !== undefined) this.comeBack();
  }

  /** Counts an open stream; returns the function to call when it closes. Closing the last disconnects the client. */
  hold(): () => void {
    this.touch();
    this.#held += 1;
    return () => {
      this.#held -= 1;
      if (this.#held === 0) this.leave();
    };
  }

  /** Marks the client as disconnected: unless it returns, its processes end a grace period after its last call. */
  leave(): void {
    if (!this.#isGone) {
      this.#isGone = true;
      this.note();
    }
    if (this.#calls.size > 0) return;
    this.#exec?.close();
  }

  /** Aborts all calls and disconnects the client. */
  end(): void {
    for (const call of this.#calls.values()) call.abort();
    this.leave();
  }

  /** Returns the answer; null when the client has cancelled the call or closed the connection, and expects none. */
  async request(request: Request, reply: Reply): Promise<object | null> {
    const { id, method } = request;
    switch (method) {
      case 'ping':
        return resultOf(id, {});
      case 'tools/list':
        return resultOf(id, toolList(this.#options.client.name));
      case 'tools/call':
        return this.#call(request, reply);
      default:
        return errorOf(id, McpError.methodNotFound, `unknown method ${shortText(method) ?? ''}`);
    }
  }

  notification({ method, params }: Notification): void {
    if (method === 'notifications/roots/list_changed') this.#root = undefined;
    if (method !== 'notifications/cancelled') return;
    const { data } = cancelled.safeParse(params);
    // A cancellation after the answer has no effect; opencode always sends one.
    if (data) this.#calls.get(data.requestId)?.abort();
  }

  answered(response: Response): void {
    this.#asks.answered(response);
  }

  async #call({ id, params }: Request, reply: Reply): Promise<object | null> {
    const { data, error } = callParams.safeParse(params);
    if (!data) return errorOf(id, McpError.invalidParams, `tools/call: ${problemIn(error)}`);
    const tool = TOOLS.get(data.name);
    if (!tool) return errorOf(id, McpError.invalidParams, `Unknown tool: ${shortText(data.name) ?? ''}`);
    if (this.#calls.has(id))
      return errorOf(
        id,
        McpError.invalidRequest,
        `a call with the id ${id} is still running; use another id`,
      );
    if (this.#calls.size >= MOST_CALLS)
      return resultOf(
        id,
        shown({
          text: `${MOST_CALLS} calls are still running, which is the limit; wait until one has ended`,
          isError: true,
        }),
      );
    const controller = new AbortController();
    const over = new AbortController();
    this.#calls.set(id, controller);
    try {
      const signal = AbortSignal.any([controller.signal, reply.gone]);
      const call = await this.#circumstances(data, { reply, signal, over: over.signal });
      const answer = await tool(this.#entered(), data.arguments, call);
      over.abort(OVER);
      if (signal.aborted) return null;
      if (answer.given) reply.whenSent(answer.given);
      return resultOf(id, shown(answer));
    } finally {
      over.abort(OVER);
      this.#calls.delete(id);
      this.#usedAtMs = performance.now();
      if (this.#isGone) this.leave();
    }
  }

  #entered(): Exec {
    const { room, identity, client } = this.#options;
    const { name, version, thread } = client;
    this.#exec ??= room.enter(identity, { name, version, thread });
    return this.#exec;
  }

  async #circumstances(
    { name, arguments: args, _meta: meta }: CallParams,
    { reply, signal, over }: Waiting,
  ): Promise<Call> {
    const { client, identity } = this.#options;
    const facts = callFacts(meta);
    const { progressToken } = meta;
    let steps = 0;
    const progress = (message: string): void => {
      if (!reply.isOpenForMore) return;
      steps += 1;
      reply.send({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken, progress: steps, message: shortText(message, 200) ?? '' },
      });
    };
    const isStart = name === 'exec_command' && pathOf(args['workdir']) === null;
    return {
      ...facts,
      thread: facts.thread ?? client.thread,
      cwd: isStart ? await this.#folder(reply) : client.cwd,
      budgetMs: client.budgetMs,
      signal,
      ...(progressToken !== undefined && { progress }),
      ...(client.elicits &&
        identity.mayElicit && { onApproval: (approval) => void this.#elicit(approval, reply, over) }),
    };
  }

  /** Shows a waiting approval to the client's user; the first decision, there or in the console, counts. */
  async #elicit(approval: Approval, reply: Reply, over: AbortSignal): Promise<void> {
    const { identity, decide } = this.#options;
    const form = formOf(approval);
    const result = form && (await this.#asks.ask(reply, 'elicitation/create', form, over));
    const decision = decisionOf(result);
    if (!decision) return;
    try {
      decide(identity, approval.id, decision);
    } catch {
      // The decision is too late or not allowed, and has no effect.
    }
  }

  /**
   * Returns the first folder that the client lists, otherwise the folder in which it runs; null when neither
   * is known.
   */
  async #folder(reply: Reply): Promise<string | null> {
    const { client } = this.#options;
    if (client.hasRoots && this.#root === undefined) {
      const result = await this.#asks.ask(reply, 'roots/list', {}, AbortSignal.timeout(ROOTS_MS));
      // A client that did not list its folders, or could not be asked on this stream, is asked again in the next call.
      if (result !== null) this.#root = firstFolder(result);
    }
    return this.#root ?? client.cwd;
  }
}

function firstFolder(result: unknown): string | null {
  const { data } = roots.safeParse(result);
  for (const { uri } of data?.roots ?? []) {
    try {
      return pathFromUri(uri);
    } catch {
      // The URI names a folder of another machine, or has an editor-specific scheme.
    }
  }
  return null;
}

/** Converts an answer to a tool result; its values for programs go into `_meta`, not into structured content. */
const shown = ({ text, isError, meta = {} }: Answer): object => ({
  content: [{ type: 'text', text }],
  isError,
  _meta: Object.fromEntries(Object.entries(meta).map(([name, value]) => [`exec-console/${name}`, value])),
});
