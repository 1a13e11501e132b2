// Output that a snapshot replaces, in every order in which the two can arrive.
import { describe, expect, it } from 'vitest';
import type { SnapshotResult } from '../protocol/console.ts';
import type { ConnectionState } from './connection-state.ts';
import { ConnectionLost, type Connection } from './exec-client.ts';
import { ExactScreen } from './exact-screen.ts';

function start(scrollbackAtGap: number | null = null, whenDrawn?: (then: () => void) => void) {
  const reader = { isReading: false };
  const reported: string[] = [];
  const asked: {
    params: unknown;
    answer: (seq: number) => Promise<void>;
    fail: (error: Error) => Promise<void>;
  }[] = [];
  const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
  const request = (_: string, params: unknown): Promise<SnapshotResult> =>
    new Promise((resolve, reject) => {
      asked.push({
        params,
        answer: (seq) => {
          resolve({ seq, rows: 2, cols: 3, data: 'eA==', exact: true });
          return settle();
        },
        fail: (error) => {
          reject(error);
          return settle();
        },
      });
    });
  const listeners = new Set<(state: ConnectionState) => void>();
  const connection = {
    request,
    state: { kind: 'online' } as ConnectionState,
    onState: (listener: (state: ConnectionState) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const become = (kind: 'online' | 'waiting' | 'connecting' | 'failed'): void => {
    connection.state = { kind } as ConnectionState;
    for (const listener of listeners) listener(connection.state);
  };
  /** Simulates a cut as the client reports it: the state changes before pending requests are rejected. */
  const cut = (kind: 'waiting' | 'failed' = 'waiting'): Promise<void> => {
    become(kind);
    return asked.at(-1)?.fail(new ConnectionLost('process/snapshot')) ?? Promise.resolve();
  };
  const screen = new ExactScreen({
    key: 'k',
    connection: connection as unknown as Connection,
    scrollbackAtGap,
    draw: ({ size }) => reported.push(`screen ${size.rows}×${size.cols}`),
    give: ({ seq }) => reported.push(`output ${seq}`),
    failed: () => reported.push('failed'),
    isRead: () => reader.isReading,
    ...(whenDrawn && { whenDrawn }),
    owed: (isOwed) => reported.push(isOwed ? 'owed' : 'not owed'),
  });
  const output = (seq: number): void =>
    screen.output({ seq, stream: 'pty', bytes: new Uint8Array(1), live: true }, () =>
      reported.push(`drawn ${seq}`),
    );
  return { screen, output, reported, asked, become, cut, listeners, reader };
}

describe('An exact screen', () => {
  it('is not requested while no output is missing', () => {
    const { output, reported, asked } = start();
    output(1);
    expect([reported, asked.length]).toEqual([['output 1'], 0]);
  });

  it('replaces the missing output, and the output that it already shows', async () => {
    const { screen, output, reported, asked } = start();
    screen.gap(5);
    for (const seq of [5, 6, 7]) output(seq);
    expect(asked.map(({ params }) => params)).toEqual([{ key: 'k' }]);
    await asked[0]?.answer(6);
    expect(reported).toEqual(['screen 2×3', 'drawn 5', 'drawn 6', 'output 7']);
    output(8);
    expect(reported.at(-1)).toBe('output 8');
  });

  it('drops output that arrives after it but that it already shows', async () => {
    const { screen, output, reported, asked } = start();
    screen.gap(5);
    await asked[0]?.answer(6);
    for (const seq of [5, 6, 7]) output(seq);
    expect(reported).toEqual(['screen 2×3', 'drawn 5', 'drawn 6', 'output 7']);
  });

  it('is requested again when more output went missing before it arrived', async () => {
    const { screen, output, reported, asked } = start();
    screen.gap(5);
    screen.gap(9);
    output(9);
    await asked[0]?.answer(6);
    expect(asked[1]?.params).toEqual({ key: 'k', scrollback: 1000 });
    await asked[1]?.answer(8);
    expect(reported).toEqual(['screen 2×3', 'screen 2×3', 'output 9']);
    expect(asked).toHaveLength(2);
  });

  it('is requested once when the gap is known beforehand, and reports whether it covers the gap', async () => {
    const { screen, output, reported, asked } = start();
    expect(screen.gap(5)).toBe(false);
    expect(screen.gap(5)).toBe(false);
    await asked[0]?.answer(6);
    expect(screen.gap(6)).toBe(true);
    for (const seq of [6, 7]) output(seq);
    expect(reported).toEqual(['screen 2×3', 'drawn 6', 'output 7']);
    expect(screen.gap(9)).toBe(false);
    expect(asked).toHaveLength(2);
  });

  it('is requested again when the first request was lost and its output has been evicted', async () => {
    const { screen, output, reported, asked, cut, listeners } = start();
    screen.gap(5);
    await cut();
    screen.gap(5);
    expect(listeners.size).toBe(0);
    output(6);
    await asked[1]?.answer(5);
    expect(reported).toEqual(['screen 2×3', 'output 6']);
  });

  it('performs the steps between the output in order, except those older than itself', async () => {
    const { screen, output, reported, asked } = start();
    screen.gap(5);
    screen.size(4, () => reported.push('old size'));
    output(5);
    screen.size(5, () => reported.push('new size'));
    output(6);
    screen.step(Infinity, () => reported.push('closed'));
    await asked[0]?.answer(5);
    expect(reported).toEqual(['screen 2×3', 'drawn 5', 'new size', 'output 6', 'closed']);
  });

  it('falls back to the output when there is no snapshot', async () => {
    const { screen, output, reported, asked } = start(0);
    screen.gap(5);
    output(5);
    expect(asked[0]?.params).toEqual({ key: 'k', scrollback: 0 });
    await asked[0]?.fail(new Error('gone'));
    expect(reported).toEqual(['failed', 'output 5']);
  });

  it('is requested again after a lost connection, and holds back output that arrives before it', async () => {
    const { screen, output, reported, asked, cut, become, listeners } = start();
    screen.gap(5);
    output(5);
    await cut();
    output(6);
    become('connecting');
    expect([reported, asked.length]).toEqual([[], 1]);
    become('online');
    await asked[1]?.answer(5);
    expect(reported).toEqual(['screen 2×3', 'drawn 5', 'output 6']);
    become('waiting');
    become('online');
    expect([asked.length, listeners.size]).toEqual([2, 0]);
  });

  it('is requested again after a cut even when no further output arrives', async () => {
    const { screen, output, reported, asked, cut, become } = start();
    screen.gap(5);
    output(5);
    screen.step(Infinity, () => reported.push('closed'));
    await cut();
    become('online');
    await asked[1]?.answer(4);
    expect(reported).toEqual(['screen 2×3', 'output 5', 'closed']);
  });

  it('is not settled while it waits for the connection', async () => {
    const { screen, output, reported, asked, cut, become } = start();
    screen.gap(5);
    output(5);
    const settled = screen.settled().then(() => reported.push('settled'));
    await cut();
    await cut();
    expect(reported).toEqual([]);
    become('online');
    await asked[1]?.answer(4);
    await settled;
    expect(reported).toEqual(['screen 2×3', 'output 5', 'settled']);
  });

  it.each(['at once', 'later'])(
    'falls back to the output when the connection fails for good, %s',
    async (when) => {
      const { screen, output, reported, asked, cut, become, listeners } = start();
      screen.gap(5);
      output(5);
      await cut(when === 'at once' ? 'failed' : 'waiting');
      become('failed');
      await screen.settled();
      expect(reported).toEqual(['failed', 'output 5']);
      expect([asked.length, listeners.size]).toEqual([1, 0]);
    },
  );

  it('falls back to the output when the gateway no longer has the process after a reconnection', async () => {
    const { screen, output, reported, asked, cut, become } = start();
    screen.gap(5);
    output(5);
    await cut();
    become('online');
    await asked[1]?.fail(new Error('unknown key'));
    expect(reported).toEqual(['failed', 'output 5']);
  });

  it('is settled once it is stopped, even without a connection', async () => {
    const { screen, reported, asked, cut, become, listeners } = start();
    screen.gap(5);
    const settled = screen.settled();
    await cut();
    screen.stop();
    await settled;
    expect(listeners.size).toBe(0);
    become('online');
    expect([reported, asked.length]).toEqual([[], 1]);
  });

  it('is not drawn once it is stopped', async () => {
    const { screen, reported, asked } = start();
    screen.gap(5);
    screen.stop();
    await asked[0]?.answer(6);
    expect(reported).toEqual([]);
  });

  it('forwards and requests nothing once it is stopped', () => {
    const { screen, output, reported, asked } = start();
    output(1);
    screen.stop();
    output(2);
    for (const change of ['step', 'size'] as const) screen[change](2, () => reported.push(change));
    screen.gap(5);
    screen.refresh();
    expect([reported, asked.length]).toEqual([['output 1'], 0]);
  });

  it('replaces nothing while the reader has scrolled up, and shows all output once the reader returns to the end', async () => {
    const { screen, output, reported, asked, reader } = start();
    reader.isReading = true;
    output(1);
    expect(screen.gap(5)).toBe(false);
    output(5);
    screen.size(5, () => reported.push('size'));
    screen.step(5, () => reported.push('left out'));
    expect(screen.gap(9)).toBe(false);
    output(9);
    screen.step(9, () => reported.push('at its end'));
    screen.step(Infinity, () => reported.push('closed'));
    expect(reported).toEqual(['output 1', 'owed', 'drawn 5', 'size', 'drawn 9']);
    await screen.settled();
    expect(asked).toHaveLength(0);
    reader.isReading = false;
    screen.readToEnd();
    expect(asked.map(({ params }) => params)).toEqual([{ key: 'k', scrollback: 1000 }]);
    await asked[0]?.answer(9);
    expect(reported.slice(5)).toEqual(['not owed', 'screen 2×3', 'at its end', 'closed']);
  });

  it('is not drawn when the reader scrolled up before it arrived', async () => {
    const { screen, output, reported, asked, reader } = start();
    screen.gap(5);
    output(5);
    screen.size(5, () => reported.push('size'));
    output(6);
    reader.isReading = true;
    await asked[0]?.answer(5);
    expect(reported).toEqual(['owed', 'drawn 5', 'size', 'drawn 6']);
    reader.isReading = false;
    screen.readToEnd();
    output(7);
    // A screen that lacks some of the skipped output is not enough.
    await asked[1]?.answer(5);
    expect(asked).toHaveLength(3);
    await asked[2]?.answer(6);
    expect(reported.slice(4)).toEqual(['not owed', 'screen 2×3', 'screen 2×3', 'output 7']);
  });

  it('is not drawn when the reader has scrolled up while earlier output was drawn', async () => {
    let drawn = (): void => undefined;
    const { screen, output, reported, asked, reader } = start(null, (then) => (drawn = then));
    screen.gap(5);
    await asked[0]?.answer(5);
    output(6);
    expect(reported).toEqual([]);
    reader.isReading = true;
    drawn();
    expect(reported).toEqual(['owed', 'drawn 6']);
    await screen.settled();
  });

  it('is pending only once, and is not requested when it is not pending', () => {
    const { screen, reported, asked, reader } = start();
    screen.readToEnd();
    reader.isReading = true;
    screen.gap(5);
    screen.gap(7);
    screen.readToEnd();
    expect([reported, asked.length]).toEqual([['owed'], 0]);
  });

  it('is pending even while it waits for a connection', async () => {
    const { screen, reported, asked, cut, become, reader, listeners } = start();
    screen.gap(5);
    await cut();
    reader.isReading = true;
    become('online');
    expect([reported, asked.length, listeners.size]).toEqual([['owed'], 1, 0]);
  });
});
