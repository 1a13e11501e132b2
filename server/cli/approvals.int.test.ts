// The commands approvals, approve, decline, abort, pause and unpause in scripts: rules AP1 to AP3 and AP11.
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Approval, Pause } from '../../protocol/approvals.ts';
import { CommandLine } from '../testing/command-line.ts';
import { errorOf } from '../testing/gated-server.ts';
import { TestClient } from '../testing/test-client.ts';
import { Tokens } from '../policy/tokens.ts';

let commands: CommandLine;
let agent: TestClient;
beforeAll(async () => {
  commands = await CommandLine.start({ flags: ['--approvals', 'always'] });
  const { token } = new Tokens(commands.stateDir).create({ name: 'bot', role: 'agent', ttlMs: null });
  agent = await TestClient.open(commands.url, { token });
  await agent.initialize();
});
afterAll(async () => {
  agent.ws.terminate();
  await commands.stop();
});

const json = async <T>(...args: string[]): Promise<T> => {
  const { code, stdout, stderr } = await commands.outcome([...args, '--json']);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout.toString()) as T;
};
async function waiting(): Promise<Approval> {
  await agent.request('environment/status');
  const [first] = await json<Approval[]>('approvals');
  if (!first) throw new Error('nothing waits');
  return first;
}

it('[AP1] approvals lists waiting requests, and approve starts one', async () => {
  const started = agent.start(['true'], { metadata: { threadId: 't' } });
  const asked = await waiting();
  expect(asked).toMatchObject({
    state: 'waiting',
    argv: ['true'],
    cwd: '/tmp',
    startedBy: 'bot',
    metadata: { threadId: 't' },
    reason: 'no rule allows it',
    rule: null,
  });
  const { stdout } = await commands.outcome(['approvals']);
  expect(stdout.toString()).toMatch(
    new RegExp(`^${asked.id}  waiting: no rule allows it .* bot +true$`, 'm'),
  );
  expect(await json<Approval>('approve', asked.id)).toMatchObject({ state: 'accepted', decidedBy: 'cli' });
  await started;
  expect(await json('approvals')).toEqual([]);
  expect(await json('approvals', '--all')).toMatchObject([
    { id: asked.id, decision: 'accept', decidedBy: 'cli', decidedAtMs: expect.any(Number) as number },
  ]);
});

it('[AP2] decline reports the person and the reason to the agent, and a later decision is refused', async () => {
  const started = errorOf(agent.start(['true']));
  const { id } = await waiting();
  expect((await commands.outcome(['decline', id, '--message', 'not today'])).code).toBe(0);
  expect(await started).toEqual({ code: -32603, message: 'declined by cli: not today' });
  const late = await commands.outcome(['approve', id]);
  expect([late.code, late.stderr]).toEqual([1, 'exec-console: cli has already declined the request\n']);
  expect((await commands.outcome(['approve', 'a-none'])).code).toBe(5);
  expect((await commands.outcome(['approve', id, '--session', '--rule'])).code).toBe(2);
});

it('[AP3] approve --rule prints the rule that it writes', async () => {
  const started = agent.start(['sleep', '0']);
  const { stdout } = await commands.outcome(['approve', '--rule', (await waiting()).id]);
  await started;
  expect(stdout.toString()).toBe(
    'rule to write: prefix_rule(pattern=["sleep", "0"], decision="allow")\naccepted: sleep 0\n',
  );
});

it('[AP1] approvals --watch prints each change as a line', async () => {
  const watch = commands.spawn(['approvals', '--watch', '--json']);
  if (!watch.stdout) throw new Error('no stdout');
  const lines = createInterface(watch.stdout)[Symbol.asyncIterator]();
  const next = async (): Promise<Approval> => JSON.parse(String((await lines.next()).value)) as Approval;
  const started = errorOf(agent.start(['echo', 'watched']));
  expect(await next()).toMatchObject({ state: 'waiting', argv: ['echo', 'watched'] });
  await commands.outcome(['abort', (await waiting()).id]);
  expect(await next()).toMatchObject({ state: 'aborted', decidedBy: 'cli' });
  expect((await started)?.message).toBe('aborted by cli');
  watch.kill('SIGTERM');
  expect(await once(watch, 'exit')).toEqual([143, null]);
  await commands.outcome(['unpause']);
});

it('[AP1] approvals --watch ends with code 6 and the reason when its token is revoked', async () => {
  const tokens = new Tokens(commands.stateDir);
  const { token, identity } = tokens.create({ name: 'Olga', role: 'observer', ttlMs: null });
  const watch = commands.spawn(['approvals', '--watch', '--json'], {
    EXEC_CONSOLE_URL: commands.url,
    EXEC_CONSOLE_TOKEN: token,
  });
  if (!watch.stdout || !watch.stderr) throw new Error('no pipes');
  const complaints = text(watch.stderr);
  const ended = once(watch, 'exit');
  const started = errorOf(agent.start(['echo', 'seen']));
  await once(watch.stdout, 'data');
  await commands.outcome(['decline', (await waiting()).id]);
  await started;
  await commands.outcome(['token', 'revoke', identity.tokenId]);
  expect([await ended, await complaints]).toEqual([
    [6, null],
    expect.stringMatching(/^exec-console: the connection was lost and cannot be restored: .+\n$/),
  ]);
});

it('[AP11] pause holds the starts of one agent or all, and unpause releases them', async () => {
  expect((await commands.outcome(['policy', 'set', 'never'])).code).toBe(0);
  await agent.start(['true']);
  expect(await json<Pause>('pause', '--agent', 'bot')).toMatchObject({ agent: 'bot', by: 'cli' });
  const unknown = await commands.outcome(['pause', '--agent', 'b0t']);
  expect([unknown.code, unknown.stderr]).toEqual([0, expect.stringMatching(/no agent is named b0t .*bot/)]);
  const noSession = await commands.outcome(['pause', '--session', 'nosuch']);
  expect([noSession.code, noSession.stderr]).toEqual([
    5,
    expect.stringMatching(/^exec-console: no session has the label "nosuch"; list .*exec-console ps --all /),
  ]);
  const { session } = (await json<{ session: string }[]>('ps', '--all'))[0] ?? { session: '' };
  expect(await json<Pause>('pause', '--session', session)).toMatchObject({ agent: 'bot', session });
  const started = agent.start(['true']);
  expect(await waiting()).toMatchObject({ reason: 'paused by cli' });
  expect(await json<Pause[]>('unpause', '--agent', 'nobody')).toEqual([]);
  expect(await json<Pause[]>('unpause')).toHaveLength(3);
  await started;
  await json<Pause>('pause');
  const held = agent.start(['true']);
  const { id } = await waiting();
  await commands.outcome(['approve', id]);
  await held;
  expect(await json<Pause[]>('unpause')).toHaveLength(1);
  await commands.outcome(['policy', 'set', 'default']);
});
