// Approvals given with a token that is then revoked, at a real gateway: rules AP3 and AU18.
import { afterEach, expect, it } from 'vitest';
import type { CreateTokenResult } from '../../protocol/access.ts';
import { TestClient } from '../testing/test-client.ts';
import { decide, errorOf, GatedServer, waits } from '../testing/gated-server.ts';

let gated: GatedServer;
afterEach(() => gated.stop());

it('[AP3][AU18] an approval for the session ends with the token with which it was given', async () => {
  gated = await GatedServer.start();
  const { server } = gated;
  const [agent, admin] = [await server.client('agent'), await server.client('admin')];
  const params = { name: 'olga', role: 'operator', ttlMs: null };
  const { id, token } = await admin.request<CreateTokenResult>('console/createToken', params);
  const olga = await TestClient.open(server.url, { token });
  await olga.initialize();

  const first = agent.start(['true']);
  await decide(olga, (await waits(olga)).id, 'acceptForSession');
  await first;
  await agent.start(['true']);
  await admin.request('console/revokeToken', { id });

  const later = agent.start(['true']);
  await decide(admin, (await waits(admin)).id, 'acceptForSession');
  await later;
  await agent.start(['true']);
  const other = errorOf(agent.start(['false']));
  await decide(admin, (await waits(admin)).id, 'decline');
  expect(await other).toMatchObject({ code: -32603 });
});
