// Decisions that an agent requests before it runs a tool, at a real gateway: rules AP5, AP23 and AP24.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { decide, errorOf, exitOf, GatedServer, list, waiting, waits } from '../testing/gated-server.ts';
import type { TestClient } from '../testing/test-client.ts';

let gated: GatedServer;
let folder: string | null = null;
afterEach(async () => {
  await gated.stop();
  if (folder !== null) rmSync(folder, { recursive: true });
  folder = null;
});

async function gate(...how: Parameters<typeof GatedServer.start>): Promise<[TestClient, TestClient]> {
  gated = await GatedServer.start(...how);
  const { server } = gated;
  return [await server.client('agent'), await server.client('operator')];
}

const inFolder = (): { readonly cwd: string } => ({ cwd: pathToFileURL(gated.folder).href });
const ask = (client: TestClient, params: object) =>
  client.request('approvals/ask', { tool: 'Bash', ...inFolder(), ...params });
const called = (toolCallId: string) => ({ metadata: { threadId: 't1', toolCallId } });

describe('an agent that asks about a tool', () => {
  it('[AP23] gets the decision and the name of the person, and nothing is started', async () => {
    const [agent, operator] = await gate();
    const argv = gated.touch('a');
    const answer = ask(agent, { argv, ...called('c1') });
    const asked = await waits(operator);
    expect(asked).toMatchObject({
      kind: 'tool',
      method: 'approvals/ask',
      argv,
      cwd: gated.folder,
      metadata: { threadId: 't1', toolCallId: 'c1' },
      reason: 'no rule allows it',
    });
    await decide(operator, asked.id, 'accept');
    expect(await answer).toMatchObject({ decision: 'accept', decidedBy: 'the operator', message: null });
    expect(existsSync(gated.marked('a'))).toBe(false);
  });

  it('[AP23] gets a refusal with its message', async () => {
    const [agent, operator] = await gate();
    const answer = ask(agent, { tool: 'Write', input: 'a\u202efile' });
    const { id, details } = await waits(operator);
    expect(details).toBe('Write\na\\u202efile');
    await decide(operator, id, 'decline', { message: 'not that' });
    expect(await answer).toMatchObject({
      decision: 'decline',
      decidedBy: 'the operator',
      message: 'declined by the operator: not that',
    });
  });

  it('[AP23] is left to its own prompt where nothing requires approval, and is sent to a person on request', async () => {
    const [agent, operator] = await gate({ approvals: 'never' });
    expect(await ask(agent, { argv: ['true'] })).toMatchObject({ decision: 'none', decidedBy: null });
    expect(await ask(agent, { tool: 'Edit', input: 'x' })).toMatchObject({ decision: 'none' });
    const answers = [
      ask(agent, { argv: ['true'], everyTime: true }),
      ask(agent, { tool: 'Edit', input: 'x', everyTime: true }),
    ];
    await expect.poll(async () => (await waiting(operator)).length).toBe(2);
    for (const { id } of await waiting(operator)) await decide(operator, id, 'accept');
    for (const answer of answers) expect(await answer).toMatchObject({ decision: 'accept' });
  });

  it('[AP23] is answered by rules without a person, even if it requests one', async () => {
    folder = mkdtempSync(join(tmpdir(), 'exec-console-tool-rules-'));
    const rules = join(folder, 'given.rules');
    const forbids = 'prefix_rule(pattern=["false"], decision="forbidden", justification="no")';
    writeFileSync(rules, `prefix_rule(pattern=["true"])\n${forbids}\n`);
    const [agent] = await gate({ ruleFiles: [rules] });
    expect(await ask(agent, { argv: ['true'], everyTime: true })).toEqual({
      decision: 'accept',
      decidedBy: null,
      message: null,
    });
    expect(await ask(agent, { argv: ['bash', '-c', 'true && false'] })).toMatchObject({
      decision: 'decline',
    });
  });

  it('[AP23] withdraws its request when it disconnects', async () => {
    const [agent, operator] = await gate();
    const answer = errorOf(ask(agent, { argv: ['true'] }));
    const { id } = await waits(operator);
    await agent.cut();
    await answer;
    await expect.poll(async () => (await list(operator, { id })).approvals[0]?.state).toBe('withdrawn');
  });

  it('[AP5] cannot decide its own request', async () => {
    const [agent, operator] = await gate();
    const answer = ask(agent, { argv: ['true'] });
    const { id } = await waits(operator);
    const other = await gated.server.client('agent');
    expect(await errorOf(other.request('console/decide', { id, decision: 'accept' }))).toMatchObject({
      code: -32021,
    });
    await decide(operator, id, 'decline');
    await answer;
  });
});

describe('a start of an accepted tool call', () => {
  const accepted = async (agent: TestClient, operator: TestClient, params: object): Promise<void> => {
    const answer = ask(agent, params);
    const { id } = await waits(operator);
    await decide(operator, id, 'accept');
    await answer;
  };

  const expectQuestion = async (operator: TestClient, start: Promise<unknown>): Promise<void> => {
    const started = errorOf(start);
    const { id } = await waits(operator);
    await decide(operator, id, 'decline');
    await started;
  };

  it('[AP24] runs once without another approval', async () => {
    const [agent, operator] = await gate();
    const argv = ['bash', '-c', `echo >> ${gated.marked('a')}`];
    await accepted(agent, operator, { argv, ...called('c1') });
    // The hook and the command after it use two connections.
    const next = await gated.server.client('agent');
    const how = { ...inFolder(), ...called('c1') };
    await exitOf(next, next.start(argv, how));
    await expectQuestion(operator, next.start(argv, how));
  });

  it.each([
    ['other words', (argv: string[]) => [...argv, 'x'], 'c1', {}],
    ['another call', (argv: string[]) => argv, 'c2', {}],
    ['another folder', (argv: string[]) => argv, 'c1', { cwd: 'file:///' }],
    ['a variable that changes what runs', (argv: string[]) => argv, 'c1', { env: { LD_PRELOAD: '/x.so' } }],
  ])('[AP24] needs approval with %s', async (_, changed, call, how) => {
    const [agent, operator] = await gate();
    const argv = gated.touch('a');
    await accepted(agent, operator, { argv, ...called('c1') });
    await expectQuestion(operator, agent.start(changed(argv), { ...inFolder(), ...called(call), ...how }));
  });

  it.each([
    ['another program', ['true', '-rf', 'x'], ['rm', '-rf', 'x']],
    ['a shell in another folder', ['bash', '-c', 'true'], ['./bash', '-c', 'true']],
    ['an interpreter in the place of the shell', ['bash', '-c', 'true; true'], ['perl', '-c', 'true; true']],
    ['another shell for more than plain words', ['bash', '-c', 'true $x'], ['zsh', '-c', 'true $x']],
    ['words in the place of a script', ['bash', '-c', 'true'], ['bash', 'true']],
  ])('[AP24] needs approval with %s', async (_, shown, argv) => {
    const [agent, operator] = await gate();
    await accepted(agent, operator, { argv: shown, ...called('c1') });
    await expectQuestion(operator, agent.start(argv, { ...inFolder(), ...called('c1') }));
  });

  it.each([
    ['plain words', 'bash', 'true'],
    ['more than plain words', 'bash', 'true $x'],
  ])('[AP24] may name the shell of %s differently', async (_, shown, script) => {
    const [agent, operator] = await gate();
    await accepted(agent, operator, { argv: [shown, '-c', script], ...called('c1') });
    await exitOf(agent, agent.start(['/bin/bash', '-c', script], { ...inFolder(), ...called('c1') }));
    expect(await waiting(operator)).toEqual([]);
  });

  it('[AP24] may set a pager that only prints and an editor that does nothing, instead of the ones shown', async () => {
    const [agent, operator] = await gate();
    const argv = gated.touch('a');
    await accepted(agent, operator, {
      argv,
      ...called('c1'),
      env: { PATH: '/usr/bin:/bin', GIT_PAGER: 'delta', EDITOR: 'vi' },
    });
    const env = { PATH: '/usr/bin:/bin', GIT_PAGER: 'cat', EDITOR: 'true' };
    await exitOf(agent, agent.start(argv, { ...inFolder(), ...called('c1'), env }));
    expect(existsSync(gated.marked('a'))).toBe(true);
  });

  it.each([
    ['evaluates', 'eval "$CI"', 'CI'],
    ['uses as a path', 'ls "${TMPDIR}"/x', 'TMPDIR'],
    ['reads by a name that does not stand in it', 'eval "$(printenv "C"I)"', 'CI'],
  ])(
    '[AP24] needs another approval with another value of a variable that its script %s',
    async (_, script, name) => {
      const [agent, operator] = await gate();
      const argv = ['bash', '-c', script];
      const env = (value: string): object => ({ env: { PATH: '/usr/bin:/bin', [name]: value } });
      await accepted(agent, operator, { argv, ...called('c1'), ...env('true') });
      await expectQuestion(operator, agent.start(argv, { ...inFolder(), ...called('c1'), ...env('id') }));
    },
  );

  it('[AP24] may have another value of a harmless variable that its words do not read', async () => {
    const [agent, operator] = await gate();
    const argv = gated.touch('a');
    const env = (TERM: string): object => ({ env: { PATH: '/usr/bin:/bin', TERM } });
    await accepted(agent, operator, { argv, ...called('c1'), ...env('xterm') });
    await exitOf(agent, agent.start(argv, { ...inFolder(), ...called('c1'), ...env('dumb') }));
    expect(existsSync(gated.marked('a'))).toBe(true);
  });

  it('[AP24] needs another approval without the PATH that was shown', async () => {
    const [agent, operator] = await gate();
    const argv = gated.touch('a');
    await accepted(agent, operator, { argv, ...called('c1'), env: { PATH: `${gated.folder}:/bin` } });
    await expectQuestion(operator, agent.start(argv, { ...inFolder(), ...called('c1') }));
  });

  it('[AP24] needs another approval without any PATH, though the usual one was not shown', async () => {
    const [agent, operator] = await gate();
    const argv = gated.touch('a');
    await accepted(agent, operator, { argv, ...called('c1'), env: { PATH: '/usr/bin:/bin' } });
    const started = errorOf(agent.start(argv, { ...inFolder(), ...called('c1'), env: {} }));
    const { id, reason, variables } = await waits(operator);
    expect(reason).toBe('a missing PATH may change what runs');
    expect(variables).toEqual([]);
    await decide(operator, id, 'decline');
    await started;
  });

  it('[AP24] needs another approval when its program has changed', async () => {
    const [agent, operator] = await gate();
    const path = gated.marked('run.sh');
    writeFileSync(path, '#!/bin/sh\ntrue\n', { mode: 0o755 });
    await accepted(agent, operator, { argv: [path], ...called('c1') });
    writeFileSync(path, '#!/bin/sh\nfalse\n', { mode: 0o755 });
    const started = errorOf(agent.start([path], { ...inFolder(), ...called('c1') }));
    const { id, reason } = await waits(operator);
    expect(reason).toContain('its program file has changed since approval was requested');
    await decide(operator, id, 'decline');
    await started;
  });

  it('[AP24] is still held by a pause', async () => {
    const [agent, operator] = await gate();
    const argv = gated.touch('a');
    await accepted(agent, operator, { argv, ...called('c1') });
    await operator.request('console/pause', { all: true });
    await expectQuestion(operator, agent.start(argv, { ...inFolder(), ...called('c1') }));
  });
});
