// A defect of the keeper's program: rule KP28.
import { once, EventEmitter } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../config.ts';
import { recorded, specOf } from '../../testing/test-child.ts';
import { keeperLogPath } from '../wire/place.ts';
import { stopKeeper } from './ask-keeper.ts';
import type { HeldChild } from './held-child.ts';
import { KeeperLink } from './keeper-link.ts';

const dir = mkdtempSync(join(tmpdir(), 'exec-console-defect-'));
afterAll(async () => {
  await stopKeeper(dir, 0);
  rmSync(dir, { recursive: true });
});

it.runIf(process.platform === 'linux')(
  '[KP28] a defect of the keeper is logged and reported, and its processes keep running and report their exit codes',
  async () => {
    const reports = new EventEmitter();
    const link = await KeeperLink.open(dir, {
      displaced: () => {},
      lost: () => {},
      trouble: (reason) => reports.emit('trouble', reason),
    });
    const spec = specOf(['sh', '-c', 'read line; echo "got $line"; exit 7'], { tty: { rows: 24, cols: 80 } });
    const started: HeldChild = await link.spawn('key', spec, DEFAULT_LIMITS, { lingerMs: 0, isOwned: true });
    const { exited, ended, output } = recorded((events) => {
      started.begin(events);
      return started;
    });
    const reported = once(reports, 'trouble');
    // A frame that no gateway sends, and that the keeper does not expect.
    started.resize(null as never);
    expect(await reported).toEqual([expect.stringMatching(/^The keeper had an error and keeps running/)]);
    expect(readFileSync(keeperLogPath(dir), 'utf8')).toMatch(/^keeper defect: TypeError: /);
    await started.input.write(Buffer.from('line\n'), { session: 's', writeId: '1' });
    expect(await exited).toEqual({ code: 7, signal: null });
    await ended;
    expect(output().toString()).toContain('got line');
    const second = await link.spawn('other', specOf(['true']), DEFAULT_LIMITS, {
      lingerMs: 0,
      isOwned: true,
    });
    expect(second.pid).toBeGreaterThan(0);
    link.leave();
  },
);
