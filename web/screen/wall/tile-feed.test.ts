// Pictures are requested only for processes that are visible on the screen.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ConnectionState } from '../../../client/connection-state.ts';
import type { ExecClient } from '../../../client/exec-client.ts';
import { TileFeed } from './tile-feed.ts';

let asked: string[][];
let report: ((method: string, params: unknown) => void) | null;
let become: ((state: ConnectionState) => void) | null;
let isHidden: boolean;
let feed: TileFeed;

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  isHidden = false;
  const connection = {
    state: { kind: 'online' },
    onNotification: (listener: typeof report) => {
      report = listener;
      return () => (report = null);
    },
    onState: (listener: typeof become) => {
      become = listener;
      return () => (become = null);
    },
    request: (_method: string, { keys }: { keys: string[] }) => {
      asked.push(keys);
      return Promise.resolve({});
    },
  };
  feed = new TileFeed({ client: { connection } as unknown as ExecClient, isHidden: () => isHidden });
  feed.start();
});
afterEach(() => vi.useRealTimers());

const picture = (key: string) => ({ key, rows: 1, cols: 1, lines: [[{ text: 'x' }]] });

it('a TileFeed requests the followed pictures, none while the page is hidden, and all of them afterwards', () => {
  feed.follow('a', () => undefined);
  feed.follow('b', () => undefined);
  vi.runAllTimers();
  isHidden = true;
  feed.visibilityChanged();
  become?.({ kind: 'online' } as ConnectionState);
  feed.follow('c', () => undefined);
  vi.runAllTimers();
  isHidden = false;
  feed.visibilityChanged();
  expect(asked).toEqual([['a', 'b'], [], [], [], ['a', 'b', 'c']]);
});

it('a TileFeed sends the newest picture to a later follower at once', () => {
  const undo = feed.follow('a', () => undefined);
  report?.('console/tilesChanged', { tiles: [picture('a'), picture('unasked'), { key: 'a' }] });
  undo();
  const drawn = vi.fn<(tile: unknown) => void>();
  feed.follow('a', drawn);
  expect(drawn.mock.calls).toEqual([[picture('a')]]);
});

it('a stopped TileFeed cancels its request and sends no more', () => {
  const drawn = vi.fn<(tile: unknown) => void>();
  feed.follow('a', drawn);
  vi.runAllTimers();
  feed.follow('b', drawn);
  feed.stop();
  vi.runAllTimers();
  expect(asked).toEqual([['a'], []]);
  expect([report, become]).toEqual([null, null]);
});
