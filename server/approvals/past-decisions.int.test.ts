// Decisions made before a gateway was killed, as its successor lists them: rules AD9, AD11, AP5, AP25 and SC5.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Approval, ApprovalsResult } from '../../protocol/approvals.ts';
import type { AuditEntry } from '../../protocol/audit.ts';
import type { Role } from '../../protocol/session.ts';
import { Tokens } from '../policy/tokens.ts';
import { CommandLine } from '../testing/command-line.ts';
import { decide, errorOf, list, waits } from '../testing/gated-server.ts';
import { TestClient } from '../testing/test-client.ts';

const SECRET = `ghp_${'a1B2'.repeat(9)}`;

let commands: CommandLine;
beforeEach(async () => {
  commands = await CommandLine.start({ flags: ['--approvals', 'always'] });
});
afterEach(() => commands.stop());

async function client(role: Role): Promise<TestClient> {
  const name = `the ${role}`;
  const { token } = new Tokens(commands.stateDir).create({ name, role, ttlMs: null });
  const connected = await TestClient.open(commands.url, { token });
  await connected.initialize();
  return connected;
}

const auditOf = async (operator: TestClient): Promise<string[]> => {
  const { entries } = await operator.request<{ entries: AuditEntry[] }>('console/audit', { limit: 1000 });
  return entries
    .filter(({ act }) => ['approve', 'decline', 'terminate'].includes(act))
    .map(({ who, act }) => `${who}: ${act}`);
};

it('[AD9][AD11][AP5][AP25][SC5] after kill -9 the audit log and the list of requests have every decision once, with its author', async () => {
  const [agent, operator] = [await client('agent'), await client('operator')];
  const started = agent.start(['sleep', '1000']);
  await decide(operator, (await waits(operator)).id, 'accept');
  await operator.request('process/terminate', { key: (await started).key, graceMs: 0 });
  const refused = errorOf(agent.start(['rm', '-rf', SECRET]));
  const { id } = await waits(operator);
  await decide(operator, id, 'decline', { message: 'not here' });
  await refused;
  const input = `${SECRET} ${'x'.repeat(50_000)}`;
  const edits = agent.request('approvals/ask', { tool: 'Edit', input, cwd: `file:///tmp/${SECRET}` });
  await decide(operator, (await waits(operator)).id, 'accept');
  await edits;
  void errorOf(agent.start(['still', 'waits']));
  await waits(operator);

  await commands.killAndStart();
  // Simulates a gateway that was killed while it wrote a line.
  appendFileSync(join(commands.stateDir, 'audit.jsonl'), '{"at":"2026-');
  for (let restart = 0; restart < 2; restart += 1) {
    await commands.killAndStart();
    const person = await client('operator');
    expect(await auditOf(person)).toEqual([
      'the operator: approve',
      'the operator: decline',
      'the operator: terminate',
      'the operator: approve',
    ]);
    const { approvals } = await list(person, { all: true });
    expect(approvals).toMatchObject([
      { argv: ['sleep', '1000'], state: 'accepted', decidedBy: 'the operator', startedBy: 'the agent' },
      { id, state: 'declined', decidedBy: 'the operator', message: 'not here', clientName: 'test' },
      { kind: 'tool', state: 'accepted', details: expect.stringContaining('Edit') as string },
    ]);
    // The audit log shortens long details, and masks known secrets in them.
    expect(JSON.stringify(approvals[2]).length).toBeLessThan(20_000);
    expect(await errorOf(decide(person, id, 'accept'))).toMatchObject({
      message: 'the operator has already declined the request',
    });
    const observer = await client('observer');
    expect(await errorOf(observer.request('console/audit', {}))).toMatchObject({ code: -32021 });
    const seen = (await observer.request<ApprovalsResult>('console/approvals', { all: true })).approvals;
    expect(seen.map(({ state, decidedBy }: Approval) => [state, decidedBy])).toEqual([
      ['accepted', 'the operator'],
      ['declined', 'the operator'],
      ['accepted', 'the operator'],
    ]);
    expect(JSON.stringify([approvals, seen])).not.toContain(SECRET);
  }
});
