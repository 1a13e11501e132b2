// Tests of a terminal whose output would take many minutes to draw: rules SN8, HC4 and LI4.
import { afterEach, expect, it } from 'vitest';
import type { Tile } from '../../protocol/looks.ts';
import type { SnapshotResult } from '../../protocol/console.ts';
import { TestServer } from '../testing/test-server.ts';

let server: TestServer;
afterEach(() => server.stop());

async function started(limits = {}) {
  server = await TestServer.start({ retainedBytes: 200_000, tileMs: 50, ...limits });
  const agent = await server.client('agent');
  const watcher = await server.client('observer');
  const begin = async (script: string, size: { rows: number; cols: number }) => {
    const { processId, key } = await agent.start(['/bin/sh', '-c', script], { tty: true, size });
    await agent.waitOutput(processId, 'ready');
    return key;
  };
  return {
    watcher,
    /** Starts a process whose few bytes of output fill a very large screen many thousands of times. */
    slow: () =>
      begin(
        String.raw`i=0; while [ $i -lt 1000 ]; do i=$((i+1)); printf '\033[1000S\033#8\033[?2J\033c\033[1000L\033#8\033[1000T\033[?1049h\033[?1049l\033[1000M'; done; echo ready; read x`,
        { rows: 1000, cols: 2000 },
      ),
    usual: () => begin(`seq 100000 160000; echo ready; read x`, { rows: 24, cols: 80 }),
    snapshot: (key: string) => watcher.request<SnapshotResult>('process/snapshot', { key, scrollback: 10 }),
  };
}

it('[SN8][LI4] the screen of one process does not wait for that of another', async () => {
  const { watcher, slow, usual, snapshot } = await started();
  const [slowKey, key] = [await slow(), await usual()];
  let isSlowDrawn = false;
  const late = snapshot(slowKey).then(
    () => (isSlowDrawn = true),
    () => (isSlowDrawn = true),
  );
  await watcher.request('console/tiles', { keys: [slowKey, key] });
  const { data } = await snapshot(key);
  expect(Buffer.from(data, 'base64').toString()).toContain('160000');
  await watcher.until(
    () =>
      watcher.log.some(
        ({ method, params }) =>
          method === 'console/tilesChanged' &&
          ((params?.['tiles'] ?? []) as Tile[]).some((tile) => tile.key === key),
      ),
    'the picture of the other process',
  );
  expect(isSlowDrawn).toBe(false);
  await server.stop();
  await late;
});

it('[HC4] a screen that takes too long to draw is dropped, and its requests are answered', async () => {
  const { slow, snapshot } = await started({ screenDrawMs: 100 });
  await expect(snapshot(await slow())).rejects.toMatchObject({ code: -32603 });
});
