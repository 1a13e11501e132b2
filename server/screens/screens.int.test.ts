// Tests of exact screens of real processes over the wire: rules SN1, SN3 to SN5, SN7 and LI4.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SnapshotResult } from '../../protocol/console.ts';
import { freshTerminal, seen, written } from '../testing/seen-terminal.ts';
import type { TestClient } from '../testing/test-client.ts';
import { TestServer } from '../testing/test-server.ts';

const RETAINED = 200_000;
const LINES = 50;

let server: TestServer;
let agent: TestClient;
let watcher: TestClient;
/** Starts a gateway with an agent and a watcher; an observer makes it draw redacted screens as well. */
async function start(limits = {}, role: 'observer' | 'operator' = 'observer'): Promise<void> {
  server = await TestServer.start({ retainedBytes: RETAINED, screenScrollbackLines: 200, ...limits });
  agent = await server.client('agent');
  watcher = await server.client(role);
}
beforeEach(() => start());
afterEach(() => server.stop());

const sh = (script: string): string[] => ['/bin/sh', '-c', script];
const snapshot = (key: string, scrollback?: number): Promise<SnapshotResult> =>
  watcher.request('process/snapshot', { key, scrollback });

/** Resolves with the visible state of a terminal that was fed with a snapshot and the output after it. */
async function restored({ data, rows, cols }: SnapshotResult, after: Buffer, scrollback: number) {
  const terminal = freshTerminal({ rows, cols }, scrollback);
  await written(terminal, Buffer.from(data, 'base64'));
  await written(terminal, after);
  return seen(terminal);
}

/** Resolves with the visible state of a terminal that was fed with all output. */
async function whole(output: Buffer, scrollback: number) {
  const terminal = freshTerminal({ rows: 24, cols: 80 }, scrollback);
  await written(terminal, output);
  return seen(terminal);
}

async function runToEnd(script: string) {
  const { processId, key } = await agent.start(sh(script), { tty: true });
  await agent.waitEvent(processId, 'process/closed');
  return { key, output: agent.output(processId) };
}

/** Returns a shell script that prints coloured lines and finally `end`. */
const flood = (lines: number, end: string): string =>
  `i=0; while [ $i -lt ${lines} ]; do i=$((i+1)); printf '\\033[3%dm%d a line of words\\033[0m \\033[1;44mx\\033[K\\033[0m\\r\\n' $((i % 8)) $i; done; printf '${end}'`;

describe('process/snapshot', () => {
  it('[SN3] returns the log itself while that is complete', async () => {
    const { key, output } = await runToEnd("printf 'one \\033[31mtwo'");
    const result = await snapshot(key);
    expect(result).toMatchObject({ rows: 24, cols: 80, exact: true });
    expect(Buffer.from(result.data, 'base64').equals(output)).toBe(true);
  });

  it('[SN1] equals a terminal that was fed with everything, after more output than is retained', async () => {
    const { key, output } = await runToEnd(flood(9000, '\\033[2;20r\\033[5;10H\\033[7mhere'));
    expect(output.length).toBeGreaterThan(2 * RETAINED);
    const result = await snapshot(key, LINES);
    expect(result.exact).toBe(true);
    expect(await restored(result, Buffer.alloc(0), LINES)).toEqual(await whole(output, LINES));
  });

  it('[SN4] is continued by the retained output when it has no scrollback', async () => {
    const { key, output } = await runToEnd(flood(9000, 'end'));
    const result = await snapshot(key);
    const page = await watcher.request<{ chunks: { chunk: string }[]; missedBytes: number }>('process/read', {
      key,
      afterSeq: result.seq,
    });
    expect(page.missedBytes).toBe(0);
    const after = Buffer.concat(page.chunks.map(({ chunk }) => Buffer.from(chunk, 'base64')));
    // Some output must follow the snapshot, so that its seq is tested, too.
    expect(after.length).toBeGreaterThan(0);
    expect(await restored(result, after, LINES)).toEqual(await whole(output, LINES));
  });

  it('[SN1] has the alternate screen and the normal screen', async () => {
    const { key, output } = await runToEnd(
      `${flood(5000, '')}; printf '\\033[?1049h\\033[2J\\033[?25l\\033[?1006h\\033[?1002h'; ${flood(5000, '\\033[3;3Hfull')}`,
    );
    const result = await snapshot(key, LINES);
    const leave = Buffer.from('\u001b[?1049lback');
    expect(await restored(result, leave, LINES)).toEqual(await whole(Buffer.concat([output, leave]), LINES));
    expect(Buffer.from(result.data, 'base64').toString()).toMatch(/\?25l.*\?1006h|\?1006h.*\?25l/s);
  });

  it('[SN1] applies each change of size at its place in the output', async () => {
    const { processId, key } = await agent.start(sh("read x; printf 'wide\\r\\n%0100d' 5; read x"), {
      tty: true,
    });
    await agent.request('process/resize', { processId, rows: 10, cols: 120 });
    await agent.write({ processId }, '\n');
    await agent.waitOutput(processId, '00005');
    const result = await snapshot(key);
    expect(result).toMatchObject({ exact: true });
    const now = await snapshot(key, LINES);
    expect(now).toMatchObject({ rows: 10, cols: 120, exact: true });
    const { normal } = await restored(now, Buffer.alloc(0), LINES);
    expect(normal.filter((row) => row.startsWith('~'))).toEqual([]);
  });

  it('[SN5] reports that it is not exact until the screen is redrawn', async () => {
    await server.stop();
    await start({ screenBytesPerSecond: 1, screenHeldBytes: 1000, screenScrollbackLines: 10_000 });
    const script = `${flood(9000, 'end')}; read x; printf '\\033[H\\033[2Jclean'; read x`;
    const { processId, key } = await agent.start(sh(script), { tty: true });
    await agent.waitOutput(processId, 'end');
    expect((await snapshot(key, LINES)).exact).toBe(false);
    await agent.write({ processId }, '\n');
    await agent.waitOutput(processId, 'clean');
    expect((await snapshot(key, 0)).exact).toBe(true);
  });

  it('[SN5] has the settings from before a flood that was not fully drawn', async () => {
    await server.stop();
    await start({ screenBytesPerSecond: 1, screenHeldBytes: 1000 });
    const editor = String.raw`\033[?1049h\033[?1006h\033[?1002h\033[2Jfull\033[?1002l\033[?1049l`;
    const modes = String.raw`\033[?1000h\033[?2004h\033[1;31m`;
    const { processId, key } = await agent.start(
      sh(`printf '${editor}${modes}'; seq 100000 199999; printf end; read x`),
      { tty: true },
    );
    await agent.waitOutput(processId, 'end');
    const result = await snapshot(key, LINES);
    expect(await restored(result, Buffer.alloc(0), LINES)).toEqual(
      await whole(agent.output(processId), LINES),
    );
    expect(Buffer.from(result.data, 'base64').toString()).toContain('\u001b[?1006h');
  });

  it('[SN7] starts at the retained output when its screen was evicted for lack of space', async () => {
    await server.stop();
    await start({ screensReady: 1, screensStoredBytes: 1, screenScrollbackLines: 10_000 }, 'operator');
    const live = async (script: string) => {
      const { processId, key } = await agent.start(sh(`${script}; read x; echo more; read x`), { tty: true });
      await agent.waitOutput(processId, 'end');
      return { processId, key };
    };
    const modes = String.raw`printf '\033[?1049h\033[?1049l\033[?2004h\033[?1000h'`;
    const [long, short] = [await live(`${modes}; ${flood(9000, 'end')}`), await live('seq 1 500; echo end')];
    for (const { key } of [long, short]) expect((await snapshot(key, LINES)).exact).toBe(true);
    for (const { processId, key } of [long, short]) {
      await agent.write({ processId }, '\n');
      await agent.waitOutput(processId, 'more');
      const result = await snapshot(key, LINES);
      expect(result.exact).toBe(key === short.key);
      const shown = await restored(result, Buffer.alloc(0), LINES);
      expect(shown).toEqual(await whole(agent.output(processId), LINES));
    }
  });

  it('is available only for terminals, and only to permitted roles', async () => {
    const { key } = await agent.start(['/bin/true']);
    await expect(snapshot(key)).rejects.toMatchObject({ code: -32023 });
    await expect(snapshot('nothing')).rejects.toMatchObject({ code: -32020 });
    await expect(agent.request('process/snapshot', { key })).rejects.toMatchObject({ code: -32021 });
    await expect(watcher.request('process/snapshot', { key, scrollback: -1 })).rejects.toMatchObject({
      code: -32602,
    });
  });
});

it('[LI4] all other clients have a turn between any two of two hundred snapshots of one screen', async () => {
  const { key } = await runToEnd(flood(9000, 'end'));
  let turns = 0;
  const answered = new Set<number>();
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all(Array.from({ length: 200 }, () => snapshot(key, 100).then(() => answered.add(turns))));
  isOver = true;
  expect(answered.size).toBeGreaterThan(100);
});
