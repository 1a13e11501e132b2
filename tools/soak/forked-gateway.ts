// Starts a gateway in a separate process; a soak has two.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { connect } from '../../client/node/connect.ts';
import type { SessionClient } from '../../client/session-client.ts';
import type { Held, GatewayAccess } from './gateway.ts';

export interface ForkedGateway {
  readonly pid: number | undefined;
  readonly gateway: GatewayAccess;
  held(): Promise<Held>;
  stop(): Promise<void>;
}

export async function forkGateway(): Promise<ForkedGateway> {
  const child = fork(join(import.meta.dirname, 'gateway.ts'), {
    execArgv: ['--expose-gc', '--import', 'tsx'],
  });
  const [gateway] = (await once(child, 'message')) as [GatewayAccess];
  return {
    pid: child.pid,
    gateway,
    async held() {
      const answer = once(child, 'message');
      child.send('how much');
      return ((await answer) as [Held])[0];
    },
    async stop() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

export function agentOf({ url, agentToken }: GatewayAccess): Promise<SessionClient> {
  return connect({ url, token: agentToken, clientName: 'agent' });
}
