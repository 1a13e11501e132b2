// Sends HTTP requests to the gateway with a proof of the token.
import { once } from 'node:events';
import { request as requestInTheClear, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as requestWithTls } from 'node:https';
import type { Duplex } from 'node:stream';
import { cutTo } from '../../text/cut.ts';
import { visible } from '../../text/visible.ts';
import { MOST_ANSWER_BYTES } from '../../client/bounded-answer.ts';
import {
  prove,
  tokenCredential,
  UNKNOWN_CREDENTIAL,
  type Answered,
  type Credential,
} from '../../client/proof.ts';
import { PROOF, requestUse } from '../../protocol/proof.ts';
import { CommandFailed, ExitCode } from './exit-codes.ts';
import type { GatewayAddress } from './gateway-address.ts';
import type { ReusedConnections } from './reused-connections.ts';
import { pinnedTo } from './pinned-connection.ts';

/** Timeout for a reply from the gateway. */
const ANSWER_MS = 10_000;

/** Maximum number of characters of a refusal's text that are shown. */
const REASON_CHARS = 300;

/** Resolves with the parsed reply. Throws CommandFailed when there is no reply, or one other than 200 with JSON. */
export async function ask(address: GatewayAddress, method: 'GET' | 'POST', path: string): Promise<unknown> {
  const { host } = address.url;
  const { status, body } = await proved(address, method, path);
  const answer = status === 200 ? parse(body) : undefined;
  if (answer !== undefined) return answer;
  if ([401, 403, 421, 429].includes(status))
    throw refused(host, visible(cutTo(body.trim(), REASON_CHARS)) || `status ${status}`);
  throw noGateway(host);
}

const refused = (host: string, why: string): CommandFailed =>
  new CommandFailed(ExitCode.refused, `the gateway at ${host} refused the request: ${why}`);

const noGateway = (host: string): CommandFailed =>
  new CommandFailed(
    ExitCode.noGateway,
    `the server at ${host} is not an exec-console gateway, or is a different version; check the address and the version`,
  );

/** Sends the request with a one-time proof that does not reveal the token. */
async function proved(address: GatewayAddress, method: 'GET' | 'POST', path: string): Promise<Answered> {
  const headers = { authorization: await authorization(address, requestUse(method, path)) };
  return answered(address, { method, path, headers, signal: AbortSignal.timeout(ANSWER_MS) });
}

/** State that a command reuses when it sends many requests. */
export interface ReusedState {
  readonly connections: ReusedConnections;
  /** Credential derived from the token in the address. */
  readonly credential: Credential;
}

/**
 * Resolves with the value of the header that proves the token for `use`. Throws CommandFailed when the gateway
 * refuses the token or does not answer, or when another program answers.
 */
export async function authorization(
  address: GatewayAddress,
  use: string,
  reused: ReusedState | null = null,
): Promise<string> {
  const { host } = address.url;
  const credential = reused?.credential ?? (await tokenCredential(address.token));
  const outcome = await prove(
    credential,
    (challenge) => askChallenge(address, challenge, reused?.connections),
    use,
  );
  switch (outcome.kind) {
    case 'refused':
      throw refused(
        host,
        outcome.reason === UNKNOWN_CREDENTIAL
          ? `${outcome.reason}: the token may have expired or been revoked, or belong to another gateway; ask an admin of this gateway for a new token`
          : outcome.reason,
      );
    case 'stranger':
      throw new CommandFailed(
        ExitCode.noGateway,
        `another program answers at ${host}, not the gateway of this token; the token was not sent`,
      );
    case 'unreachable':
      throw outcome.status === 429
        ? refused(host, 'too many failed sign-ins; try again in a minute')
        : noGateway(host);
    case 'proved':
      return `${PROOF.scheme} ${outcome.proof}`;
  }
}

/** Requests the challenge at `path`, for a later HTTP request or WebSocket connection. */
export function askChallenge(
  address: GatewayAddress,
  path: string,
  connections?: ReusedConnections,
): Promise<Answered> {
  const signal = AbortSignal.timeout(ANSWER_MS);
  const asked = { method: 'GET', path: `/${path}`, headers: {}, signal };
  return answered(address, connections ? { ...asked, connections } : asked);
}

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly body?: string;
  /** Time without a byte after which the request fails; by default, only `signal` aborts it. */
  readonly silentMs?: number;
  /** Default: a connection for this request alone. */
  readonly connections?: ReusedConnections;
}

/** Resolves with the response once its head has arrived. */
export async function open(address: GatewayAddress, asked: Asked): Promise<IncomingMessage> {
  for (;;) {
    const request = begun(address, asked);
    try {
      return await sent(request, asked);
    } catch (error) {
      // The gateway may close a connection just as it is reused; only requests that change nothing are repeated.
      if (!request.reusedSocket || asked.method !== 'GET') throw error;
    }
  }
}

/** Sends a request on a connection on which the gateway has proved itself; resolves with null when there is none. */
export async function openReused(address: GatewayAddress, asked: Asked): Promise<IncomingMessage | null> {
  const request = begun(address, asked);
  if (request.reusedSocket) return sent(request, asked);
  request.once('error', () => undefined).destroy();
  return null;
}

/** Returns a request that has not been sent yet. */
function begun(
  { url, fingerprint }: GatewayAddress,
  { method, path, headers, signal, connections }: Asked,
): ClientRequest {
  // A proxy may serve the gateway below a path, which the request must include: other paths may belong to other
  // servers.
  const folder = url.pathname.replace(/\/?$/, '');
  const target = new URL(`${url.protocol.replace('ws', 'http')}//${url.host}${folder}${path}`);
  const isTls = target.protocol === 'https:';
  const pin = isTls ? fingerprint() : null;
  const request = isTls ? requestWithTls : requestInTheClear;
  // An HTTP agent would ignore `createConnection` of a request, so a request never has both.
  const alone = pin === null ? { agent: false } : { createConnection: pinnedTo(pin) };
  const way = connections ? { agent: connections.agent(target.protocol, pin) } : alone;
  return request(target, { method, headers, signal, ...way });
}

async function sent(request: ClientRequest, { body, silentMs }: Asked): Promise<IncomingMessage> {
  if (silentMs !== undefined)
    request.setTimeout(silentMs, () => request.destroy(new Error('the gateway does not respond')));
  // Node reports neither a response nor an error when a program switches the protocol, so `close` ends the wait.
  const ended = new AbortController();
  request.once('upgrade', (_response, socket: Duplex) => socket.destroy());
  request.once('close', () => ended.abort());
  request.end(body);
  try {
    const [response] = (await once(request, 'response', { signal: ended.signal })) as [IncomingMessage];
    return response;
  } catch (error) {
    throw ended.signal.aborted ? noGateway(String(request.getHeader('host'))) : error;
  }
}

/** Throws CommandFailed when there is no answer; an aborted `asked.signal` means that the time limit has passed. */
async function answered(address: GatewayAddress, asked: Asked): Promise<Answered> {
  try {
    const response = await open(address, asked);
    return { status: response.statusCode ?? 0, body: await boundedText(response) };
  } catch (cause) {
    if (!asked.signal.aborted && cause instanceof CommandFailed) throw cause;
    const { host } = address.url;
    const why = asked.signal.aborted
      ? `the gateway at ${host} has not answered for ${ANSWER_MS / 1000} s`
      : `no gateway answers at ${host}${reasonOf(cause)}`;
    throw new CommandFailed(ExitCode.noGateway, why, { cause });
  }
}

/** Resolves with the first MOST_ANSWER_BYTES of a response as text, since any program may have sent it. */
async function boundedText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    // Leaving the loop closes the connection.
    if (bytes >= MOST_ANSWER_BYTES) break;
  }
  return Buffer.concat(chunks).toString('utf8', 0, MOST_ANSWER_BYTES);
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Error codes of untrusted certificates, for which an explanation is printed. */
const UNTRUSTED: readonly unknown[] = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
];

function reasonOf(cause: unknown): string {
  const { code } = cause as { code?: unknown };
  if (UNTRUSTED.includes(code))
    return ` with a certificate that this system trusts (${String(code)}); set NODE_EXTRA_CA_CERTS=FILE to trust its authority`;
  return typeof code === 'string' ? ` (${code}); check the address, and that a gateway is running there` : '';
}
