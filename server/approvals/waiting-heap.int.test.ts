// Memory of waiting requests whose messages consist of thousands of short parts: rules AP5, AP8 and LI17.
import { afterEach, expect, it } from 'vitest';
import { endGateway, heapBytes, open, startGateway } from '../testing/heap-after-requests.ts';
import { decide, errorOf, list } from '../testing/gated-server.ts';
import type { TestClient } from '../testing/test-client.ts';

const MIB = 1024 ** 2;
/** Number of requests. Without a compact form, they would take a hundred MiB. */
const TIMES = 60;
/** Maximum memory that a waiting request takes, as a multiple of its message's size. */
const MOST_TIMES = 3;

afterEach(endGateway);

const members = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`v${at.toString(36)}`, 'x']));
const start = (more: object) => ({
  argv: ['true'],
  cwd: 'file:///tmp',
  env: {},
  tty: false,
  arg0: null,
  ...more,
});
const policy = { inherit: 'none', ignoreDefaultExcludes: true, exclude: [], includeOnly: [] };

const REQUESTS: readonly [what: string, method: string, params: object][] = [
  [
    'variables and metadata of a start',
    'process/start',
    start({ env: members(3300), envPolicy: { ...policy, set: members(3300) }, metadata: members(3300) }),
  ],
  [
    'variables of a start in the first dialect',
    'command/exec',
    { argv: ['true'], cwd: '/tmp', env: members(9900), tty: false },
  ],
  [
    'headers',
    'http/request',
    {
      method: 'GET',
      url: 'http://127.0.0.1:1/',
      headers: Object.entries(members(1000)).map(([name, value]) => ({ name, value })),
    },
  ],
  [
    'variables and metadata of a tool call',
    'approvals/ask',
    { tool: 'Bash', argv: ['true'], cwd: 'file:///tmp', env: members(4900), metadata: members(4900) },
  ],
];

it.each(REQUESTS)(
  '[AP8][LI17] many waiting requests with thousands of %s take memory in proportion to their messages',
  async (_what, method, params) => {
    await startGateway({ approvals: 'always' });
    const [agent, operator] = [await open('agent'), await open('operator')];
    let sent = 0;
    const ask = async (client: TestClient, at: number): Promise<void> => {
      const each = { ...params, processId: `p${at}`, requestId: `r${at}` };
      sent += JSON.stringify(each).length;
      void errorOf(client.request(method, each));
      // Polling the count confirms that the requests wait, and limits their rate.
      if (at % 20 === 0)
        await expect.poll(async () => (await list(operator)).approvals.length).toBeGreaterThan(at - 1);
    };
    await ask(agent, 0);
    const [before, sentBefore] = [await heapBytes(), sent];
    for (let at = 1; at <= TIMES; at += 1) await ask(agent, at);
    const { approvals } = await list(operator);
    expect(approvals).toHaveLength(TIMES + 1);
    expect(JSON.stringify(approvals).length / approvals.length).toBeLessThan(16 * 1024);
    expect((await heapBytes()) - before).toBeLessThan((sent - sentBefore) * MOST_TIMES + 4 * MIB);
  },
);

it('[AP5][AP8] a request with many variables shows the first ones, and all of them by its id', async () => {
  await startGateway({ approvals: 'always' });
  const [agent, operator] = [await open('agent'), await open('operator')];
  const env = { ...members(60), v0: 'y'.repeat(2000) };
  const started = errorOf(agent.request('process/start', { ...start({ env }), processId: 'p' }));
  await expect.poll(async () => (await list(operator)).approvals.length).toBe(1);
  const [shown] = (await list(operator)).approvals;
  // The missing PATH is not among the variables, since it has no value.
  expect(shown).toMatchObject({ isWhole: false, moreVariables: 10 });
  expect(shown?.variables).toHaveLength(50);
  const [whole] = (await list(operator, { id: shown?.id })).approvals;
  expect(whole).toMatchObject({ isWhole: true, moreVariables: 0 });
  expect(whole?.variables).toEqual(
    Object.entries(env)
      .map(([name, value]) => ({ name, value }))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1)),
  );
  await decide(operator, shown?.id ?? '', 'decline');
  await started;
});

it('[AP8] requests that would exceed the bytes of waiting requests are refused, and others still wait', async () => {
  await startGateway({ approvals: 'always' }, { approvalsWaitingBytes: 2 * MIB });
  const [agent, operator] = [await open('agent'), await open('operator')];
  const env = members(9900);
  const replies = Array.from({ length: 20 }, (_, at) =>
    errorOf(agent.request('process/start', { ...start({ env }), processId: `p${at}` })),
  );
  const refused = await replies.at(-1);
  expect(refused?.message).toMatch(
    /this token may have at most 1,048,576 bytes of requests waiting for approval at a time and has [\d,]+/,
  );
  expect((await list(operator)).approvals.length).toBeGreaterThan(5);
});
