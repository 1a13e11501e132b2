// Usage is requested only for followed processes, and its samples are bounded.
import { beforeEach, afterEach, describe, expect, it, vi } from 'vitest';
import type { ConnectionState } from '../../../client/connection-state.ts';
import type { ExecClient } from '../../../client/exec-client.ts';
import { STORED_SAMPLES, UsageFeed } from './usage-feed.ts';

let asked: string[][];
let trees: (string | undefined)[];
let looked: { keys: string[]; isHidden: boolean }[];
let report: (method: string, params: unknown) => void;
let become: (state: ConnectionState) => void;
let isHidden: boolean;
let informed: boolean[];
let answerLook: () => void;
let isRefused: boolean;
let feed: UsageFeed;

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  trees = [];
  looked = [];
  isHidden = false;
  informed = [];
  isRefused = false;
  const connection = {
    state: { kind: 'online' },
    onNotification: (listener: typeof report) => (report = listener),
    onState: (listener: typeof become) => (become = listener),
    request: (method: string, params: { keys: string[]; isHidden: boolean; tree?: string }) => {
      if (method === 'console/look') {
        looked.push(params);
        return new Promise((resolve) => (answerLook = () => resolve({})));
      }
      asked.push(params.keys);
      trees.push(params.tree);
      return isRefused ? Promise.reject(new Error('no')) : Promise.resolve({ supported: true });
    },
  };
  feed = new UsageFeed({
    client: { connection } as unknown as ExecClient,
    isHidden: () => isHidden,
    informed: (isInformed) => informed.push(isInformed),
  });
  feed.start();
});
afterEach(() => vi.useRealTimers());

const usage = (key: string, cpu: number | null) => ({ key, cpu, memoryBytes: 1000, processes: 1, ports: [] });
const nothing = (): void => {};

describe('UsageFeed', () => {
  it('requests the followed processes, once for many changes, and not again for the same ones', () => {
    const undo = feed.follow('a', nothing);
    feed.follow('b', nothing);
    vi.runAllTimers();
    feed.follow('a', () => undefined);
    vi.runAllTimers();
    undo();
    vi.runAllTimers();
    expect(asked).toEqual([['a', 'b']]);
  });
  it('requests less when a row scrolls away, nothing while hidden, and all again on another connection', () => {
    const undo = feed.follow('a', nothing);
    feed.follow('b', nothing);
    vi.runAllTimers();
    undo();
    vi.runAllTimers();
    isHidden = true;
    feed.visibilityChanged();
    isHidden = false;
    feed.visibilityChanged();
    become({ kind: 'online' } as ConnectionState);
    expect(asked).toEqual([['a', 'b'], ['b'], [], ['b'], ['b']]);
  });
  it('reports visible rows and a hidden page to the gateway, and repeats that on another connection', () => {
    feed.follow('a', nothing);
    vi.runAllTimers();
    isHidden = true;
    feed.visibilityChanged();
    become({ kind: 'online' } as ConnectionState);
    isHidden = false;
    feed.visibilityChanged();
    expect(looked).toEqual([
      { keys: ['a'], isHidden: false },
      { keys: [], isHidden: true },
      { keys: [], isHidden: true },
      { keys: ['a'], isHidden: false },
    ]);
  });
  it('is informed again once the gateway has answered the latest report, but not an earlier one', async () => {
    const become = async (hidden: boolean): Promise<() => void> => {
      isHidden = hidden;
      feed.visibilityChanged();
      await vi.runAllTimersAsync();
      return answerLook;
    };
    await become(true);
    const answerFirst = await become(false);
    await become(true);
    answerFirst();
    const answerLast = await become(false);
    expect(informed).toEqual([false, false]);
    answerLast();
    await vi.runAllTimersAsync();
    expect(informed).toEqual([false, false, true]);
  });
  it('is informed by a new connection, unless the page is hidden', () => {
    become({ kind: 'online' } as ConnectionState);
    isHidden = true;
    become({ kind: 'online' } as ConnectionState);
    expect(informed).toEqual([true, true, false]);
  });
  it('forgets samples from before an outage, notifies followers, and requests again', () => {
    const listener = vi.fn();
    feed.follow('a', listener);
    vi.runAllTimers();
    report('console/usageChanged', { usage: [usage('a', 1)] });
    become({ kind: 'waiting' } as ConnectionState);
    expect(feed.get('a')).toBeUndefined();
    expect(listener).toHaveBeenCalledTimes(2);
    become({ kind: 'online' } as ConnectionState);
    expect(asked).toEqual([['a'], ['a']]);
  });
  it('starts over when the page is shown again, and ignores samples that arrive while it is hidden', () => {
    feed.follow('a', nothing);
    vi.runAllTimers();
    report('console/usageChanged', { usage: [usage('a', 1)] });
    isHidden = true;
    feed.visibilityChanged();
    report('console/usageChanged', { usage: [usage('a', 2)] });
    isHidden = false;
    feed.visibilityChanged();
    report('console/usageChanged', { usage: [usage('a', 3)] });
    expect(feed.get('a')?.samples.map(({ cpu }) => cpu)).toEqual([3]);
  });
  it('notifies the followers when hiding the page drops their samples', () => {
    const listener = vi.fn(() => feed.get('a'));
    feed.follow('a', listener);
    vi.runAllTimers();
    report('console/usageChanged', { usage: [usage('a', 1)] });
    isHidden = true;
    feed.visibilityChanged();
    feed.visibilityChanged();
    expect(listener).toHaveBeenCalledTimes(2);
    expect(listener).toHaveLastReturnedWith(undefined);
  });
  it('requests processes that are measured for an order, but reports only followed ones as visible', () => {
    const stop = feed.measure(['a', 'b', 'c']);
    const undo = feed.follow('b', nothing);
    vi.runAllTimers();
    undo();
    vi.runAllTimers();
    expect(looked.map(({ keys }) => keys)).toEqual([['b'], []]);
    stop();
    vi.runAllTimers();
    expect(asked).toEqual([['a', 'b', 'c'], []]);
    expect(looked.map(({ keys }) => keys)).toEqual([['b'], []]);
  });
  it('repeats a request that was refused', async () => {
    isRefused = true;
    feed.follow('a', nothing);
    await vi.runAllTimersAsync();
    isRefused = false;
    feed.visibilityChanged();
    feed.visibilityChanged();
    expect(asked).toEqual([['a'], ['a']]);
  });
  it('updates the largest memory of all processes before it notifies a follower', () => {
    const seen: number[] = [];
    feed.follow('a', () => seen.push(feed.mostMemoryBytes()));
    feed.follow('b', nothing);
    report('console/usageChanged', { usage: [usage('a', 1), { ...usage('b', 1), memoryBytes: 5000 }] });
    expect(seen).toEqual([5000]);
  });
  it('keeps five minutes of samples, notifies followers, and forgets processes without followers', () => {
    const listener = vi.fn();
    const undo = feed.follow('a', listener);
    for (let i = 0; i < 400; i += 1)
      report('console/usageChanged', { usage: [usage('a', i), usage('b', 1)] });
    expect(feed.get('a')?.samples).toHaveLength(STORED_SAMPLES);
    expect(feed.get('a')?.samples.at(-1)?.cpu).toBe(399);
    expect(listener).toHaveBeenCalledTimes(400);
    expect(feed.get('b')).toBeUndefined();
    undo();
    vi.runAllTimers();
    expect(feed.get('a')).toBeUndefined();
  });
  it('requests only one tree, of a followed process, and keeps it until the next samples', () => {
    const process = { pid: 7, parent: 0, name: 'sh', cpu: 0, memoryBytes: 1 };
    feed.follow('a', nothing);
    const undo = feed.followTree('a');
    vi.runAllTimers();
    report('console/usageChanged', { usage: [{ ...usage('a', 1), tree: [process] }] });
    expect(feed.get('a')?.tree).toEqual([process]);
    const undoOther = feed.followTree('b');
    vi.runAllTimers();
    undo();
    feed.follow('b', nothing);
    vi.runAllTimers();
    undoOther();
    vi.runAllTimers();
    expect(trees).toEqual(['a', undefined, 'b', undefined]);
    report('console/usageChanged', { usage: [usage('a', 1)] });
    expect(feed.get('a')).not.toHaveProperty('tree');
  });
  it.each([
    null,
    {},
    { usage: 1 },
    { usage: [{ key: 'a' }] },
    { usage: [{ ...usage('a', 1), ports: [{ port: 'x' }] }] },
    { usage: [{ ...usage('a', 1), tree: [{ pid: 1, parent: 0, name: 5, cpu: null, memoryBytes: 1 }] }] },
    { usage: [{ ...usage('a', 1), tree: {} }] },
  ])('ignores %j', (params) => {
    feed.follow('a', nothing);
    report('console/usageChanged', params);
    expect(feed.get('a')).toBeUndefined();
  });
});
