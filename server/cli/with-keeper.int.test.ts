// Gateways in a state folder in which no keeper can run. Uses the built programs.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lockPath, socketPath } from '../keeper/wire/place.ts';
import { sharedMain } from '../testing/command-line.ts';
import { keeperPid } from '../keeper/link/keeper-pid.ts';

let stateDir: string;
let gateway: ChildProcess | null = null;
beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'exec-console-no-keeper-'));
});
afterEach(() => {
  gateway?.kill('SIGKILL');
  rmSync(stateDir, { recursive: true });
});

async function start(keeper: 'on' | 'auto') {
  const argv = [sharedMain(), '--port', '0', '--keeper', keeper, '--state-dir', stateDir];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'pipe'] });
  gateway = child;
  return { child, printed: text(child.stderr) };
}

const OBSTACLES = [
  [
    'the lock cannot be opened',
    () => mkdirSync(lockPath(stateDir)),
    'keeper\\.lock is a folder, not a file; remove it',
  ],
  [
    'the socket cannot be created',
    () => mkdirSync(join(socketPath(stateDir), 'taken'), { recursive: true }),
    'keeper.sock',
  ],
] as const;

it.each(OBSTACLES)(
  '[KP25] with --keeper auto, a gateway runs processes itself when %s, and reports why',
  async (_, obstruct, why) => {
    obstruct();
    const { child, printed } = await start('auto');
    const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
    expect((await fetch(`${url.replace('ws', 'http')}/readyz`)).status).toBe(200);
    child.kill('SIGTERM');
    const lines = (await printed).trimEnd().split('\n');
    expect(lines).toEqual([
      expect.stringMatching(
        `Processes run in this gateway and end with it, because no keeper can be started: .*${why}`,
      ),
    ]);
    expect(keeperPid(stateDir)).toBeNull();
  },
);

it.each(OBSTACLES)(
  '[KP25] with --keeper on, a gateway does not start when %s, and reports why',
  async (_, obstruct, why) => {
    obstruct();
    const { child, printed } = await start('on');
    expect(await once(child, 'exit')).toEqual([1, null]);
    expect(await printed).toMatch(new RegExp(`no keeper can be started: .*${why}`));
  },
);
