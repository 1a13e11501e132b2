// One warning per change of the gateway's health; repeated reports cause none.
import { beforeEach, expect, it, test } from 'vitest';
import { processStore } from '../processes/process-store.ts';
import { changeText, dismissGatewayNotice, followGatewayHealth, gatewayNotices } from './gateway-notices.ts';

test.each([
  [[], ['no room'], 'The gateway is degraded: no room.'],
  [['no room'], ['no room', 'no sandbox.'], 'The gateway is degraded: no sandbox.'],
  [['no room', 'no sandbox'], ['no room'], 'Resolved: no sandbox.'],
  [['a'], ['b'], 'The gateway is degraded: b. Resolved: a.'],
  [['a'], [], 'The gateway has recovered.'],
  [['a', 'b'], ['b', 'a'], null],
])('a change of problems from %j to %j is announced', (before, after, text) =>
  expect(changeText(before, after)).toBe(text),
);

const become = (...reasons: string[]): void =>
  processStore.setState({ gateway: { status: reasons.length > 0 ? 'degraded' : 'ok', reasons } });

beforeEach(() => {
  become();
  gatewayNotices.setState({ announcement: null, banner: null });
});

it('each change of the gateway’s health shows one warning until it is dismissed', () => {
  const stop = followGatewayHealth();
  become('no room');
  expect(gatewayNotices.getState()).toMatchObject({ banner: 'degraded', announcement: { turn: 1 } });
  dismissGatewayNotice();
  become('no room');
  expect(gatewayNotices.getState()).toMatchObject({ banner: null, announcement: { turn: 1 } });
  become('no room', 'no sandbox');
  expect(gatewayNotices.getState()).toMatchObject({ banner: 'degraded', announcement: { turn: 2 } });
  become();
  expect(gatewayNotices.getState()).toMatchObject({ banner: 'recovered', announcement: { turn: 3 } });
  stop();
  become('something else');
  expect(gatewayNotices.getState().announcement?.turn).toBe(3);
});

it('an outage of a service shows one warning, which disappears without an announcement when the outage ends', () => {
  const stop = followGatewayHealth();
  const outage = (...notices: string[]): void =>
    processStore.setState({ gateway: { status: 'ok', reasons: [], ...(notices.length > 0 && { notices }) } });
  outage('Codex has a major outage');
  expect(gatewayNotices.getState()).toMatchObject({
    banner: 'outage',
    announcement: { turn: 1, text: 'Codex has a major outage.' },
  });
  dismissGatewayNotice();
  outage('Codex has a major outage');
  expect(gatewayNotices.getState()).toMatchObject({ banner: null, announcement: { turn: 1 } });
  outage('Codex has a major outage', 'Claude has maintenance');
  expect(gatewayNotices.getState()).toMatchObject({ banner: 'outage', announcement: { turn: 2 } });
  outage();
  expect(gatewayNotices.getState()).toMatchObject({ banner: null, announcement: { turn: 2 } });
  stop();
});
