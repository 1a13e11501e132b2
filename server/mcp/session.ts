// One MCP client: its calls in progress, its default folder, and the room in which its processes are.
import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Approval } from '../../protocol/approvals.ts';
import type { Identity } from '../policy/identity.ts';
import type { Answer, Call } from '../unified/unified-exec.ts';
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
import type { Reply } from './reply.ts';
import type { Exec, Room } from './room.ts';

/** Time that a client has to name its folders; a call does without them then. */
const ROOTS_MS = 2000;

/** Calls of one session that are worked on at once; an agent makes a handful. */
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

/** A session as a later gateway needs it, by the hash of its id. */
export interface PastMcpSession {
  readonly tokenId: string;
  readonly client: McpClient;
  readonly version: Version;
  /** True when its client was gone; then nothing waited for it. */
  readonly isGone: boolean;
}

export const hashOf = (id: string): string => createHash('sha256').update(id).digest('hex');

export interface SessionOptions {
  readonly identity: Identity;
  readonly client: McpClient;
  readonly version: Version;
  readonly room: Room;
  /** Takes a decision of the person at the client; it may come too late, or not be allowed. */
  readonly decide: (identity: Identity, id: string, decision: 'accept' | 'decline') => void;
  /** The hash of the id that it has from an earlier gateway; absent for a new one. */
  readonly idHash?: string;
  /** Called when a later gateway needs to know another fact. */
  readonly noted?: (idHash: string, past: PastMcpSession) => void;
}

interface Waiting {
  readonly reply: Reply;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Aborted when the answer is there, and when nobody waits for it any more. */
  readonly over: AbortSignal;
}

export class McpSession {
  /** A secret; one that was not used for a session of an earlier gateway. */
  readonly id = randomUUID();
  readonly idHash: string;
  readonly #options: SessionOptions;
  readonly #asks = new Asks();
  readonly #calls = new Map<string | number, AbortController>();
  /** Connections that the client holds open, by which it is known to be there. */
  #held = 0;
  #isGone = false;
  #exec: Exec | null = null;
  /** First of the client's folders; undefined until it was asked. */
  #root: string | null | undefined;
  #usedAtMs = performance.now();

  constructor(options: SessionOptions) {
    this.#options = options;
    this.idHash = options.idHash ?? hashOf(this.id);
  }

  /** Goes on at once with what the client has from an earlier gateway. */
  comeBack(): void {
    const { room, identity, client } = this.#options;
    this.#exec ??= room.comeBack(identity, client);
  }

  /** Notes what a later gateway needs. */
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

  /** Milliseconds for which nothing shows that the client is there; 0 while something does. */
  get idleMs(): number {
    return this.#held > 0 || this.#calls.size > 0 ? 0 : performance.now() - this.#usedAtMs;
  }

  /** Notes that the client is there. */
  touch(): void {
    this.#usedAtMs = performance.now();
    if (!this.#isGone) return;
    this.#isGone = false;
    this.note();
  }

  /** Holds the session while a connection is open; the last one that closes means that the client is gone. */
  hold(): () => void {
    this.touch();
    this.#held += 1;
    return () => {
      this.#held -= 1;
      if (this.#held === 0) this.leave();
    };
  }

  /** The client is gone: its processes get their grace, unless it comes back. */
  leave(): void {
    if (!this.#isGone) {
      this.#isGone = true;
      this.note();
    }
    if (this.#calls.size > 0) return;
    this.#exec?.close();
    this.#exec = null;
  }

  /** Ends the waits of all calls, too. */
  end(): void {
    for (const call of this.#calls.values()) call.abort();
    this.leave();
  }

  /** Resolves with the answer; with null when the client has cancelled, and expects none. */
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
    // One that comes after the answer is nothing: opencode sends it always.
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
      return errorOf(id, McpError.invalidRequest, `a call with the id ${id} is not over; use another id`);
    if (this.#calls.size >= MOST_CALLS)
      return resultOf(
        id,
        shown({ text: `${MOST_CALLS} calls are not over, which is the limit`, isError: true }),
      );
    const controller = new AbortController();
    const over = new AbortController();
    this.#calls.set(id, controller);
    try {
      const signal = AbortSignal.any([controller.signal, reply.gone]);
      const call = await this.#circumstances(data, { reply, signal, over: over.signal });
      const answer = await tool(this.#entered(), data.arguments, call);
      over.abort();
      if (signal.aborted) return null;
      if (answer.given) reply.whenSent(answer.given);
      return resultOf(id, shown(answer));
    } finally {
      over.abort();
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

  /** Puts a request that waits to the person at the client; whoever decides first, there or in the console, counts. */
  async #elicit(approval: Approval, reply: Reply, over: AbortSignal): Promise<void> {
    const { identity, decide } = this.#options;
    const form = formOf(approval);
    const result = form && (await this.#asks.ask(reply, 'elicitation/create', form, over));
    const decision = decisionOf(result);
    if (!decision) return;
    try {
      decide(identity, approval.id, decision);
    } catch {
      // Somebody has decided in the console meanwhile.
    }
  }

  /** The first folder that the client names, or else the one in which it runs. */
  async #folder(reply: Reply): Promise<string | null> {
    const { client } = this.#options;
    if (client.hasRoots && this.#root === undefined) {
      const result = await this.#asks.ask(reply, 'roots/list', {}, AbortSignal.timeout(ROOTS_MS));
      // A client that could not be asked on this answer is asked on the next.
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
      // A folder of another machine, or of an editor's own kind.
    }
  }
  return null;
}

/** The result of a tool; its values for programs have our prefix, and never are the structured content. */
const shown = ({ text, isError, meta = {} }: Answer): object => ({
  content: [{ type: 'text', text }],
  isError,
  _meta: Object.fromEntries(Object.entries(meta).map(([name, value]) => [`exec-console/${name}`, value])),
});
