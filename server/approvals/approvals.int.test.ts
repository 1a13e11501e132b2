// Starts of agents that wait for approval, at a real gateway: rules AP1 to AP8.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Approval } from '../../protocol/approvals.ts';
import type { AuditEntry } from '../../protocol/audit.ts';
import type { ProcessInfo } from '../../protocol/console.ts';
import { decide, errorOf, exitOf, GatedServer, list, waiting, waits } from '../testing/gated-server.ts';
import type { TestServer } from '../testing/test-server.ts';

let gated: GatedServer;
let server: TestServer;
const gate = async (...how: Parameters<typeof GatedServer.start>): Promise<void> => {
  gated = await GatedServer.start(...how);
  ({ server } = gated);
};
afterEach(() => gated.stop());

describe('A start under the policy always', () => {
  it('[AP1] waits, is reported with its whole command, and runs when it is accepted', async () => {
    await gate();
    const [agent, operator] = [await server.client('agent'), await server.client('operator')];
    const started = agent.start(gated.touch('a'), { metadata: { threadId: 't1' } });
    const asked = await waits(operator);
    expect(asked).toMatchObject({
      state: 'waiting',
      kind: 'start',
      method: 'process/start',
      argv: gated.touch('a'),
      cwd: '/tmp',
      startedBy: 'the agent',
      metadata: { threadId: 't1' },
      reason: 'no rule allows it',
      rule: null,
      proposedRules: [`prefix_rule(pattern=["touch", "${gated.marked('a')}"], decision="allow")`],
      decision: null,
      variables: [],
    });
    await agent.request('environment/status');
    expect(existsSync(gated.marked('a'))).toBe(false);
    await decide(operator, asked.id, 'accept');
    expect(await exitOf(agent, started)).toMatchObject({ exitCode: 0 });
    expect(existsSync(gated.marked('a'))).toBe(true);
    expect(await waiting(operator)).toEqual([]);
    expect((await list(operator, { all: true })).approvals).toMatchObject([
      { id: asked.id, state: 'accepted', decision: 'accept', decidedBy: 'the operator' },
    ]);
    const again = errorOf(agent.start(gated.touch('a')));
    await decide(operator, (await waits(operator)).id, 'decline');
    expect(await again).toMatchObject({ code: -32603 });
  });

  it('[AP2] fails with the person’s name and message when it is declined', async () => {
    await gate();
    const [agent, operator] = [await server.client('agent'), await server.client('operator')];
    const started = errorOf(agent.start(gated.touch('a')));
    await decide(operator, (await waits(operator)).id, 'decline', { message: 'use make' });
    expect(await started).toEqual({ code: -32603, message: 'declined by the operator: use make' });
    expect(existsSync(gated.marked('a'))).toBe(false);
  });

  it('[AP2] is decided once, and a later decision is refused with the first one', async () => {
    await gate();
    const [agent, operator, admin] = [
      await server.client('agent'),
      await server.client('operator'),
      await server.client('admin'),
    ];
    const started = agent.start(['true']);
    const { id } = await waits(operator);
    await decide(admin, id, 'accept');
    await started;
    expect(await errorOf(decide(operator, id, 'decline'))).toEqual({
      code: -32600,
      message: 'the admin has already approved the request',
    });
    expect(await errorOf(decide(operator, 'a-none', 'accept'))).toMatchObject({ code: -32020 });
  });

  it('[AP3] is approved only for that session and the same command when it is accepted for the session', async () => {
    await gate();
    const [agent, operator] = [await server.client('agent'), await server.client('operator')];
    const started = [agent.start(['bash', '-lc', 'echo  a']), agent.start(['bash', '-lc', 'echo a'])];
    const { id } = await waits(operator, 2);
    await decide(operator, id, 'acceptForSession');
    // The other waiting request for the same command is released as well.
    await Promise.all(started);
    await agent.start(['bash', '-c', 'echo a']);
    const others = [
      agent.start(['bash', '-lc', 'echo b']),
      agent.start(['bash', '-lc', 'echo a'], { cwd: 'file:///usr' }),
      agent.start(['bash', '-lc', 'echo a'], { tty: true }),
      agent.start(['zsh', '-lc', 'echo a']),
      agent.start(['bash', '-lc', 'echo a'], { env: { PATH: '/usr/bin', BASH_ENV: '/tmp/x' } }),
      (await server.client('agent')).start(['bash', '-lc', 'echo a']),
    ].map(errorOf);
    await waits(operator, 6);
    for (const each of await waiting(operator)) await decide(operator, each.id, 'decline');
    expect((await Promise.all(others)).map((error) => error?.code)).toEqual(Array(6).fill(-32603));
    await agent.cut();
    const back = await server.client('agent', agent.sessionId);
    await back.start(['bash', '-lc', 'echo a'], { processId: 'again' });
  });

  it('[AP3] is allowed permanently, as are identical waiting requests, when it is accepted with a rule', async () => {
    await gate();
    const [agent, operator] = [await server.client('agent'), await server.client('operator')];
    const other = await server.client('agent');
    const started = [agent.start(gated.touch('a')), other.start(gated.touch('a'))];
    const { id } = await waits(operator, 2);
    await decide(operator, id, 'acceptWithRule');
    await Promise.all(started);
    // The decided request names its decision; the released one names the author of the rule.
    const { approvals } = await list(operator, { all: true });
    expect(approvals).toMatchObject([
      { id, decision: 'acceptWithRule', decidedBy: 'the operator' },
      { decision: 'released', decidedBy: 'the operator' },
    ]);
    expect(await errorOf(decide(operator, approvals[1]?.id ?? '', 'decline'))).toMatchObject({
      message: 'the request no longer needs approval after a change by the operator',
    });
    expect(readFileSync(join(server.stateDir, 'rules/default.rules'), 'utf8')).toBe(
      `prefix_rule(pattern=["touch", "${gated.marked('a')}"], decision="allow")\n`,
    );
    await agent.start(gated.touch('a'));
    const shell = errorOf(agent.start(['bash', '-c', 'echo $X']));
    const complex = await waits(operator);
    expect(complex.proposedRules).toEqual([]);
    expect(await errorOf(decide(operator, complex.id, 'acceptWithRule'))).toMatchObject({ code: -32600 });
    await decide(operator, complex.id, 'decline');
    expect(await shell).not.toBeNull();
  });

  it('[AP4] is withdrawn by a termination of its processId, whatever is queued behind it', async () => {
    await gate();
    const [agent, operator] = [await server.client('agent'), await server.client('operator')];
    const started = errorOf(agent.start(gated.touch('a'), { processId: 'p' }));
    const { id } = await waits(operator);
    const wrote = agent.write({ processId: 'p' }, 'x');
    expect(await agent.request('process/terminate', { processId: 'p' })).toEqual({ running: false });
    expect(await wrote).toEqual({ status: 'unknownProcess' });
    expect(await started).toMatchObject({ code: -32603 });
    expect(await errorOf(decide(operator, id, 'accept'))).toMatchObject({
      message: 'the request was withdrawn',
    });
    expect(existsSync(gated.marked('a'))).toBe(false);
  });

  it('[AP4] is withdrawn when its connection is lost, and never runs afterwards', async () => {
    await gate();
    const [agent, operator] = [await server.client('agent'), await server.client('operator')];
    void errorOf(agent.start(gated.touch('a'), { processId: 'p' }));
    const { id } = await waits(operator);
    await agent.cut();
    await expect.poll(async () => (await waiting(operator)).length).toBe(0);
    expect(await errorOf(decide(operator, id, 'accept'))).not.toBeNull();
    const back = await server.client('agent', agent.sessionId);
    const again = back.start(gated.touch('b'), { processId: 'p' });
    await decide(operator, (await waits(operator)).id, 'accept');
    await again;
    expect(existsSync(gated.marked('a'))).toBe(false);
  });

  it('[AP4] expires only with a configured timeout, which is not a denial', async () => {
    await gate({}, { approvalTimeoutMs: 1000 });
    const [agent, operator] = [await server.client('agent'), await server.client('operator')];
    const error = await errorOf(agent.start(gated.touch('a')));
    expect(error?.message).toMatch(/^nobody answered within 1s, .* not a denial$/);
    expect((await list(operator, { all: true })).approvals).toMatchObject([
      { state: 'expired', decidedBy: null },
    ]);
  });

  it('[AP1] waits in the first dialect too', async () => {
    await gate();
    const [agent, operator] = [await server.client('agent'), await server.client('operator')];
    const exec = { argv: gated.touch('a'), cwd: '/tmp', env: { PATH: '/usr/bin:/bin' }, tty: false };
    const started = agent.request('command/exec', exec);
    const asked = await waits(operator);
    expect(asked).toMatchObject({ argv: gated.touch('a'), cwd: '/tmp', method: 'process/start' });
    expect(existsSync(gated.marked('a'))).toBe(false);
    await decide(operator, asked.id, 'accept');
    expect(await started).toEqual({ sessionId: 'proc-1' });
    const refused = errorOf(agent.request('command/exec', exec));
    await decide(operator, (await waits(operator)).id, 'decline');
    expect(await refused).toMatchObject({ code: -32603, message: 'declined by the operator' });
  });

  it('[AP1] does not wait when a person requests it, and waits when an agent does, whatever its names and ids', async () => {
    await gate();
    const [agent, operator] = [await server.client('agent'), await server.client('operator')];
    await operator.start(['true'], { session: 'console' });
    expect(await errorOf(agent.start(['true'], { session: 'console' }))).toMatchObject({ code: -32021 });
    void errorOf(agent.start(['true'], { processId: 'mcp-stdio-1', pipeStdin: true, metadata: {} }));
    await waits(operator);
  });

  it('[AP3] requires one approval for each command line when it starts a server on stdio', async () => {
    await gate();
    const [agent, operator] = [await server.client('agent'), await server.client('operator')];
    const first = agent.start(['cat'], { pipeStdin: true });
    await decide(operator, (await waits(operator)).id, 'accept');
    await first;
    await agent.start(['cat'], { pipeStdin: true });
    void errorOf(agent.start(['cat', '-u'], { pipeStdin: true }));
    await waits(operator);
  });

  it('[AP5] is shown in full to operators, with masked secrets to observers, and not to agents', async () => {
    await gate();
    const [agent, operator, observer] = [
      await server.client('agent'),
      await server.client('operator'),
      await server.client('observer'),
    ];
    await observer.request('console/watch', {});
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    void errorOf(agent.start(['echo', secret], { env: { PATH: '/tmp/x', LD_PRELOAD: secret } }));
    const asked = await waits(operator);
    expect(asked.argv).toEqual(['echo', secret]);
    expect(asked.variables).toEqual([
      { name: 'LD_PRELOAD', value: secret },
      { name: 'PATH', value: '/tmp/x' },
    ]);
    expect(JSON.stringify(await list(observer))).not.toContain(secret);
    expect((await waiting(observer))[0]?.variables).toEqual([
      { name: 'LD_PRELOAD', value: null },
      { name: 'PATH', value: null },
    ]);
    await observer.until(
      () => observer.log.some(({ method, params }) => method === 'console/changed' && params?.['approvals']),
      'the request is reported',
    );
    expect(JSON.stringify(observer.log)).not.toContain(secret);
    expect(await errorOf(decide(observer, asked.id, 'accept'))).toMatchObject({ code: -32021 });
    expect(await errorOf(decide(agent, asked.id, 'accept'))).toMatchObject({ code: -32021 });
    expect(await errorOf(agent.request('console/setPolicy', { policy: 'never' }))).toMatchObject({
      code: -32021,
    });
  });

  it('[AP5] is reported with a shortened command when that is very long, and in full on request', async () => {
    await gate();
    const [agent, operator] = [await server.client('agent'), await server.client('operator')];
    const long = 'x'.repeat(100_000);
    const started = errorOf(agent.start(['echo', long]));
    const asked = await waits(operator);
    expect(asked).toMatchObject({ isWhole: false, parts: [], proposedRules: [] });
    expect(JSON.stringify(asked).length).toBeLessThan(40_000);
    const [whole] = (await list(operator, { id: asked.id })).approvals;
    expect(whole).toMatchObject({ isWhole: true, argv: ['echo', long] });
    await decide(operator, asked.id, 'decline');
    await started;
  });

  it('[AP5] cannot be decided with the token that requested it', async () => {
    await gate();
    const [operator, admin] = [await server.client('operator'), await server.client('admin')];
    const started = errorOf(operator.start(['true']));
    const { id } = await waits(admin);
    expect(await errorOf(decide(operator, id, 'accept'))).toMatchObject({ code: -32021 });
    await decide(admin, id, 'accept');
    expect(await started).toBeNull();
  });

  it('[AP6] is listed as waiting for approval until it is decided', async () => {
    await gate();
    const [agent, operator] = [await server.client('agent'), await server.client('operator')];
    await operator.request('console/watch', {});
    const started = errorOf(agent.start(['true']));
    const { id } = await waits(operator);
    const watched = await operator.request<{ processes: ProcessInfo[]; approvals: Approval[] }>(
      'console/watch',
      {},
    );
    expect(watched.processes).toMatchObject([{ key: id, state: 'waiting-for-approval', argv: ['true'] }]);
    expect(watched.approvals).toMatchObject([{ id, state: 'waiting' }]);
    const reported = (): Approval[] =>
      operator.log.flatMap(({ params }) => (params?.['approvals'] ?? []) as Approval[]);
    await operator.until(() => reported().length > 0, 'the request is reported');
    await decide(operator, id, 'decline');
    await started;
    await operator.until(
      () =>
        operator.log.some(({ params }) =>
          (params?.['removed'] as { keys: string[] } | undefined)?.keys.includes(id),
        ),
      'the row goes',
    );
    // The waiting state may be sent twice, the first time without the facts about the files.
    expect([...new Set(reported().map(({ state }) => state))]).toEqual(['waiting', 'declined']);
  });

  it('[AP7] is in the audit log, together with its decision', async () => {
    await gate();
    const [agent, operator] = [await server.client('agent'), await server.client('operator')];
    const started = errorOf(agent.start(gated.touch('a')));
    await decide(operator, (await waits(operator)).id, 'decline', { message: 'no' });
    await started;
    void errorOf(agent.start(gated.touch('b')));
    await waits(operator);
    await agent.cut();
    await expect.poll(async () => (await waiting(operator)).length).toBe(0);
    const { entries } = await operator.request<{ entries: AuditEntry[] }>('console/audit', {});
    const logged = entries
      .toReversed()
      .filter(({ act }) => /askApproval|decline|approvalOver/.test(act))
      .map(({ who, act, details }) => [who, act, details?.['argv'] ?? details?.['state']]);
    expect(logged).toEqual([
      ['the agent', 'askApproval', gated.touch('a')],
      ['the operator', 'decline', gated.touch('a')],
      ['the agent', 'askApproval', gated.touch('b')],
      ['the agent', 'approvalOver', 'withdrawn'],
    ]);
  });

  it('[AP8] can wait together with a thousand others, and each is decided', async () => {
    await gate();
    const [agent, operator] = [await server.client('agent'), await server.client('operator')];
    await operator.request('console/watch', {});
    const place = { cwd: 'file:///tmp', env: { PATH: '/usr/bin' }, tty: false };
    for (let at = 0; at < 1000; at += 1) {
      const params = { ...place, processId: `p${at}`, argv: ['echo', String(at)] };
      agent.send({ id: `start ${at}`, method: 'process/start', params });
    }
    await agent.request('environment/status');
    const all = await waiting(operator);
    expect(all.map(({ argv }) => argv[1])).toEqual(Array.from({ length: 1000 }, (_, at) => String(at)));
    for (const { id } of all)
      operator.send({ id: `decide ${id}`, method: 'console/decide', params: { id, decision: 'decline' } });
    await operator.request('environment/status');
    expect(await waiting(operator)).toEqual([]);
    await agent.request('environment/status');
    expect(agent.log.filter(({ error }) => error?.code === -32603)).toHaveLength(1000);
  });
});
