// Rules and policies that decide about agents' starts, at a real gateway: rules AP9, AP10, AP20 and RL8.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RulesResult } from '../../protocol/approvals.ts';
import type { AuditEntry } from '../../protocol/audit.ts';
import { decide, errorOf, exitOf, GatedServer, list, waits } from '../testing/gated-server.ts';
import type { TestServer } from '../testing/test-server.ts';

let gated: GatedServer;
let server: TestServer;
const gate = async (...how: Parameters<typeof GatedServer.start>): Promise<void> => {
  gated = await GatedServer.start(...how);
  ({ server } = gated);
};
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'exec-console-rules-'));
});
afterEach(async () => {
  await gated.stop();
  rmSync(folder, { recursive: true });
});

describe('Rules', () => {
  const rules = (text: string): string => {
    const file = join(folder, 'given.rules');
    writeFileSync(file, text);
    return file;
  };

  it('[RL8] apply under never when they forbid, give their justification, and do not delay other starts', async () => {
    await gate({
      approvals: 'never',
      ruleFiles: [rules('prefix_rule(pattern=["touch"], decision="forbidden", justification="nothing new")')],
    });
    const agent = await server.client('agent');
    expect(await errorOf(agent.start(['bash', '-lc', `touch ${join(folder, 'a')} > /dev/null`]))).toEqual({
      code: -32603,
      message:
        'the command may run what the rule prefix_rule(pattern=["touch"], decision="forbidden") forbids: nothing new',
    });
    await agent.start(['true']);
    expect(existsSync(join(folder, 'a'))).toBe(false);
  });

  it('[AP9] apply under always when they allow a command', async () => {
    await gate({ ruleFiles: [rules('prefix_rule(pattern=["touch"])')] });
    const agent = await server.client('agent');
    expect(await exitOf(agent, agent.start(gated.touch('a')))).toMatchObject({ exitCode: 0 });
  });

  it('[AP9] make every start wait when they have a syntax error, even under never', async () => {
    await gate({ approvals: 'never', ruleFiles: [rules('prefix_rule(pattern=["touch"]\nx')] });
    const [agent, operator] = [await server.client('agent'), await server.client('operator')];
    const started = agent.start(['true']);
    expect((await waits(operator)).reason).toContain('given.rules:2:1: expected ","');
    await decide(operator, (await waits(operator)).id, 'accept');
    await started;
  });

  it('[AP9] are not applied until an admin accepts them when they were changed outside the gateway', async () => {
    await gate({ approvals: 'never' });
    const [agent, operator, admin] = [
      await server.client('agent'),
      await server.client('operator'),
      await server.client('admin'),
    ];
    await agent.start(['true']);
    mkdirSync(join(server.stateDir, 'rules'), { recursive: true });
    const file = join(server.stateDir, 'rules/x.rules');
    writeFileSync(file, 'prefix_rule(pattern=["false"], decision="forbidden")');
    await expect.poll(async () => (await list(operator)).settings.tightened).toContain('x.rules was changed');
    const started = agent.start(['true']);
    await waits(operator);
    expect(await admin.request('console/rules')).toMatchObject({
      files: [],
      changed: [{ file, accepted: null, found: 'prefix_rule(pattern=["false"], decision="forbidden")' }],
    });
    expect(await errorOf(operator.request('console/acceptRules'))).toMatchObject({ code: -32021 });
    expect(await errorOf(operator.request('console/addRule', { prefix: ['ls'] }))).toMatchObject({
      code: -32600,
    });
    await admin.request('console/acceptRules');
    await started;
    expect(await errorOf(agent.start(['false']))).toMatchObject({ code: -32603 });
  });

  it('[AP20] are accepted only as they were shown, not with later changes', async () => {
    await gate({ approvals: 'never' });
    const admin = await server.client('admin');
    mkdirSync(join(server.stateDir, 'rules'), { recursive: true });
    const file = join(server.stateDir, 'rules/x.rules');
    writeFileSync(file, 'prefix_rule(pattern=["true"])');
    const shown = await admin.request<RulesResult>('console/rules');
    writeFileSync(file, 'prefix_rule(pattern=["rm"])');
    const { changed } = shown.changed.length > 0 ? shown : await admin.request<RulesResult>('console/rules');
    writeFileSync(file, 'prefix_rule(pattern=["curl"])');
    expect(await errorOf(admin.request('console/acceptRules', { changed }))).toMatchObject({ code: -32600 });
    await expect.poll(async () => (await list(admin)).settings.tightened).toContain('x.rules was changed');
    const now = [{ file, accepted: null, found: 'prefix_rule(pattern=["curl"])' }];
    await admin.request('console/acceptRules', { changed: now });
    expect((await list(admin)).settings.tightened).toBeNull();
  });

  it('[AP20] are written with a decision only as they were shown with the request', async () => {
    await gate();
    const [agent, operator] = [await server.client('agent'), await server.client('operator')];
    const admin = await server.client('admin');
    const allow = (program: string): string => `prefix_rule(pattern=["${program}"], decision="allow")\n`;
    await admin.request('console/writeRules', { text: allow('touch') });
    const started = errorOf(agent.start(['bash', '-c', 'ls a && touch b']));
    const { id, proposedRules } = await waits(operator);
    expect(proposedRules).toEqual([allow('ls').replace('"]', '", "a"]').trim()]);
    await operator.request('console/watch', {});
    await admin.request('console/writeRules', { text: '' });
    const written = async () => (await operator.request<RulesResult>('console/rules', {})).files;
    expect(await errorOf(decide(operator, id, 'acceptWithRule', { rules: proposedRules }))).toMatchObject({
      code: -32600,
      message: expect.stringContaining('have changed') as string,
    });
    expect((await written()).map(({ text }) => text)).toEqual(['']);
    // The request is sent again with the rules that are now proposed.
    const isNew = () => JSON.stringify(operator.log).includes('\\"touch\\", \\"b\\"');
    await operator.until(isNew, 'the other rules of the request');
    const [now] = (await list(operator)).approvals;
    expect(now?.proposedRules).toHaveLength(2);
    expect((await list(operator, { id })).approvals[0]).toMatchObject({ proposedRules: now?.proposedRules });
    await decide(operator, id, 'acceptWithRule', { rules: now?.proposedRules });
    await started;
    expect((await written())[0]?.text.trim().split('\n')).toEqual(now?.proposedRules);
  });

  it('[AP9] are rewritten only as they were when an admin began to edit them', async () => {
    await gate();
    const [operator, admin] = [await server.client('operator'), await server.client('admin')];
    await operator.request('console/addRule', { prefix: ['true'] });
    const [own] = (await admin.request<RulesResult>('console/rules', {})).files;
    await operator.request('console/addRule', { prefix: ['ls'] });
    expect(await errorOf(admin.request('console/writeRules', { text: '', before: own?.text }))).toMatchObject(
      { code: -32600, message: expect.stringContaining('have changed') as string },
    );
    const [now] = (await admin.request<RulesResult>('console/rules', {})).files;
    expect(now?.text).toContain('"ls"');
    await admin.request('console/writeRules', { text: '', before: now?.text });
    expect((await admin.request<RulesResult>('console/rules', {})).files[0]?.text).toBe('');
  });

  it('[AP9] can be added by operators, and rewritten by admins', async () => {
    await gate();
    const [agent, operator, admin] = [
      await server.client('agent'),
      await server.client('operator'),
      await server.client('admin'),
    ];
    await operator.request('console/addRule', { prefix: ['true'] });
    await agent.start(['true']);
    expect(await errorOf(operator.request('console/addRule', { prefix: ['bash'] }))).toMatchObject({
      code: -32600,
    });
    expect(await errorOf(operator.request('console/writeRules', { text: '' }))).toMatchObject({
      code: -32021,
    });
    expect((await errorOf(admin.request('console/writeRules', { text: 'x' })))?.message).toContain(
      'default.rules:1:2',
    );
    await admin.request('console/writeRules', {
      text: 'prefix_rule(pattern=["true"], decision="forbidden")\n',
    });
    expect(await errorOf(agent.start(['true']))).toMatchObject({ code: -32603 });
    expect(await operator.request('console/checkCommand', { argv: ['true'] })).toMatchObject({
      decision: 'forbidden',
    });
  });
});

it('[AP9] a rule that forbids a waiting request refuses it, and not the person who wrote the rule', async () => {
  await gate();
  const [agent, admin] = [await server.client('agent'), await server.client('admin')];
  const started = errorOf(agent.start(['true']));
  const asked = agent.request('approvals/ask', { tool: 'Bash', argv: ['true'], cwd: 'file:///tmp' });
  await expect.poll(async () => (await list(admin)).approvals.length).toBe(2);
  const [id = ''] = (await list(admin)).approvals.map((each) => each.id);
  await admin.request('console/writeRules', { text: 'prefix_rule(pattern=["true"], decision="forbidden")' });
  const reason = 'the rule prefix_rule(pattern=["true"], decision="forbidden") forbids';
  const refusal = `refused after the admin changed a rule or the policy: ${reason}`;
  expect(await started).toMatchObject({ message: refusal });
  expect(await asked).toEqual({ decision: 'decline', decidedBy: null, message: refusal });
  const { approvals } = await list(admin, { id });
  expect(approvals).toMatchObject([
    { state: 'declined', decision: null, decidedBy: 'the admin', message: reason },
  ]);
  const { entries } = await admin.request<{ entries: AuditEntry[] }>('console/audit', {
    act: 'approvalOver',
  });
  expect(entries.map(({ who, details }) => [who, details])).toEqual(
    ['approvals/ask', 'process/start'].map((method) => [
      'the agent',
      expect.objectContaining({ method, state: 'declined', by: 'the admin', reason }),
    ]),
  );
  expect(await errorOf(decide(admin, id, 'accept'))).toMatchObject({
    message: 'the request was refused by a rule',
  });
});

describe('A policy that a person sets', () => {
  it('[AP10] applies at once, for all agents or one, and is in the audit log', async () => {
    await gate({ approvals: 'never' });
    const [agent, operator] = [await server.client('agent'), await server.client('operator')];
    await agent.start(['true']);
    await operator.request('console/setPolicy', { policy: 'always', agent: 'the agent' });
    const started = agent.start(['true']);
    await waits(operator);
    await operator.request('console/setPolicy', { policy: 'never', agent: 'the agent' });
    await started;
    await operator.request('console/setPolicy', { policy: 'always' });
    await agent.start(['true']);
    await operator.request('console/setPolicy', { policy: null, agent: 'the agent' });
    void errorOf(agent.start(['true']));
    await waits(operator);
    const { entries } = await operator.request<{ entries: AuditEntry[] }>('console/audit', {
      act: 'setPolicy',
    });
    expect(entries).toHaveLength(4);
  });
});
