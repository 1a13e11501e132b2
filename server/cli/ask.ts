// A plain HTTP request to the gateway, with the command's proof.
import { CommandFailed, ExitCode } from './exit-codes.ts';
import type { GatewayAddress } from './gateway-address.ts';

/** How long the gateway has for its answer. */
const ANSWER_MS = 10_000;

/** Throws CommandFailed for everything but a success. */
export async function ask(
  { url, token }: GatewayAddress,
  method: 'GET' | 'POST',
  path: string,
): Promise<Response> {
  const target = new URL(path, `${url.protocol.replace('ws', 'http')}//${url.host}`);
  const signal = AbortSignal.timeout(ANSWER_MS);
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(target, { method, headers, signal }).catch((cause: unknown) => {
    throw new CommandFailed(ExitCode.noGateway, `no gateway answers at ${url.host}${reasonOf(cause)}`, {
      cause,
    });
  });
  if (response.ok) return response;
  const why = (await response.text()).trim() || `status ${response.status}`;
  if ([401, 403, 421, 429].includes(response.status)) {
    throw new CommandFailed(ExitCode.refused, `the gateway at ${url.host} refuses: ${why}`);
  }
  throw new CommandFailed(ExitCode.noGateway, `what answers at ${url.host} is no gateway of this version`);
}

function reasonOf(cause: unknown): string {
  const code = (cause as { cause?: { code?: unknown } }).cause?.code;
  return typeof code === 'string' ? ` (${code})` : '';
}
