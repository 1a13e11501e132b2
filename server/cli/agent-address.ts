// Finds the address of the gateway for an agent's commands, with the agent's token instead of the local user's.
import { findLocalGateway } from '../policy/local-gateway.ts';
import { agentToken } from './agent-token.ts';
import type { Arguments } from './arguments.ts';
import { gatewayAddress, type GatewayAddress } from './gateway-address.ts';
import { stateDirOf } from './state-folder.ts';

/** Resolves with the address. Throws CommandFailed when there is no gateway, and the errors of `agentToken`. */
export async function agentAddress(
  args: Arguments,
  env: NodeJS.ProcessEnv,
  name: string,
): Promise<GatewayAddress> {
  const address = gatewayAddress(args, env);
  const folder = stateDirOf(args.text('state-dir'), env);
  const isOwners = findLocalGateway(folder)?.token === address.token;
  return isOwners ? { ...address, token: await agentToken(folder, name) } : address;
}
