// A process whose keeper can no longer be reached.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_LIMITS } from '../config.ts';
import {
  ADA,
  closed,
  cuts,
  END,
  endAll,
  FLOOD,
  flood,
  printed,
  running,
  startBehindLine,
  until,
} from '../testing/started-process.ts';
import { specOf } from '../testing/test-child.ts';

afterEach(endAll);

describe('A process whose channel to its keeper is cut', () => {
  const lost = async () => {
    const process = await startBehindLine(
      specOf(['sh', '-c', 'echo before; sleep 60'], { pipeStdin: true }),
      DEFAULT_LIMITS,
    );
    await printed(process, 'before');
    return process;
  };

  it('is lost, keeps its known output, and has neither exited nor closed', async () => {
    const process = await lost();
    const hold = process.hold(1, 0);
    const listener = vi.fn();
    process.onChange(listener);
    cuts[0]?.();
    cuts[0]?.();
    expect(listener.mock.calls).toEqual([['soon']]);
    expect(process).toMatchObject({ isLost: true, exit: null, isClosed: false });
    expect(process.log.tail(END).toString()).toBe('before\n');
    hold.release(2, 7);
    hold.close();
  });

  it('rejects a write that was pending, and accepts no more writes or signals', async () => {
    const process = await lost();
    const write = process.write(ADA, '1', Buffer.from('x'));
    const kill = process.killNow('Ada');
    cuts[0]?.();
    await expect(write).rejects.toThrow('is not known');
    expect(await kill).toEqual({ running: false });
    expect(await process.write(ADA, '2', Buffer.from('y'))).toBe('stdinClosed');
    expect(await process.closeStdin('Ada')).toBe('stdinClosed');
    expect(await process.terminate(0, 'Ada')).toEqual({ running: false });
  });

  it('keeps running, and is no longer held back by a reader on this side', async () => {
    const process = await startBehindLine(specOf(FLOOD), { ...DEFAULT_LIMITS, pauseBytes: 1000 });
    process.hold(1, 0);
    await until(process, () => process.log.totalBytes > 1000);
    cuts[0]?.();
    const [real] = running;
    if (!real) throw new Error('there is none');
    await closed(real);
    expect(real.log.totalBytes).toBe(flood.length);
  });
});
