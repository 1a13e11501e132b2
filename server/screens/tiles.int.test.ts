// Tests of small pictures of many processes, over the wire: rules TI1, TI2 and SN7.
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Tile } from '../../protocol/looks.ts';
import type { TestClient } from '../testing/test-client.ts';
import { TestServer } from '../testing/test-server.ts';

let server: TestServer;
let agent: TestClient;
let watcher: TestClient;
beforeEach(async () => {
  server = await TestServer.start({ tileMs: 50 });
  agent = await server.client('agent');
  watcher = await server.client('observer');
});
afterEach(() => server.stop());

const tiles = (key: string): Tile[] =>
  watcher.log
    .flatMap(({ method, params }) => (method === 'console/tilesChanged' ? (params?.['tiles'] as Tile[]) : []))
    .filter((tile) => tile.key === key);
const textOf = (tile: Tile | undefined): string[] =>
  tile?.lines.map((runs) => runs.map(({ text }) => text).join('')) ?? [];
const sh = (script: string): string[] => ['/bin/sh', '-c', script];

it('[TI1] a tile shows a screen with its colours, and again after each change', async () => {
  const script = String.raw`printf '\033[2J\033[2;3H\033[1;31mred\033[0m \033[48;2;1;2;3m漢\033[0m'; read x; printf '\033[H\033[7mtop'; read x`;
  const { key, processId } = await agent.start(sh(script), { tty: true });
  await watcher.request('console/tiles', { keys: [key] });
  const first = await watcher.until(
    () => tiles(key).find((tile) => textOf(tile).some((line) => line.includes('red'))),
    'the first picture',
  );
  expect(first).toMatchObject({ rows: 24, cols: 80 });
  expect(first.lines[1]).toEqual([
    { text: '  ' },
    { text: 'red', fg: 1, bold: true },
    { text: ' ' },
    { text: '漢', bg: '#010203' },
  ]);
  await agent.write({ processId }, '\n');
  const second = await watcher.until(
    () => tiles(key).find((tile) => textOf(tile)[0]?.startsWith('top')),
    'the next picture',
  );
  expect(second.lines[0]).toEqual([{ text: 'top', inverse: true }]);
});

it('[TI1] a tile shows intermediate screens of a flood, and finally the last one', async () => {
  const flood = sh('trap "echo; exec echo the end" INT; while :; do seq 1 20000; done');
  const { key, processId } = await agent.start(flood, { tty: true });
  await watcher.request('console/tiles', { keys: [key] });
  const screens = (): number => new Set(tiles(key).map((tile) => textOf(tile).join())).size;
  await watcher.until(() => screens() > 2, 'three screens');
  await agent.write({ processId }, '\u0003');
  await watcher.until(() => textOf(tiles(key).at(-1)).includes('the end'), 'the last screen');
});

it('[TI1][SN7] tiles show screens that were evicted for lack of space too', async () => {
  await server.stop();
  server = await TestServer.start({ tileMs: 50, screensReady: 1, screensStoredBytes: 1 });
  [agent, watcher] = [await server.client('agent'), await server.client('observer')];
  const echo = sh('while read x; do echo "said $x"; done');
  const all = await Promise.all([1, 2, 3].map(() => agent.start(echo, { tty: true })));
  await watcher.request('console/tiles', { keys: all.map(({ key }) => key) });
  for (const word of ['one', 'two', 'three']) {
    for (const { processId } of all) await agent.write({ processId }, `${word}\n`);
    const isShown = ({ key }: { key: string }): boolean => textOf(tiles(key).at(-1)).includes(`said ${word}`);
    await watcher.until(() => all.every(isShown), `${word} on every picture`);
  }
});

it('[TI1] a tile shows the last lines of a process without a terminal', async () => {
  const { key, processId } = await agent.start(sh(String.raw`seq 1 100; printf '\033[31mlast\033[0m\n'`));
  await agent.waitEvent(processId, 'process/closed');
  await watcher.request('console/tiles', { keys: [key] });
  const tile = await watcher.until(() => tiles(key)[0], 'its picture');
  expect(textOf(tile)).toEqual([...Array.from({ length: 23 }, (_, i) => String(78 + i)), 'last']);
});

it('[TI2] a tile is sent only after a change, and only to its watchers', async () => {
  const quiet = await agent.start(['/bin/sleep', '1000']);
  const busy = await agent.start(sh('while read x; do echo $x; done'), { pipeStdin: true });
  await watcher.request('console/tiles', { keys: [quiet.key, busy.key, 'nobody'] });
  await watcher.until(() => tiles(quiet.key).length === 1 && tiles(busy.key).length === 1, 'both');
  for (const word of ['one', 'two']) {
    await agent.write({ processId: busy.processId }, `${word}\n`);
    await watcher.until(() => textOf(tiles(busy.key).at(-1)).at(-1) === word, word);
  }
  expect(tiles(quiet.key)).toHaveLength(1);
  await watcher.request('console/tiles', { keys: [quiet.key] });
  const before = tiles(busy.key).length;
  await agent.write({ processId: busy.processId }, 'three\n');
  await agent.waitOutput(busy.processId, 'three');
  await watcher.until(() => tiles(quiet.key).length === 2, 'the other one again');
  expect(tiles(busy.key)).toHaveLength(before);
  await expect(agent.request('console/tiles', { keys: [] })).rejects.toMatchObject({ code: -32021 });
});

it('[TI2] a new watcher gets its first tile soon, independent of the interval', async () => {
  await server.stop();
  server = await TestServer.start({ tileMs: 1_000_000, tileSoonMs: 0 });
  agent = await server.client('agent');
  watcher = await server.client('observer');
  const one = await agent.start(['/bin/sleep', '1000']);
  const another = await agent.start(['/bin/sleep', '1000'], { tty: true });
  await watcher.request('console/tiles', { keys: [one.key] });
  await watcher.until(() => tiles(one.key).length === 1, 'the first');
  await watcher.request('console/tiles', { keys: [another.key] });
  await watcher.until(() => tiles(another.key).length === 1, 'the other');
});
