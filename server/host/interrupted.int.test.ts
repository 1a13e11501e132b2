// Calls to the C library while signals interrupt this program, such as those of many children that end at once.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, writeSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { KINDS, raw, specOf, startChild } from '../testing/test-child.ts';
import { hasUnread, isOtherEndOpen, locked } from './libc.ts';
import { outputPipe } from './pipe.ts';

/** Maximum time for which signals are sent, in seconds. */
const MOST_SECONDS = 20;
const CALLS = 200_000;
const STARTS = 50;

let stop: () => Promise<unknown> = () => Promise.resolve();
afterEach(async () => {
  await stop();
  process.removeListener('SIGWINCH', nothing);
});

function nothing(): void {}

/**
 * Sends signals to this program; resolves when the first has arrived. Without a pause, Node loses some signals,
 * possibly those of children that end.
 */
async function interrupt(pauseS: number): Promise<void> {
  process.on('SIGWINCH', nothing);
  const first = once(process, 'SIGWINCH');
  const pause = `select undef, undef, undef, ${pauseS}`;
  const script = `alarm ${MOST_SECONDS}; ${pause} while kill "WINCH", ${process.pid}`;
  const sender = spawn('perl', ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  // The signal that reports the sender's exit may be lost among the others.
  const ended = once(sender.stdout.resume(), 'close');
  stop = () => {
    sender.kill('SIGKILL');
    return ended;
  };
  await first;
}

it('a pipe is polled, and a file is locked, while signals arrive', async () => {
  await interrupt(0);
  const { ours, childs } = outputPipe();
  try {
    expect(hasUnread(ours)).toBe(false);
    writeSync(childs, 'x');
    for (let call = 0; call < CALLS; call += 1) {
      if (!hasUnread(ours)) throw new Error(`call ${call}: unread data is missing`);
      if (!isOtherEndOpen(ours)) throw new Error(`call ${call}: the other end is missing`);
    }
    expect(locked(ours)).toBe(true);
  } finally {
    for (const end of [ours, childs]) closeSync(end);
  }
});

it.each(KINDS)('children on $kind are started, print and are reaped while signals arrive', async (kind) => {
  await interrupt(0.0002);
  for (let at = 0; at < STARTS; at += 1) {
    const { child, exited, ended, output } = startChild(specOf(raw('printf out; exit 3'), kind));
    if (kind.tty) child.resize({ rows: 30 + (at % 2), cols: 100 });
    expect(await exited).toEqual({ code: 3, signal: null });
    await ended;
    expect(output().toString()).toBe('out');
  }
});
