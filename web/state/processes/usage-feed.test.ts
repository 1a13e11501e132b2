// Usage is requested only of viewed processes, and its samples are bounded.
import { beforeEach, afterEach, describe, expect, it, vi } from 'vitest';
import type { ConnectionState } from '../../../client/connection-state.ts';
import type { ExecClient } from '../../../client/exec-client.ts';
import { MOST_SAMPLES, UsageFeed } from './usage-feed.ts';

let asked: string[][];
let looked: { keys: string[]; isHidden: boolean }[];
let tell: (method: string, params: unknown) => void;
let become: (state: ConnectionState) => void;
let isHidden: boolean;
let informed: boolean[];
let answerLook: () => void;
let isRefused: boolean;
let feed: UsageFeed;

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  looked = [];
  isHidden = false;
  informed = [];
  isRefused = false;
  const connection = {
    state: { kind: 'online' },
    onTold: (listener: typeof tell) => (tell = listener),
    onState: (listener: typeof become) => (become = listener),
    request: (method: string, params: { keys: string[]; isHidden: boolean }) => {
      if (method === 'console/look') {
        looked.push(params);
        return new Promise((resolve) => (answerLook = () => resolve({})));
      }
      asked.push(params.keys);
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
  it('asks for what is followed, once for many changes, and not again for the same', () => {
    const undo = feed.follow('a', nothing);
    feed.follow('b', nothing);
    vi.runAllTimers();
    feed.follow('a', () => undefined);
    vi.runAllTimers();
    undo();
    vi.runAllTimers();
    expect(asked).toEqual([['a', 'b']]);
  });
  it('asks for less when something is out of sight, for nothing while hidden, and anew on another connection', () => {
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
  it('tells the gateway what is in sight, that nobody looks, and both anew on another connection', () => {
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
  it('is informed again once the gateway has answered who looks again, and not who looked in between', async () => {
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
  it('is informed by another connection, unless nobody looks', () => {
    become({ kind: 'online' } as ConnectionState);
    isHidden = true;
    become({ kind: 'online' } as ConnectionState);
    expect(informed).toEqual([true, true, false]);
  });
  it('forgets what was used before an outage, tells who follows, and asks again', () => {
    const listener = vi.fn();
    feed.follow('a', listener);
    vi.runAllTimers();
    tell('console/usageChanged', { usage: [usage('a', 1)] });
    become({ kind: 'waiting' } as ConnectionState);
    expect(feed.get('a')).toBeUndefined();
    expect(listener).toHaveBeenCalledTimes(2);
    become({ kind: 'online' } as ConnectionState);
    expect(asked).toEqual([['a'], ['a']]);
  });
  it('begins anew when the page is shown again, also after what was on its way when it was hidden', () => {
    feed.follow('a', nothing);
    vi.runAllTimers();
    tell('console/usageChanged', { usage: [usage('a', 1)] });
    isHidden = true;
    feed.visibilityChanged();
    tell('console/usageChanged', { usage: [usage('a', 2)] });
    isHidden = false;
    feed.visibilityChanged();
    tell('console/usageChanged', { usage: [usage('a', 3)] });
    expect(feed.get('a')?.samples.map(({ cpu }) => cpu)).toEqual([3]);
  });
  it('asks again for what was refused', async () => {
    isRefused = true;
    feed.follow('a', nothing);
    await vi.runAllTimersAsync();
    isRefused = false;
    feed.visibilityChanged();
    feed.visibilityChanged();
    expect(asked).toEqual([['a'], ['a']]);
  });
  it('knows the most memory of all before it tells of any', () => {
    const seen: number[] = [];
    feed.follow('a', () => seen.push(feed.mostMemoryBytes()));
    feed.follow('b', nothing);
    tell('console/usageChanged', { usage: [usage('a', 1), { ...usage('b', 1), memoryBytes: 5000 }] });
    expect(seen).toEqual([5000]);
  });
  it('keeps a minute of what it is told, tells who follows, and forgets what nobody does', () => {
    const listener = vi.fn();
    const undo = feed.follow('a', listener);
    for (let i = 0; i < 100; i += 1) tell('console/usageChanged', { usage: [usage('a', i), usage('b', 1)] });
    expect(feed.get('a')?.samples).toHaveLength(MOST_SAMPLES);
    expect(feed.get('a')?.samples.at(-1)?.cpu).toBe(99);
    expect(listener).toHaveBeenCalledTimes(100);
    expect(feed.get('b')).toBeUndefined();
    undo();
    vi.runAllTimers();
    expect(feed.get('a')).toBeUndefined();
  });
  it.each([
    null,
    {},
    { usage: 1 },
    { usage: [{ key: 'a' }] },
    { usage: [{ ...usage('a', 1), ports: [{ port: 'x' }] }] },
  ])('takes nothing from %j', (params) => {
    feed.follow('a', nothing);
    tell('console/usageChanged', params);
    expect(feed.get('a')).toBeUndefined();
  });
});
