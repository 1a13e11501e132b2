// Endpoint /mcp: the Model Context Protocol over streamable HTTP, for agents with their own token.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Identity } from '../policy/identity.ts';
import { clientOf } from './client.ts';
import { McpConnections, type ConnectionsOptions } from './connections.ts';
import { initializeResult, negotiated, UNNAMED_VERSION, VERSIONS } from './handshake.ts';
import {
  errorOf,
  isRequest,
  isResponse,
  McpError,
  messageOf,
  resultOf,
  type Message,
  type Request,
} from './messages.ts';
import { bodyOf } from './body.ts';
import { Reply, type Accepts } from './reply.ts';
import type { Notes } from '../unified/notes.ts';
import type { Room } from './room.ts';
import type { McpSession, SessionOptions } from './session.ts';
import { McpSessions, type SessionsLimits } from './sessions.ts';

export interface McpDoorOptions extends ConnectionsOptions {
  readonly room: Room;
  readonly decide: SessionOptions['decide'];
  readonly limits: SessionsLimits;
  readonly version: string;
  /** Notes for a later gateway; null, the default, when no gateway will read them. */
  readonly notes?: Notes | null;
}

/** Maximum number of messages in one POST; only the oldest protocol version allows several. */
const MOST_TOGETHER = 100;

const SESSION = 'mcp-session-id';
const VERSION = 'mcp-protocol-version';

export class McpDoor {
  readonly #options: McpDoorOptions;
  readonly #sessions: McpSessions;
  readonly #connections: McpConnections;

  constructor(options: McpDoorOptions) {
    this.#options = options;
    this.#sessions = new McpSessions(options.limits, options.notes ?? null);
    this.#connections = new McpConnections(options);
  }

  /**
   * Restores the sessions of an earlier gateway; `identityOf` returns null for a token that is no longer
   * valid.
   */
  restore(identityOf: (tokenId: string) => Identity | null): void {
    const { room, decide } = this.#options;
    this.#sessions.restore(({ tokenId, client, version }) => {
      const identity = identityOf(tokenId);
      return identity && { identity, client, version, room, decide };
    });
  }

  /** Handles one authenticated request, whose body must not have been read yet. */
  async serve(request: IncomingMessage, response: ServerResponse, identity: Identity): Promise<void> {
    const whyFull = this.#connections.begin(request.socket, response, identity);
    if (whyFull !== null) {
      request.resume();
      response.setHeader('connection', 'close');
      refuse(response, 429, null, [McpError.invalidRequest, whyFull]);
      return;
    }
    if (identity.role !== 'agent') {
      request.resume();
      refuse(response, 403, null, [
        McpError.invalidRequest,
        `the token ${identity.name} has the role ${identity.role}, but /mcp accepts only agent tokens; create one with: exec-console token create NAME --role agent`,
      ]);
      return;
    }
    if (request.method === 'POST') await this.#post(request, response, identity);
    else {
      request.resume();
      if (request.method === 'GET') this.#hold(request, response, identity);
      else if (request.method === 'DELETE') this.#end(request, response, identity);
      else notAllowed(response);
    }
  }

  /** Ends the sessions and closes the connections of a revoked token. */
  revoke(tokenId: string): void {
    this.#sessions.revoke(tokenId);
    this.#connections.revoke(tokenId);
  }

  close(): void {
    this.#sessions.close();
  }

  async #post(request: IncomingMessage, response: ServerResponse, identity: Identity): Promise<void> {
    const accepts = acceptedBy(request);
    if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
      request.resume();
      refuse(response, 415, null, [McpError.invalidRequest, 'the Content-Type must be application/json']);
      return;
    }
    const body = await bodyOf(request, response);
    if (body.kind === 'over') return;
    if (body.kind === 'notProved') {
      refuse(response, 400, null, [
        McpError.invalidRequest,
        'the proof of the request does not match its body',
      ]);
      return;
    }
    if (!accepts.json && !accepts.stream) {
      refuse(response, 406, null, [
        McpError.invalidRequest,
        'the client must accept application/json or text/event-stream',
      ]);
      return;
    }
    if (body.kind === 'notJson') {
      refuse(response, 400, null, [
        McpError.parse,
        'the body is not JSON, or has too many or too deeply nested values',
      ]);
      return;
    }
    const messages = messagesOf(body.value);
    const [first] = messages ?? [];
    if (!messages || !first) {
      refuse(response, 400, null, [
        McpError.invalidRequest,
        `the body is neither a JSON-RPC message nor a list of 1 to ${MOST_TOGETHER} messages`,
      ]);
      return;
    }
    if (isRequest(first) && first.method === 'initialize' && messages.length === 1)
      this.#initialize(first, response, identity);
    else
      await this.#further(messages, {
        request,
        response,
        identity,
        accepts,
        isBatch: Array.isArray(body.value),
      });
  }

  #initialize(request: Request, response: ServerResponse, identity: Identity): void {
    const { room, decide, version: ownVersion } = this.#options;
    const client = clientOf(request.params);
    if (!client) {
      refuse(response, 400, request.id, [
        McpError.invalidParams,
        'initialize: expected capabilities, and clientInfo with a name',
      ]);
      return;
    }
    const version = negotiated(request.params?.['protocolVersion']);
    const session = this.#sessions.open({ identity, client, version, room, decide });
    if (typeof session === 'string') {
      refuse(response, 429, request.id, [McpError.invalidRequest, session]);
      return;
    }
    response.setHeader(SESSION, session.id);
    sendJson(response, 200, resultOf(request.id, initializeResult(version, ownVersion)));
  }

  async #further(
    messages: readonly Message[],
    visit: {
      readonly request: IncomingMessage;
      readonly response: ServerResponse;
      readonly identity: Identity;
      readonly accepts: Accepts;
      readonly isBatch: boolean;
    },
  ): Promise<void> {
    const { request, response, identity, accepts, isBatch } = visit;
    const [first] = messages;
    const id = first && isRequest(first) ? first.id : null;
    const named = request.headers[SESSION];
    if (typeof named !== 'string') {
      // Claude Code sends `server/discover` before it initializes, and falls back immediately if the method
      // is unknown.
      if (first && isRequest(first) && first.method !== 'initialize' && !isOfSession(first)) {
        sendJson(response, 200, errorOf(first.id, McpError.methodNotFound, 'unknown method'));
        return;
      }
      refuse(response, 400, id, [
        McpError.invalidRequest,
        'the Mcp-Session-Id header is missing; call initialize first',
      ]);
      return;
    }
    const session = this.#sessions.find(named, identity);
    if (!session) {
      refuse(response, 404, id, [
        McpError.unknownSession,
        'the session has ended or is unknown; call initialize',
      ]);
      return;
    }
    const why = whyNoVersion(request, session) ?? (isBatch ? whyNoBatch(session) : null);
    if (why !== null) {
      refuse(response, 400, id, [McpError.invalidRequest, why]);
      return;
    }
    const requests: Request[] = [];
    for (const message of messages) {
      if (isRequest(message)) requests.push(message);
      else if (isResponse(message)) session.answered(message);
      else session.notification(message);
    }
    if (requests.length === 0) {
      response.writeHead(202).end();
      return;
    }
    const reply = new Reply(response, accepts);
    const answers = await Promise.all(requests.map((each) => session.request(each, reply)));
    const given = answers.filter((answer) => answer !== null);
    reply.end(isBatch && given.length > 0 ? given : (given[0] ?? null));
  }

  /** Opens a stream without messages; the client counts as connected while the stream is open. */
  #hold(request: IncomingMessage, response: ServerResponse, identity: Identity): void {
    const named = request.headers[SESSION];
    const { stream } = acceptedBy(request);
    if (typeof named !== 'string' || !stream) {
      notAllowed(response);
      return;
    }
    const session = this.#sessions.find(named, identity);
    if (!session) {
      refuse(response, 404, null, [
        McpError.unknownSession,
        'the session has ended or is unknown; call initialize',
      ]);
      return;
    }
    const release = session.hold();
    response.once('close', release);
    new Reply(response, { json: false, stream: true }).begin();
  }

  #end(request: IncomingMessage, response: ServerResponse, identity: Identity): void {
    const named = request.headers[SESSION];
    const session = typeof named === 'string' ? this.#sessions.find(named, identity) : null;
    if (session) this.#sessions.end(session);
    response.writeHead(session ? 200 : 404).end();
  }
}

const isOfSession = ({ method }: Request): boolean => /^(ping|tools\/)/.test(method);

function messagesOf(body: unknown): readonly Message[] | null {
  const all = (Array.isArray(body) ? body : [body]).slice(0, MOST_TOGETHER + 1).map(messageOf);
  return all.length <= MOST_TOGETHER && all.every((each) => each !== null) ? all : null;
}

function whyNoVersion({ headers }: IncomingMessage, session: McpSession): string | null {
  const named = headers[VERSION] ?? session.version;
  return VERSIONS.some((each) => each === named)
    ? null
    : `this protocol version is not supported; supported versions: ${VERSIONS.join(', ')}`;
}

const whyNoBatch = ({ version }: McpSession): string | null =>
  version === UNNAMED_VERSION
    ? null
    : 'this protocol version does not allow several messages in one body; send each in its own POST';

function acceptedBy({ headers: { accept = '*/*' } }: IncomingMessage): Accepts {
  const has = (type: string): boolean => accept.includes(type) || accept.includes('*/*');
  return { json: has('application/json'), stream: accept.includes('text/event-stream') };
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}

const refuse = (
  response: ServerResponse,
  status: number,
  id: Request['id'] | null,
  [code, message]: readonly [code: number, message: string],
): void => sendJson(response, status, errorOf(id, code, message));

const notAllowed = (response: ServerResponse): void => {
  response.writeHead(405, { allow: 'GET, POST, DELETE' }).end();
};
