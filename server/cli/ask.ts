// A plain HTTP request to the gateway, with the command's proof.
import { once } from 'node:events';
import { request as requestInTheClear, type IncomingMessage } from 'node:http';
import { request as requestWithTls } from 'node:https';
import { text } from 'node:stream/consumers';
import { visible } from '../protocol/visible.ts';
import { CommandFailed, ExitCode } from './exit-codes.ts';
import type { GatewayAddress } from './gateway-address.ts';
import { pinnedTo } from './pinned-connection.ts';

/** How long the gateway has for its answer. */
const ANSWER_MS = 10_000;

/** What there is in it, parsed. Throws CommandFailed for everything but a success. */
export async function ask(address: GatewayAddress, method: 'GET' | 'POST', path: string): Promise<unknown> {
  const { host } = address.url;
  const { status, body } = await send(address, method, path).catch((cause: unknown) => {
    throw new CommandFailed(ExitCode.noGateway, `no gateway answers at ${host}${reasonOf(cause)}`, { cause });
  });
  const answer = status === 200 ? parse(body) : undefined;
  if (answer !== undefined) return answer;
  if ([401, 403, 421, 429].includes(status)) {
    const why = visible(body.trim()) || `status ${status}`;
    throw new CommandFailed(ExitCode.refused, `the gateway at ${host} refuses: ${why}`);
  }
  throw new CommandFailed(ExitCode.noGateway, `what answers at ${host} is no gateway of this version`);
}

async function send({ url, token, fingerprint }: GatewayAddress, method: string, path: string) {
  // Behind a proxy it may be below a path, beside which somebody else answers.
  const folder = url.pathname.replace(/\/?$/, '');
  const target = new URL(`${url.protocol.replace('ws', 'http')}//${url.host}${folder}${path}`);
  const pin = fingerprint();
  const request = target.protocol === 'https:' ? requestWithTls : requestInTheClear;
  const asked = request(target, {
    method,
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(ANSWER_MS),
    // With an agent, one's own way to connect would not be asked.
    ...(pin === null ? { agent: false } : { createConnection: pinnedTo(pin) }),
  });
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, body: await text(response) };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Of a certificate that nobody here vouches for, and that is what people meet first. */
const UNTRUSTED: readonly unknown[] = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
];

function reasonOf(cause: unknown): string {
  const { code } = cause as { code?: unknown };
  if (UNTRUSTED.includes(code))
    return ` with a certificate that is trusted here (${String(code)}): NODE_EXTRA_CA_CERTS=FILE adds its authority`;
  return typeof code === 'string' ? ` (${code})` : '';
}
