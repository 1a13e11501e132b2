// A gateway with a keeper of an earlier build, which cannot be upgraded in place.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../config.ts';
import { specOf } from '../../testing/test-child.ts';
import { ToGateway, ToKeeper } from '../wire/frames.ts';
import { Line, parseJson } from '../wire/line.ts';
import type { Hello, Welcome } from '../wire/messages.ts';
import { socketPath } from '../wire/place.ts';
import { KeeperLink } from './keeper-link.ts';

it('[KP23] A keeper of an earlier build is served in its own version, and reported', async () => {
  const stateDir = mkdtempSync(join(tmpdir(), 'exec-console-old-keeper-'));
  const frames: [type: number, target: number][] = [];
  const welcome: Welcome = {
    version: 1,
    pid: process.pid,
    epoch: 1,
    firstMark: '1152921504606846976',
    nextProcess: 1,
    processes: [],
  };
  let greeting: Partial<Hello> = {};
  const server = createServer((socket) => {
    const line = new Line(socket, {
      onFrame: (type, number, payload) => {
        frames.push([type, number]);
        if (type !== ToKeeper.hello) return;
        greeting = parseJson(payload) as Hello;
        line.sendJson(ToGateway.welcome, 0, welcome);
      },
      onDrain: () => {},
      onClose: () => {},
    });
  });
  server.listen(socketPath(stateDir));
  await once(server, 'listening');
  const link = await KeeperLink.open(stateDir, { displaced: () => {}, lost: () => {}, trouble: () => {} });
  expect(greeting.min).toBe(1);
  expect(link.notUpgraded).toBe(
    'The keeper is an older version, which cannot be upgraded while it runs. Stop the gateway when no process is running; its next start also starts a new keeper',
  );
  const spawned = link.spawn('key', specOf(['true']), DEFAULT_LIMITS, { lingerMs: 0, isOwned: false });
  await expect
    .poll(() => frames)
    .toEqual([
      [ToKeeper.hello, 0],
      [ToKeeper.spawn, 1],
    ]);
  link.leave();
  await expect(spawned).rejects.toThrow('the connection to the keeper was lost');
  server.close();
  rmSync(stateDir, { recursive: true });
});
