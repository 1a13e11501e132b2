// A keeper that was stopped (SIGSTOP), as reported to commands and gateways: rule KP12.
import { readFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockPath } from '../wire/place.ts';
import { askKeeper, stopKeeper } from './ask-keeper.ts';
import { KeeperLink } from './keeper-link.ts';
import { findOrStartKeeper } from './keeper-start.ts';

let dir: string;
let pid: number;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'exec-console-silent-'));
  (await findOrStartKeeper(dir)).destroy();
  pid = Number(readFileSync(lockPath(dir), 'utf8'));
  process.kill(pid, 'SIGSTOP');
});
afterEach(async () => {
  process.kill(pid, 'SIGCONT');
  await stopKeeper(dir, 0);
  rmSync(dir, { recursive: true });
});

describe.runIf(process.platform === 'linux')('[KP12] A keeper that does not answer', () => {
  it('is reported to a command with the file that contains its PID', async () => {
    await expect(askKeeper(dir, 100)).rejects.toThrow(
      `does not answer; it may be suspended. Resume it with kill -CONT; its PID is in ${dir}`,
    );
  });

  it('is reported to a gateway that would take over its processes', async () => {
    const events = { displaced: () => {}, lost: () => {}, trouble: () => {} };
    await expect(KeeperLink.open(dir, events, 100)).rejects.toThrow(
      'does not answer; it may be suspended. Resume it with kill -CONT; its PID is in keeper.lock',
    );
  });
});
