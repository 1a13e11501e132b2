// Tests of unified exec commands that need approval.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Approval, ApprovalsResult } from '../../protocol/approvals.ts';
import type { WatchResult } from '../../protocol/console.ts';
import type { ApprovalPolicy } from '../../protocol/rules.ts';
import type { Floor } from '../host/sandbox/floor.ts';
import { Sandboxes } from '../host/sandbox/sandboxes.ts';
import { connectInProcess } from '../testing/in-process-wire.ts';
import { UnifiedGateway, type TestExec } from '../testing/unified-gateway.ts';
import { WireClient } from '../testing/wire-client.ts';

let folder: string;
let gateway: UnifiedGateway;
let agent: TestExec;
let ann: WireClient;

const RULE =
  'prefix_rule(pattern=["git","push"], decision="forbidden", justification="only the pipeline pushes")';

async function begin(policy: ApprovalPolicy, floor?: Floor): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), 'exec-console-unified-'));
  const stateDir = join(folder, 'state');
  mkdirSync(join(stateDir, 'rules'), { recursive: true, mode: 0o700 });
  writeFileSync(join(stateDir, 'rules', 'default.rules'), RULE);
  gateway = new UnifiedGateway(
    {},
    {
      approvals: { stateDir, policy, ruleFiles: [], onWaiting: null },
      ...(floor && { sandboxes: await sandboxesOf(stateDir, floor) }),
    },
  );
  agent = gateway.client({ cwd: folder });
  const identity = { tokenId: 'ann', name: 'ann', role: 'operator', expiresAtMs: null } as const;
  ann = new WireClient(connectInProcess(gateway.gateway, identity));
  await ann.initialize();
}

async function sandboxesOf(stateDir: string, floor: Floor): Promise<Sandboxes> {
  const sandboxes = new Sandboxes({ stateDir, floor, user: null });
  await sandboxes.prepare();
  return sandboxes;
}
beforeEach(() => begin('always'));
afterEach(async () => {
  await gateway.close();
  rmSync(folder, { recursive: true, force: true });
});

const waiting = async (): Promise<readonly Approval[]> =>
  (await ann.request<ApprovalsResult>('console/approvals', {})).approvals;

async function asked(): Promise<Approval> {
  await expect.poll(async () => (await waiting()).length).toBe(1);
  const [approval] = await waiting();
  if (!approval) throw new Error('nothing waits');
  return approval;
}

async function decide(decision: string, more: object = {}): Promise<void> {
  await ann.request('console/decide', { id: (await asked()).id, decision, ...more });
}

describe('[UE7] a command of unified exec that needs approval', () => {
  it('runs as soon as it is approved, and its wait excludes the time for approval', async () => {
    const answer = agent.start('echo hi', { yield_time_ms: 250 });
    expect(await asked()).toMatchObject({
      kind: 'start',
      startedBy: 'bot',
      clientName: 'agent',
      cwd: folder,
    });
    await new Promise((resolve) => setTimeout(resolve, 600));
    await decide('accept');
    const { text } = await answer;
    expect(text).toMatch(/Wall time: 0\.[0-4]\d+ seconds\nProcess exited with code 0\n/);
    expect(text).toMatch(/Output:\nhi\n$/);
  });

  it('is approved for the session whatever its call, unless it uses the id of its call', async () => {
    const first = agent.start('echo hi');
    await decide('acceptForSession');
    await first;
    expect((await agent.start('echo hi')).text).toContain('exited with code 0');
    const reads = 'eval "$CODEX_TOOL_CALL_ID"';
    const started = agent.start(reads);
    await decide('acceptForSession');
    await started;
    const again = agent.start(reads);
    await decide('decline');
    expect((await again).text).toContain('declined by ann');
  });

  it('is reported as waiting when the budget of the call is used up, and polled until it is decided', async () => {
    const { text, id } = await agent.start('echo hi', {}, { budgetMs: 300 });
    expect(text).toContain(
      `\nWaiting for approval with session ID ${id}\nOriginal token count: 0\nOutput:\n`,
    );
    expect(text).not.toContain('Process running');
    expect((await agent.call('list_sessions')).text).toContain(`${id}  waiting for approval`);
    const again = await agent.call('write_stdin', { session_id: id }, { budgetMs: 300 });
    expect(again.text).toContain(`Waiting for approval with session ID ${id}`);
    const typed = await agent.call('write_stdin', { session_id: id, chars: 'x' }, { budgetMs: 300 });
    expect(typed).toMatchObject({ isError: true });
    const poll = agent.call('write_stdin', { session_id: id });
    await decide('accept');
    expect((await poll).text).toMatch(/Process exited with code 0\n[\s\S]*Output:\nhi\n$/);
  });

  it('is refused with the name and the message of the person who declined it', async () => {
    const answer = agent.start('touch made');
    await decide('decline', { message: 'use "make"' });
    expect((await answer).text).toBe(
      String.raw`exec_command failed: CreateProcess { message: "Rejected(\"rejected by user: declined by ann: use \\\"make\\\"\")" }`,
    );
    expect(existsSync(join(folder, 'made'))).toBe(false);
  });

  it('is refused in the next poll when it was declined before that, and is unknown afterwards', async () => {
    const { id } = await agent.start('true', {}, { budgetMs: 300 });
    const list = async (): Promise<string> => (await agent.call('list_sessions')).text;
    const read = async (): Promise<string> => (await agent.call('read_output', { session_id: id })).text;
    expect([await list(), await read()]).toEqual([
      expect.stringContaining(`${id}  waiting for approval  `),
      expect.stringMatching(/^Process not started, session ID/),
    ]);
    await decide('decline');
    await expect.poll(list).toContain(`${id}  not started  `);
    expect(await read()).toMatch(/^Process not started, session ID \d+\n.*\nBytes: 0 to 0\nOutput:\n$/);
    const poll = (): Promise<{ text: string; isError: boolean }> =>
      agent.call('write_stdin', { session_id: id });
    expect(await poll()).toEqual({
      text: String.raw`write_stdin failed: CreateProcess { message: "Rejected(\"rejected by user: declined by ann\")" }`,
      isError: true,
    });
    expect((await poll()).text).toBe(`write_stdin failed: Unknown process id ${id}`);
  });

  it('is withdrawn, and never runs, when its call is cancelled or it is terminated', async () => {
    const cancel = new AbortController();
    const answer = agent.start('touch made', {}, { signal: cancel.signal });
    await asked();
    cancel.abort();
    await answer;
    await expect.poll(waiting).toEqual([]);
    const { id } = await agent.start('touch made', {}, { budgetMs: 300 });
    await asked();
    expect((await agent.call('terminate', { session_id: id })).text).toBe(
      `Withdrawn: session ${id} was not started`,
    );
    await expect.poll(waiting).toEqual([]);
    expect((await agent.call('list_sessions')).text).toBe('There are no sessions.');
    expect(existsSync(join(folder, 'made'))).toBe(false);
  });

  it('is withdrawn when its call is cancelled before it waits', async () => {
    const cancel = new AbortController();
    const answer = agent.start('touch made', {}, { signal: cancel.signal });
    cancel.abort();
    expect((await answer).text).toBe('exec_command was cancelled');
    const all = async (): Promise<readonly Approval[]> =>
      (await ann.request<ApprovalsResult>('console/approvals', { all: true })).approvals;
    await expect.poll(async () => (await all()).map(({ state }) => state)).toEqual(['withdrawn']);
    expect((await agent.call('list_sessions')).text).toBe('There are no sessions.');
  });

  it('is withdrawn when its client disconnects', async () => {
    const answer = agent.start('touch made');
    await asked();
    agent.exec.close();
    await answer;
    await expect.poll(waiting).toEqual([]);
  });

  it('is reported to its client, which may ask its own user', async () => {
    const reported: Approval[] = [];
    const answer = agent.start('true', {}, { onApproval: (approval) => reported.push(approval) });
    await expect.poll(() => reported.map(({ argv }) => argv.at(-1))).toEqual(['true']);
    await decide('accept');
    await answer;
    expect(reported).toHaveLength(1);
  });

  it('is refused immediately by a rule that forbids it, with the rule’s justification', async () => {
    const { text } = await agent.start('git push');
    expect(text).toMatch(
      /^exec_command failed: CreateProcess \{ message: "Rejected\(\\"`git push` rejected: .*only the pipeline pushes\\"\)" \}$/,
    );
    expect(await waiting()).toEqual([]);
  });
});

describe('[UE7] input of unified exec that needs approval', () => {
  it('is written when it is approved, and the session reports that it waits', async () => {
    const start = agent.start('stty -echo; echo ready; cat', { tty: true, yield_time_ms: 2000 });
    await decide('accept');
    const { id } = await start;
    const { text } = await agent.call('write_stdin', { session_id: id, chars: 'hello\n' }, { budgetMs: 300 });
    expect(text).toContain(
      `Process running with session ID ${id}\nWaiting for approval with session ID ${id}\n`,
    );
    expect(await asked()).toMatchObject({ kind: 'input', input: expect.stringContaining('hello') });
    await decide('accept');
    await expect
      .poll(async () => (await agent.call('write_stdin', { session_id: id }, { budgetMs: 300 })).text)
      .toMatch(/Output:\nhello\n$/);
  });

  it('is an error of the next call when it was declined, and no error of a termination', async () => {
    const start = agent.start('stty -echo; echo ready; cat', { tty: true, yield_time_ms: 2000 });
    await decide('accept');
    const { id } = await start;
    const write = agent.call('write_stdin', { session_id: id, chars: 'hello\n' });
    await decide('decline', { message: 'no' });
    expect(await write).toEqual({
      text: 'write_stdin failed: rejected by user: declined by ann: no',
      isError: true,
    });
    const late = await agent.call('write_stdin', { session_id: id, chars: 'hello\n' }, { budgetMs: 300 });
    expect(late.text).toContain('Process running');
    await decide('decline');
    const { text, isError } = await agent.call('terminate', { session_id: id });
    expect(text).toContain('\nwrite_stdin failed: rejected by user: declined by ann\n');
    expect({ text, isError }).toMatchObject({ text: expect.stringContaining('exited with'), isError: false });
  });
});

describe('[UE11] a command that requests to run without a sandbox', () => {
  it('needs approval, with the reason shown, even under a policy that would not ask otherwise', async () => {
    await gateway.close();
    await begin('on-request');
    expect((await agent.start('echo hi')).text).toContain('exited with code 0');
    const more = { sandbox_permissions: 'require_escalated', justification: 'May I?', prefix_rule: ['echo'] };
    const answer = agent.start('echo hi', more);
    expect(await asked()).toMatchObject({
      reason: 'its agent asks to run it without a sandbox',
      metadata: { justification: 'May I?', prefixRule: '["echo"]' },
    });
    await decide('accept');
    expect((await answer).text).toContain('exited with code 0');
  });
});

describe('[UE12] a command that its sandbox blocks under on-failure', () => {
  const outside = mkdtempSync(join(homedir(), '.exec-console-outside-'));
  const blocked = `echo tried && touch ${outside}/made && echo done`;
  beforeEach(async () => {
    await gateway.close();
    await begin('on-failure', 'none');
  });
  afterEach(() => rmSync(join(outside, 'made'), { force: true }));
  afterAll(() => rmSync(outside, { recursive: true }));

  it('needs approval, and is answered with its second run, which is a separate row', async () => {
    const answer = agent.start(blocked);
    expect(await asked()).toMatchObject({
      kind: 'start',
      reason: 'its sandbox blocked it, and it would run again without one',
      sandboxed: false,
      argv: [expect.any(String), '-c', blocked],
    });
    expect(existsSync(join(outside, 'made'))).toBe(false);
    await decide('accept');
    const { text } = await answer;
    expect(text).toMatch(
      /exited with code 0\n[\s\S]*\nThe command was run again without its sandbox; in the sandbox, its exit code was 1\nOutput:\ntried\ndone\n$/,
    );
    const { processes } = await ann.request<WatchResult>('console/watch', {});
    expect(processes.map(({ sandboxDenied }) => sandboxDenied)).toEqual([true, false]);
    expect(processes[1]?.restartOf).toBe(processes[0]?.key);
  });

  it('is answered with its first run when it is declined', async () => {
    const answer = agent.start(blocked);
    await decide('decline', { message: 'not there' });
    const { text } = await answer;
    expect(text).toMatch(/exited with code 1\n[\s\S]*declined by ann: not there\nOutput:\ntried\n/);
    expect(existsSync(join(outside, 'made'))).toBe(false);
    expect((await agent.call('list_sessions')).text).toContain('exited 1');
  });

  it('is reported as waiting when the budget of the call is used up, and polled', async () => {
    const { text, id } = await agent.start(blocked, {}, { budgetMs: 2000 });
    expect(text).toContain(`Waiting for approval with session ID ${id}\n`);
    const poll = agent.call('write_stdin', { session_id: id });
    await decide('accept');
    expect((await poll).text).toMatch(/exited with code 0\n[\s\S]*Output:\ntried\ndone\n$/);
  });

  it('is reported as waiting after yield_time_ms, however much of the budget is left', async () => {
    const beganAtMs = performance.now();
    const { text, id } = await agent.start(blocked, { yield_time_ms: 2000 });
    expect(text).toContain(`Waiting for approval with session ID ${id}\n`);
    const again = await agent.call('write_stdin', { session_id: id, yield_time_ms: 5000 });
    expect(again.text).toContain(`Waiting for approval with session ID ${id}\n`);
    expect(performance.now() - beganAtMs).toBeLessThan(20_000);
    await decide('accept');
    expect((await agent.call('write_stdin', { session_id: id })).text).toMatch(/Output:\ntried\ndone\n$/);
  });

  it('retains its first run when the second one is terminated before it starts, or its call is cancelled', async () => {
    const { id } = await agent.start(blocked, {}, { budgetMs: 2000 });
    await asked();
    const { text } = await agent.call('terminate', { session_id: id });
    expect(text).toMatch(/exited with code 1\n[\s\S]*Output:\ntried\n/);
    const cancel = new AbortController();
    const answer = agent.start(blocked, {}, { signal: cancel.signal });
    await asked();
    cancel.abort();
    await answer;
    await expect.poll(waiting).toEqual([]);
    expect(existsSync(join(outside, 'made'))).toBe(false);
  });

  it('needs no approval once it is approved for the session, under another policy, or on a terminal', async () => {
    const first = agent.start(blocked);
    await decide('acceptForSession');
    await first;
    expect((await agent.start(blocked)).text).toContain('The command was run again without its sandbox');
    const other = `${blocked} && false`;
    expect((await agent.start(other, { tty: true })).text).toContain('exited with code 1');
    await ann.request('console/setPolicy', { policy: 'on-request' });
    expect((await agent.start(other)).text).toMatch(/Output:\ntried\ndone\n$/);
    expect(await waiting()).toEqual([]);
  });

  it('needs no approval with the operator’s minimum sandbox', async () => {
    await gateway.close();
    await begin('on-failure', 'read-only');
    expect((await agent.start(blocked)).text).toContain('exited with code 1');
    expect(await waiting()).toEqual([]);
  });

  it('cannot be claimed by an agent for a run that no sandbox blocked', async () => {
    const { text } = await agent.start('exit 1');
    expect(text).toContain('exited with code 1');
    const identity = { tokenId: 'bot', name: 'bot', role: 'agent', expiresAtMs: null } as const;
    const bot = new WireClient(connectInProcess(gateway.gateway, identity));
    await bot.initialize();
    const cwd = pathToFileURL(folder).href;
    const start = { processId: 'p', argv: ['true'], cwd, env: {}, tty: false, retryOf: 'none' };
    const started = bot.request('process/start', start);
    await Promise.all([expect(started).rejects.toThrow('retryOf'), decide('accept')]);
  });
});
