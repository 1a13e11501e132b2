// The contract of every process, in this program or behind a message channel, with real programs.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_LIMITS } from '../config.ts';
import { Cursor } from '../delivery/attachment.ts';
import type { Step } from '../delivery/frames.ts';
import type { ChildSpec } from '../host/child.ts';
import {
  ADA,
  bytesOf,
  closed,
  DESCRIPTION,
  END,
  endAll,
  FLOOD,
  flood,
  printed,
  readAll,
  sha,
  startBehindLine,
  startHere,
  turn,
  until,
  type Start,
} from '../testing/started-process.ts';
import { raw, specOf, TERMINAL } from '../testing/test-child.ts';
import type { ProcessLimits } from './process-limits.ts';
import { StdinFull, type ProcessControl } from './process-view.ts';
import { waitForEnd, whenNews } from './read.ts';

const FOREVER = { isEnding: false, onEnding: () => () => {} };
const LONG_MS = 60_000;

afterEach(endAll);

describe.each<{ home: string; startAs: Start }>([
  { home: 'in this program', startAs: startHere },
  { home: 'behind a message channel', startAs: startBehindLine },
])('A process $home', ({ startAs }) => {
  const start = (
    argv: readonly string[],
    { limits = {}, ...spec }: Partial<ChildSpec> & { limits?: Partial<ProcessLimits> } = {},
  ): Promise<ProcessControl> => startAs(specOf(argv, spec), { ...DEFAULT_LIMITS, ...limits });

  it('has its description, spec and size from the start', async () => {
    const process = await start(['sh', '-c', 'read x'], { tty: TERMINAL });
    expect(process.key).toMatch(/^[\w-]{12,}$/);
    expect(process).toMatchObject({
      processId: 'p',
      description: DESCRIPTION,
      spec: { argv: ['sh', '-c', 'read x'], cwd: '/tmp', tty: TERMINAL, sandbox: null },
      size: TERMINAL,
      exit: null,
      isClosed: false,
      isLost: false,
      controller: null,
    });
    expect(process.pid).toBeGreaterThan(1);
    expect(process.log.sizeAt(1)).toMatchObject(TERMINAL);
  });

  it('[DE4] waits for a reader that holds its output, and loses nothing', async () => {
    const limits = { retainedBytes: 100_000, pauseBytes: 200_000, resumeBytes: 50_000 };
    const process = await start(FLOOD, { limits });
    const hold = process.hold(1, 0);
    let takenBytes = 0;
    let mostUnread = 0;
    process.log.onChange(() => {
      mostUnread = Math.max(mostUnread, process.log.totalBytes - takenBytes);
    });
    const steps = await readAll(process, (cursor) => {
      takenBytes = cursor.givenBytes;
      hold.release(cursor.nextSeq, cursor.givenBytes);
    });
    const events = steps.filter((step) => 'seq' in step);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(events).toHaveLength(steps.length);
    // The exited event may come before the last output.
    expect(steps.filter(({ kind }) => kind !== 'output')).toMatchObject([
      { kind: 'exited', exitCode: 0 },
      { kind: 'closed' },
    ]);
    expect(sha(bytesOf(steps))).toBe(sha(flood));
    // Reads from the pipe may be in flight when the process is paused.
    expect(mostUnread).toBeLessThan(flood.length / 4);
    hold.close();
    expect(process.log.retainedBytes).toBeLessThanOrEqual(limits.retainedBytes);
  });

  it('[DE4] resumes as soon as it no longer waits for a reader that has read nothing', async () => {
    const limits = { retainedBytes: 10_000, pauseBytes: 50_000, resumeBytes: 20_000 };
    const process = await start(FLOOD, { limits });
    const hold = process.hold(1, 0);
    await until(process, () => process.log.totalBytes > limits.pauseBytes);
    for (let turns = 0; turns < 50; turns += 1) await turn();
    expect(process.log.firstSeq).toBe(1);
    expect(process.log.totalBytes).toBeLessThan(flood.length);
    hold.close();
    await closed(process);
    expect(process.log.totalBytes).toBe(flood.length);
    expect(process.log.retainedBytes).toBeLessThanOrEqual(limits.retainedBytes);
  });

  it('[DE4] does not wait for a reader that only retains output, and retains it', async () => {
    const limits = { retainedBytes: 10_000, pauseBytes: 20_000, resumeBytes: 10_000 };
    const process = await start(['seq', '1', '20000'], { limits });
    const hold = process.hold(1, END);
    await closed(process);
    const all = process.log.tail(END);
    expect(all.length).toBe(process.log.totalBytes);
    expect(all.length).toBeGreaterThan(5 * limits.pauseBytes);
    hold.release(END, END);
    await until(process, () => process.log.retainedBytes <= limits.retainedBytes);
    expect(process.log.firstOffset + process.log.retainedBytes).toBe(process.log.totalBytes);
  });

  it('[EL3][EL5] evicts output that no reader holds, and reports each piece in order', async () => {
    const limits = { retainedBytes: 10_000, chunkBytes: 1000 };
    const process = await start(FLOOD, { limits });
    const evicted: Buffer[] = [];
    process.log.onEvict((bytes) => evicted.push(Buffer.from(bytes)));
    const before = process.log.firstOffset;
    await closed(process);
    const { log } = process;
    expect(log.at(1)).toBeUndefined();
    expect(log.retainedBytes).toBeLessThanOrEqual(limits.retainedBytes);
    expect(sha(Buffer.concat([...evicted, log.tail(END)]))).toBe(sha(flood.subarray(before)));
  });

  it('[DE7] counts exactly the bytes that a reader without credit does not receive', async () => {
    const limits = { retainedBytes: 20_000, chunkBytes: 4096 };
    const process = await start(FLOOD, { limits });
    const cursor = new Cursor(process.log, 0);
    await closed(process);
    const steps: Step[] = [];
    for (let step = cursor.pull(); step; step = cursor.pull()) steps.push(step);
    const [gap, ...rest] = steps;
    const retained = bytesOf(rest);
    expect(gap).toMatchObject({ kind: 'gap', afterSeq: 0, bytes: flood.length - retained.length });
    expect(sha(retained)).toBe(sha(flood.subarray(-retained.length)));
    expect(retained.length).toBeLessThanOrEqual(limits.retainedBytes);
  });

  it('[EL8] exits before it closes, and has its exit code at the exited event', async () => {
    const process = await start(['sh', '-c', 'echo out; exit 7']);
    const exit = new Promise((resolve) => {
      process.log.onChange(() => {
        if (process.log.exitedSeq !== null) resolve(process.exit);
      });
    });
    expect(await exit).toEqual({ code: 7, signal: null });
    await closed(process);
    const { log } = process;
    expect([log.exitedSeq, log.closedSeq, log.nextSeq]).toEqual([2, 3, 4]);
    expect(process.exitedAtMs).toBeGreaterThanOrEqual(process.startedAtMs);
  });

  it('[RD4] answers pending waits for output and for the end', async () => {
    const process = await start(['sh', '-c', 'read x; echo "$x"'], { pipeStdin: true });
    const news = whenNews(process, { waitMs: LONG_MS }, FOREVER, () => process.log.tail(END).toString());
    const end = waitForEnd(process, 'closed', LONG_MS, FOREVER);
    await process.write(ADA, '1', Buffer.from('hello\n'));
    expect(await news).toBe('hello\n');
    expect(await end).toEqual({ exited: true, exitCode: 0, closed: true });
  });

  it('[PR4] writes the input of each writeId once and in order, up to the end of stdin', async () => {
    const process = await start(['cat'], { pipeStdin: true });
    const write = (id: string, text: string) => process.write(ADA, id, Buffer.from(text));
    const answers = await Promise.all([write('1', 'one '), write('1', 'one '), write('2', 'two')]);
    expect(answers).toEqual(['accepted', 'accepted', 'accepted']);
    const ends = await Promise.all([process.closeStdin('Ada'), process.closeStdin('Ada')]);
    expect(ends).toEqual(['accepted', 'stdinClosed']);
    expect(await Promise.all([write('1', 'one '), write('3', 'three')])).toEqual(['accepted', 'stdinClosed']);
    await closed(process);
    expect(process.log.tail(END).toString()).toBe('one two');
    expect(process.inputBytes).toBe(7);
    expect(process.lastInput).toMatchObject(ADA);
  });

  it('rejects a write with StdinFull when too much input is waiting', async () => {
    const limits = { stdinQueueBytes: 1000, stdinWaitingBytes: 1000 };
    const process = await start(['sleep', '60'], { pipeStdin: true, limits });
    const much = Buffer.alloc(1_000_000);
    expect(await process.write(ADA, '1', much)).toBe('accepted');
    await expect((async () => process.write(ADA, '2', much))()).rejects.toThrow(StdinFull);
  });

  it('[PR11] resizes its terminal, and marks the place in its output', async () => {
    const process = await start(raw('echo ready; head -c1; stty size'), { tty: TERMINAL });
    await printed(process, 'ready');
    process.resize({ rows: 50, cols: 100 });
    await process.write(ADA, '1', Buffer.from('x'));
    await closed(process);
    expect(process.size).toEqual({ rows: 50, cols: 100 });
    expect(process.log.tail(END).toString()).toMatch(/x50 100/);
    const [, mark] = process.log.sizesFrom(1);
    expect(mark).toMatchObject({ rows: 50, cols: 100 });
    expect(process.log.offsetAfter(mark?.afterSeq ?? 0)).toBe('ready\n'.length);
  });

  it('receives a signal, and records it as an act', async () => {
    const script = 'trap "echo got it; exit 3" INT; echo ready; while :; do read x; done';
    const process = await start(['sh', '-c', script], { pipeStdin: true });
    await printed(process, 'ready');
    process.signal('interrupt', 'Ada');
    await closed(process);
    expect(process.log.tail(END).toString()).toBe('ready\ngot it\n');
    expect(process.exit).toEqual({ code: 3, signal: null });
    expect(process.acts).toMatchObject([{ who: 'Ada', how: 'interrupt', afterSeq: 1 }]);
  });

  it('is terminated, and reports who did it and that everything ended', async () => {
    const process = await start(['sleep', '60']);
    expect(await process.terminate(0, 'Ada')).toEqual({ running: true });
    await until(process, () => process.isClosed && process.allEndedAtMs !== null);
    expect(process.exit?.signal).toBe('SIGKILL');
    expect(process.endedBy).toMatchObject({ who: 'Ada', how: 'kill' });
    expect(process.termination).toBeNull();
    expect(await process.killNow('Ada')).toEqual({ running: false });
  });

  it('reports a bell and a notification', async () => {
    const process = await start(raw(`printf '\\a\\033]9;done\\a'`), { tty: TERMINAL });
    const attention: (string | null)[] = [];
    process.onAttention((text) => attention.push(text));
    await closed(process);
    expect(new Set(attention)).toEqual(new Set(['done', null]));
    expect(process.attention).toMatchObject({
      bellAtMs: expect.any(Number),
      notification: { text: 'done', atMs: expect.any(Number) },
    });
  });

  it('notifies no listener that has unsubscribed', async () => {
    const process = await start(['sh', '-c', 'read x; echo "$x"'], { pipeStdin: true });
    const listener = vi.fn();
    for (const stop of [
      process.onChange(listener),
      process.log.onChange(listener),
      process.onAttention(listener),
    ])
      stop();
    await process.write(ADA, '1', Buffer.from('hello\n'));
    await closed(process);
    expect(listener).not.toHaveBeenCalled();
  });

  it('discards its output on request, except what a reader holds', async () => {
    const process = await start(['sh', '-c', 'echo out; echo err >&2; echo out'], {});
    await closed(process);
    const hold = process.hold(2, END);
    process.discardOutput();
    expect([process.log.firstSeq, process.log.at(2)?.kind]).toEqual([2, 'output']);
    hold.close();
    process.discardOutput();
    expect(process.log.retainedBytes).toBe(0);
    expect(process.log.exitedSeq).not.toBeNull();
  });

  it('[HS11] also discards what a reader holds when its recording is removed, but not its end', async () => {
    const process = await start(['sh', '-c', 'echo out; exit 3'], {});
    await closed(process);
    const hold = process.hold(1, 0);
    process.discardOutput(true);
    const { log } = process;
    expect([log.retainedBytes, log.firstSeq, log.at(log.firstSeq)?.kind]).toEqual([
      0,
      log.closedSeq,
      'closed',
    ]);
    expect(process.exit?.code).toBe(3);
    hold.close();
  });

  it('has a new controller immediately, and keeps it after its end', async () => {
    const process = await start(['sleep', '60']);
    process.controller = 'c-1';
    expect(process.controller).toBe('c-1');
    process.signal('kill', 'Ada');
    await closed(process);
    expect(process.controller).toBe('c-1');
  });
});
