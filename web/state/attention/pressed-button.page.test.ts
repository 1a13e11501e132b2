// Button presses on notifications: when they decide a request, and when they are rejected.
import { beforeEach, describe, expect, it } from 'vitest';
import type { Approval } from '../../../protocol/approvals.ts';
import type { ExecClient } from '../../../client/exec-client.ts';
import { approvalOf } from '../../testing/page-approvals.ts';
import type { NotificationPress } from '../../worker/messages.ts';
import { approvalsStore } from '../approvals/approvals-store.ts';
import { requestView } from '../approvals/request-view.ts';
import { pageStore } from '../page/page-store.ts';
import { processStore } from '../processes/process-store.ts';
import { act, parsePress } from './pressed-button.ts';
import { offerOf, shownText } from './request-offer.ts';

const REQUEST = approvalOf(1, { argv: ['git', 'push'], sandboxed: true });

let decisions: unknown[];
let client: ExecClient;
beforeEach(() => {
  decisions = [];
  const request = async (_method: string, params: unknown): Promise<void> => void decisions.push(params);
  client = { connection: { request } } as unknown as ExecClient;
  approvalsStore.setState({ requests: [REQUEST] });
  pageStore.setState({ problem: null });
  connectAs('operator');
});

const connectAs = (role: 'operator' | 'observer'): void =>
  processStore.setState({
    connection: { kind: 'online', role, connection: 'c1' } as ReturnType<
      typeof processStore.getState
    >['connection'],
  });

/** Returns a press one second after the notification was shown. */
const pressOn = (
  action: NotificationPress['action'],
  request: Approval = REQUEST,
  pressedAtMs = Date.now(),
): NotificationPress => ({
  action,
  data: {
    id: request.id,
    isRequest: true,
    shown: shownText(request, offerOf(request)),
    shownAtMs: pressedAtMs - 1000,
  },
  pressedAtMs,
});

it('[AU29] a press decides the request that its notification showed', async () => {
  expect(await act(client, pressOn('approve'))).toBe('done');
  expect(await act(client, pressOn('decline'))).toBe('done');
  expect(decisions).toEqual([
    { id: 'a-1', decision: 'accept' },
    { id: 'a-1', decision: 'decline' },
  ]);
});

it('[AU29] a press for a request that is gone goes to no other request', async () => {
  approvalsStore.setState({ requests: [approvalOf(2)] });
  requestView.setState({ focus: null });
  for (const action of ['approve', 'decline', 'show'] as const) {
    expect(await act(client, pressOn(action))).toBe('show');
    expect(pageStore.getState().problem).toMatch(/this request is no longer waiting/i);
  }
  expect(requestView.getState().focus).toBeNull();
});

describe.each(['approve', 'decline'] as const)('A press on “%s”', (action) => {
  const NEWER: readonly (readonly [name: string, requests: readonly Approval[]])[] = [
    ['is gone', []],
    ['was decided', [{ ...REQUEST, state: 'accepted' }]],
    ['was withdrawn', [{ ...REQUEST, state: 'withdrawn' }]],
    ['has another command', [{ ...REQUEST, argv: ['git', 'push', '-f'] }]],
    ['has another folder', [{ ...REQUEST, cwd: '/' }]],
    ['has lost its sandbox', [{ ...REQUEST, sandboxed: false }]],
    ['has a variable now', [{ ...REQUEST, variables: [{ name: 'GIT_DIR', value: '/x' }] }]],
    ['is another one of the same id', [{ ...REQUEST, createdAtMs: 5 }]],
  ];
  it.each(NEWER)('decides nothing when the request %s', async (_name, requests) => {
    approvalsStore.setState({ requests });
    expect(await act(client, pressOn(action))).toBe('show');
    expect(decisions).toEqual([]);
    expect(pageStore.getState().problem).toMatch(/^Not decided: /);
  });

  it('decides nothing within 400 ms of the notification', async () => {
    const press = pressOn(action);
    const fresh = { ...press, data: { ...press.data, shownAtMs: press.pressedAtMs - 399 } };
    expect(await act(client, fresh)).toBe('ignored');
    expect(decisions).toEqual([]);
  });

  it('decides nothing when the page was frozen at the press', async () => {
    expect(await act(client, pressOn(action, REQUEST, Date.now() - 11_000))).toBe('show');
    expect(decisions).toEqual([]);
  });

  it('decides nothing for an observer', async () => {
    connectAs('observer');
    expect(await act(client, pressOn(action))).toBe('show');
    expect(decisions).toEqual([]);
  });
});

it('a notification that does not show the whole request can decline it, but not approve it', async () => {
  const long = { ...REQUEST, argv: ['echo', 'x'.repeat(100)] };
  approvalsStore.setState({ requests: [long] });
  expect(await act(client, pressOn('approve', long))).toBe('show');
  expect(decisions).toEqual([]);
  expect(await act(client, pressOn('decline', long))).toBe('done');
});

it.each([
  null,
  'approve',
  {},
  { action: 'approve' },
  { ...pressOn('approve'), action: 'acceptForSession' },
  { ...pressOn('approve'), pressedAtMs: '1' },
  { ...pressOn('approve'), data: null },
  { ...pressOn('approve'), data: { ...pressOn('approve').data, id: 1 } },
  { ...pressOn('approve'), data: { ...pressOn('approve').data, shown: undefined } },
])('parsePress rejects %j', (value) => {
  expect(parsePress(value)).toBeNull();
});

describe('A notification', () => {
  it('offers to approve a short command, with its folder and sandbox', () => {
    expect(offerOf(REQUEST)).toEqual({
      title: 'bot asks to start',
      body: 'git push\nin /srv/shop, in a sandbox',
      mayApprove: true,
    });
    expect(offerOf({ ...REQUEST, sandboxed: false }).body).toContain(', without a sandbox');
    expect(offerOf({ ...REQUEST, argv: ['bash', '-lc', 'npm test'] }).body).toContain("bash -lc 'npm test'");
  });

  const HIDDEN: readonly Partial<Approval>[] = [
    { argv: ['echo', 'x'.repeat(60)] },
    { argv: ['echo', 'a\nb'] },
    { argv: ['echo', 'a\tb'] },
    { argv: ['echo', 'a\u202Eb'] },
    { argv: ['echo', 'a\u200Bb'] },
    { argv: ['echo', 'a\u00A0b'] },
    { argv: ['echo', 'p\u0430ypal'] },
    { argv: ['echo', 'a  b'] },
    { argv: ['echo', ''.padEnd(40)] },
    { argv: [] },
    { cwd: '/srv/shop\u202E' },
    { cwd: `/${'x'.repeat(60)}` },
    { arg0: 'sh' },
    { tty: true },
    { pipeStdin: true },
    { isWhole: false },
    { complex: 'a variable' },
    { pause: 'p-1' },
    { hasGoneOn: true },
    { variables: [{ name: 'PATH', value: '/x' }] },
    { program: { path: '/w/x', bytes: 1, modifiedAtMs: 1, sha256: null } },
    { kind: 'input', input: 'ls' },
    { kind: 'file', method: 'fs/writeFile', argv: [] },
    { kind: 'tool', argv: [], details: 'x' },
  ];
  it.each(HIDDEN)('offers no approval if the card would mark a part of the request: %j', (facts) => {
    expect(offerOf({ ...REQUEST, ...facts }).mayApprove).toBe(false);
  });
});
