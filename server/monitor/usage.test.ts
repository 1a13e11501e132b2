// Tests of parsing the system's tables, and of usage computed from two samples of them: rules US1 and US3.
import { describe, expect, it } from 'vitest';
import { parseSockets } from './listening-ports.ts';
import { Sampler, type ProcUsage } from './sampler.ts';

/** Page size of some arm64 kernels. */
const PAGE_BYTES = 65_536;

describe('/proc/net/tcp', () => {
  const row = (address: string, state: string, inode: number): string =>
    `   0: ${address} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000  0 0 ${inode} 1 0 100 0 0 10 0`;
  it.each([
    ['0100007F:1F90', '127.0.0.1', 8080],
    ['00000000:0050', '0.0.0.0', 80],
    ['00000000000000000000000000000000:0BB8', '::', 3000],
    ['00000000000000000000000001000000:0BB8', '::1', 3000],
    ['0000000000000000FFFF00000100007F:0BB8', '127.0.0.1', 3000],
    ['B80D0120000000000000000001000000:0BB8', '2001:db8:0:0:0:0:0:1', 3000],
  ])('lists %s as %s port %i', (hex, address, port) => {
    expect(parseSockets(`head\n${row(hex, '0A', 5)}\n${row(hex, '01', 6)}\n`)).toEqual([
      ['5', { address, port }],
    ]);
  });
});

describe('Sampler', () => {
  const usage = (
    pid: number,
    cpuTicks: number,
    session = 7,
    startTime = 1,
    more: Partial<ProcUsage> = {},
  ): ProcUsage => ({
    pid,
    name: `p${pid}`,
    parent: pid === 7 ? 1 : 7,
    session,
    cpuTicks,
    childTicks: 0,
    startTime,
    memoryPages: 1,
    hasEnded: false,
    ...more,
  });
  const leaders = { leaders: new Set([7, 8]), trees: new Set<number>() };

  it('[US1] adds up a session, and returns the cores in use from the second sample on', () => {
    const sampler = new Sampler(PAGE_BYTES);
    const first = sampler.sample(
      leaders,
      [usage(7, 100), usage(9, 50), usage(8, 0, 8), usage(5, 9, 5)],
      new Map(),
      0,
    );
    expect(first).toMatchObject([
      { leader: 7, cpu: null, memoryBytes: 2 * PAGE_BYTES, processes: 2 },
      { leader: 8, cpu: null, memoryBytes: PAGE_BYTES, processes: 1 },
    ]);
    const second = sampler.sample(leaders, [usage(7, 150), usage(9, 150), usage(8, 0, 8)], new Map(), 1000);
    expect(second.map(({ cpu }) => cpu)).toEqual([1.5, 0]);
  });

  it('detects a new process with a reused PID', () => {
    const sampler = new Sampler(PAGE_BYTES);
    sampler.sample(leaders, [usage(7, 0), usage(9, 5000)], new Map(), 0);
    const [now] = sampler.sample(leaders, [usage(7, 0), usage(9, 10, 7, 2)], new Map(), 1000);
    expect(now?.cpu).toBe(0.1);
  });

  /** Returns the cores in use by session 7 at each sample, one second apart. */
  const cores = (...looks: (readonly ProcUsage[])[]): (number | null | undefined)[] => {
    const sampler = new Sampler(PAGE_BYTES);
    return looks.map((look, second) => sampler.sample(leaders, look, new Map(), second * 1000)[0]?.cpu);
  };
  const waited = (childTicks: number, own = 0): ProcUsage => usage(7, own, 7, 1, { childTicks });

  it('[US1] counts children that started and ended between two samples', () => {
    expect(cores([waited(0)], [waited(80, 10)], [waited(170, 20)])).toEqual([null, 0.9, 1]);
  });

  it('[US1] counts the ticks of a child only once when it was sampled and then reaped', () => {
    const child = (ticks: number, more: Partial<ProcUsage> = {}) => usage(9, ticks, 7, 1, more);
    expect(cores([waited(0)], [waited(0), child(60)], [waited(100)])).toEqual([null, 0.6, 0.4]);
    // The child has ended, but its parent has not waited for it yet.
    const zombie = child(90, { hasEnded: true, memoryPages: 0 });
    expect(cores([waited(0), child(60)], [waited(0), zombie], [waited(90)], [waited(90)])).toEqual([
      null,
      0.3,
      0,
      0,
    ]);
    // The child disappears, but no parent has waited for it, so no `childTicks` include its ticks.
    expect(cores([waited(0), child(60)], [waited(0)])).toEqual([null, 0]);
  });

  it('[US1] counts the ticks of a grandchild, and of a child in its own session, only once', () => {
    const parent = (childTicks: number) => usage(9, 10, 7, 1, { childTicks });
    const grandchild = usage(11, 50, 7, 1, { parent: 9 });
    expect(cores([waited(0), parent(0), grandchild], [waited(0), parent(70)], [waited(90)])).toEqual([
      null,
      0.2,
      0.1,
    ]);
    expect(cores([waited(0), parent(0), grandchild], [waited(75)])).toEqual([null, 0.15]);
    expect(cores([waited(0), usage(9, 5000, 9)], [waited(5020)])).toEqual([null, 0.2]);
  });

  it('ignores zombies in memory and in the number of processes', () => {
    const zombie = usage(9, 0, 7, 1, { hasEnded: true, memoryPages: 0 });
    const [now] = new Sampler(PAGE_BYTES).sample(leaders, [usage(7, 0), zombie], new Map(), 0);
    expect(now).toMatchObject({ processes: 1, memoryBytes: PAGE_BYTES });
  });

  it('returns the ports of all processes of a session', () => {
    const ports = new Map([[9, [{ port: 80, address: '::' }]]]);
    const [now] = new Sampler(PAGE_BYTES).sample(leaders, [usage(7, 0), usage(9, 0)], ports, 0);
    expect(now?.ports).toEqual([{ port: 80, address: '::' }]);
  });

  it('[US3] lists a session and its descendants, parents first, each with its own usage', () => {
    const sampler = new Sampler(PAGE_BYTES);
    const wanted = { leaders: new Set([7, 8]), trees: new Set([7]) };
    const daemon = { parent: 9, name: 'daemon' };
    sampler.sample(wanted, [usage(9, 0), usage(7, 0), usage(12, 0, 12, 1, daemon)], new Map(), 0);
    const [one, other] = sampler.sample(
      wanted,
      [
        usage(12, 50, 12, 1, daemon),
        usage(9, 20),
        usage(7, 0),
        usage(8, 0, 8, 1, { parent: 1 }),
        usage(10, 5, 7, 3, { parent: 1 }),
        usage(11, 0, 7, 1, { hasEnded: true }),
        usage(30, 0, 30, 1, { parent: 1 }),
      ],
      new Map(),
      1000,
    );
    expect(one?.tree).toEqual([
      { pid: 7, parent: 0, name: 'p7', cpu: 0, memoryBytes: PAGE_BYTES },
      { pid: 10, parent: 0, name: 'p10', cpu: null, memoryBytes: PAGE_BYTES },
      { pid: 9, parent: 7, name: 'p9', cpu: 0.2, memoryBytes: PAGE_BYTES },
      { pid: 12, parent: 9, name: 'daemon', cpu: 0.5, memoryBytes: PAGE_BYTES },
    ]);
    expect(one?.processes).toBe(3);
    expect(other).not.toHaveProperty('tree');
  });

  it('[US3] lists at most 200 processes, and no child without its parent', () => {
    const many = Array.from({ length: 300 }, (_, index) =>
      usage(100 + index, 0, 7, 1, { parent: index === 0 ? 7 : 99 + index }),
    );
    const wanted = { leaders: new Set([7]), trees: new Set([7]) };
    const [one] = new Sampler(PAGE_BYTES).sample(wanted, [...many.toReversed(), usage(7, 0)], new Map(), 0);
    const tree = one?.tree ?? [];
    expect(tree).toHaveLength(200);
    expect(tree.map(({ pid }) => pid)).toEqual([
      7,
      ...Array.from({ length: 199 }, (_, index) => 100 + index),
    ]);
    expect(one?.processes).toBe(301);
  });
});
