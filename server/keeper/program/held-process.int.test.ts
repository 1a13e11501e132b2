// A process whose gateway reads the output more slowly than the process prints it, or forgets it.
import { fstatSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { DEFAULT_LIMITS } from '../../config.ts';
import { PipeChild } from '../../host/pipe-child.ts';
import { specOf } from '../../testing/test-child.ts';
import { HEADER_BYTES, ToGateway } from '../wire/frames.ts';
import type { Line } from '../wire/line.ts';
import { outputBytes } from '../wire/messages.ts';
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

function printing(printed: number, mostLogBytes: number, isOwned: boolean): HeldProcess {
  const argv = ['perl', '-e', `print "x" x 65536 for 1..${printed / 65536}`];
  const { held, folder } = started(argv, { isOwned, mostLogBytes: () => mostLogBytes });
  onTestFinished(() => {
    held.signal({ group: held.pid, signal: 'SIGKILL' });
    held.forget();
    rmSync(folder, { recursive: true });
  });
  return held;
}

/** Returns a connection whose queue is always full, so that further output stays in the log. */
function fullLine(): { readonly line: Line; readonly bytes: () => number } {
  let bytes = 0;
  const write = (frame: Buffer): number => (bytes += frame.length - HEADER_BYTES - outputBytes(0));
  const line = { queuedBytes: Number.POSITIVE_INFINITY, send: () => {}, sendJson: () => {}, write };
  return { line: line as unknown as Line, bytes: () => bytes };
}

it.each([false, true])(
  '[EL8][EL9] an exit is sent after the output before it, but at once while the process is paused: %s',
  async (isPaused) => {
    const { held, folder } = started(['echo', 'x'], { isOwned: true });
    await expect.poll(() => held.isOver).toBe(true);
    const sent: number[] = [];
    const write = (frame: Buffer): number => sent.push(frame.readUInt8(4));
    const send = (type: number): number => sent.push(type);
    const line = { queuedBytes: 0, send, sendJson: send, write } as unknown as Line;
    if (isPaused) held.pause();
    held.follow(line, 0);
    held.resume();
    while (held.sendNext());
    const { output, exit, end } = ToGateway;
    // The output may end before the exit is known.
    const orders = isPaused
      ? [[exit, output, end]]
      : [
          [output, exit, end],
          [output, end, exit],
        ];
    expect(orders).toContainEqual(sent);
    held.forget();
    rmSync(folder, { recursive: true });
  },
);

it.each([true, false])(
  '[KP24] a process is held back while its gateway has yet to be sent a megabyte, owned: %s',
  async (isOwned) => {
    const held = printing(PRINTED, 4 * PRINTED, isOwned);
    const { line, bytes } = fullLine();
    held.follow(line, 0);
    const unsent = (): number => held.describe().endOffset - bytes();
    await expect.poll(unsent).toBeGreaterThan(AHEAD_BYTES);
    let most = 0;
    while (bytes() < PRINTED) {
      most = Math.max(most, unsent());
      held.sendNext();
      // Several turns, in which a process that is not held back would print all.
      for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    }
    expect(most).toBeLessThan(2 * AHEAD_BYTES);
    await expect.poll(() => held.isOver).toBe(true);
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

it('[KP1] a new gateway finds the whole log that it was shown, until it follows the process', async () => {
  const most = 8 * AHEAD_BYTES;
  const held = printing(8 * most, most, false);
  while (held.describe().firstOffset === 0) await nextTurn();
  const pause = vi.spyOn(PipeChild.prototype, 'pause');
  onTestFinished(() => pause.mockRestore());
  held.joined();
  const { firstOffset } = held.describe();
  // The process is paused instead of losing the start of its log.
  await expect.poll(() => pause.mock.calls.length).toBeGreaterThan(0);
  expect(held.describe().firstOffset).toBe(firstOffset);
  const { line, bytes } = fullLine();
  held.follow(line, firstOffset);
  while (!held.isOver || held.hasMore) {
    held.sendNext();
    await nextTurn();
  }
  expect(firstOffset + bytes()).toBe(8 * most);
});

it('[KP19] a process is not held back for a gateway that has gone before it followed', async () => {
  const most = 8 * AHEAD_BYTES;
  const held = printing(8 * most, most, false);
  const pause = vi.spyOn(PipeChild.prototype, 'pause');
  onTestFinished(() => pause.mockRestore());
  held.joined();
  await expect.poll(() => pause.mock.calls.length).toBeGreaterThan(0);
  held.unfollow();
  await expect.poll(() => held.isOver).toBe(true);
  expect(held.describe().firstOffset).toBeGreaterThan(0);
});
