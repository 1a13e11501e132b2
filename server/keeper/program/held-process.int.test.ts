// A process whose gateway reads the output more slowly than the process prints it, or forgets it.
import { fstatSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { DEFAULT_LIMITS } from '../../config.ts';
import { specOf } from '../../testing/test-child.ts';
import type { Line } from '../wire/line.ts';
import { AHEAD_BYTES } from './log-limits.ts';
import { HeldProcess, type HeldEvents } from './held-process.ts';

const PRINTED = 16 * AHEAD_BYTES;

function started(
  argv: readonly string[],
  { isOwned, ...events }: Partial<HeldEvents> & { readonly isOwned: boolean },
): { readonly held: HeldProcess; readonly folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'exec-console-held-'));
  const spec = specOf(argv);
  const asked = { key: 'key', spec, inside: null, found: null, stdin: DEFAULT_LIMITS, lingerMs: 0, isOwned };
  const held = HeldProcess.start(1, join(folder, 'key'), asked, spec, {
    over: () => {},
    mostLogBytes: () => 4 * PRINTED,
    unwritten: () => {},
    slow: () => {},
    ...events,
  });
  return { held, folder };
}

it.each([true, false])(
  '[KP24] a process is held back while its gateway has yet to be sent a megabyte, owned: %s',
  async (isOwned) => {
    const argv = ['perl', '-e', `print "x" x 65536 for 1..${PRINTED / 65536}`];
    const { held, folder } = started(argv, { isOwned });
    const sent = { bytes: 0 };
    const line = {
      // The queue is always full, so further output stays in the log.
      queuedBytes: Number.POSITIVE_INFINITY,
      send: () => {},
      sendJson: () => {},
      write: (frame: Buffer) => (sent.bytes += frame.length),
    };
    held.follow(line as unknown as Line, 0);
    const unsent = (): number => held.describe().endOffset - sent.bytes;
    await expect.poll(unsent).toBeGreaterThan(AHEAD_BYTES);
    let most = 0;
    while (sent.bytes < PRINTED) {
      most = Math.max(most, unsent());
      held.sendNext();
      // Several turns, in which a process that is not held back would print all.
      for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    }
    expect(most).toBeLessThan(2 * AHEAD_BYTES);
    await expect.poll(() => held.isOver).toBe(true);
    held.forget();
    rmSync(folder, { recursive: true });
  },
);

it('[PR7] a process that is forgotten before its exit writes to no file that was opened since', async () => {
  const unwritten = vi.fn();
  const { held, folder } = started(['sleep', '1000'], { isOwned: false, unwritten });
  held.forget();
  const files = [1, 2, 3].map((n) => openSync(join(folder, String(n)), 'w'));
  process.kill(held.pid, 'SIGKILL');
  await expect.poll(() => held.isOver).toBe(true);
  expect(files.map((file) => fstatSync(file).size)).toEqual([0, 0, 0]);
  expect(unwritten).not.toHaveBeenCalled();
  rmSync(folder, { recursive: true });
});
