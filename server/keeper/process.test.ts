// Positions of acts in the output of a process whose terminal is read ahead (rule PR11), and gaps for missing output.
import { expect, it, vi } from 'vitest';
import { DEFAULT_LIMITS } from '../config.ts';
import { specOf, TERMINAL } from '../testing/test-child.ts';
import type { Child, ChildEvents, OwnChild } from '../host/child.ts';
import { Process } from './process.ts';
import { spawnChild } from '../host/spawn.ts';

vi.mock('../host/spawn.ts', () => ({ spawnChild: vi.fn() }));

const EARLY = Buffer.from('delivered before, ');
const READ = Buffer.from('read but not delivered');

/** Returns a process that has printed EARLY and READ, and has delivered only EARLY. */
function flooding(): Process {
  vi.mocked(spawnChild).mockImplementation((_spec, events: ChildEvents) => {
    let isReady = true;
    const child: Partial<Child> = {
      pid: 2 ** 30,
      writable: true,
      tty: true,
      streams: [],
      // A real terminal also delivers pending output before it reports a resize.
      resize: (size) => {
        child.catchUp?.();
        events.onResized(size);
      },
      closeStdin: () => {},
      signalGroup: () => {},
      catchUp: () => {
        if (isReady) events.onOutput('pty', READ);
        isReady = false;
      },
    };
    // The output of a real child also arrives only after the start.
    queueMicrotask(() => events.onOutput('pty', EARLY));
    return child as OwnChild;
  });
  return new Process(
    {
      processId: 'p',
      session: 's',
      isConsole: false,
      startedBy: 'x',
      metadata: {},
      label: null,
      restartOf: null,
      starter: { tokenId: 't', role: 'agent' },
    },
    specOf(['p'], { tty: TERMINAL }),
    DEFAULT_LIMITS,
  );
}

it.each<[string, (process: Process) => unknown]>([
  ['an interrupt', (process) => process.signal('interrupt', 'Ada')],
  ['a close of stdin', (process) => process.closeStdin('Ada')],
  ['a restart', (process) => process.restarted('Ada')],
  ['a kill', (process) => process.killNow('Ada')],
])('[PR11] an act is recorded after all output that had been read: %s', async (_, act) => {
  const process = flooding();
  await Promise.resolve();
  act(process);
  const [placed] = process.acts;
  expect(process.log.offsetAfter(placed?.afterSeq ?? 0)).toBe(EARLY.length + READ.length);
});

it('a kill of a running process is reported to watchers at once', () => {
  const process = flooding();
  const listener = vi.fn();
  process.onChange(listener);
  process.killNow('Ada');
  expect(listener).toHaveBeenLastCalledWith('soon');
  expect(process.acts).toMatchObject([{ who: 'Ada', how: 'kill' }]);
});

it('[PR11] output that had been read before a resize keeps the size that it was printed for', async () => {
  const process = flooding();
  await Promise.resolve();
  process.resize({ rows: 50, cols: 100 });
  const mark = process.log.sizesFrom(process.log.nextSeq)[0];
  expect(mark).toMatchObject({ rows: 50, cols: 100 });
  expect(process.log.offsetAfter(mark?.afterSeq ?? 0)).toBe(EARLY.length + READ.length);
});

it('[KP10] output that the child cannot deliver becomes one gap, after the output before it', async () => {
  const process = flooding();
  await Promise.resolve();
  const events = vi.mocked(spawnChild).mock.lastCall?.[1];
  events?.onMissing?.(5);
  events?.onOutput('pty', Buffer.from('after'));
  process.log.seal();
  const { log } = process;
  expect([log.firstSeq, log.firstOffset, log.totalBytes]).toEqual([3, EARLY.length + 5, EARLY.length + 10]);
  expect([1, 2].map((seq) => log.offsetAfter(seq))).toEqual([EARLY.length, EARLY.length + 5]);
});
