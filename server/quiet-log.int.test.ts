// Tests that the output of a process never appears in the gateway's log, although the gateway draws it: rule
// LG6.
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findLocalGateway } from './policy/local-gateway.ts';
import { sharedProduct } from './testing/command-line.ts';
import { hostileOutput } from './testing/hostile-output.ts';
import { TestClient } from './testing/test-client.ts';

let product: string;
let state: string;

beforeAll(async () => {
  product = sharedProduct();
  state = mkdtempSync(join(tmpdir(), 'exec-console-state-'));
});
afterAll(() => {
  rmSync(state, { recursive: true });
});

/** Resolves with the log events of a gateway that draws a terminal on which a process prints this output. */
async function eventsWhilePrinting(output: Buffer, argv: readonly string[] = []): Promise<string[]> {
  const file = join(state, 'output');
  writeFileSync(file, output);
  const flags = ['--port', '0', '--keeper', 'off', '--log-format', 'json', '--log-level', 'debug'];
  const gateway = spawn(process.execPath, [...argv, join(product, 'dist/server/main.js'), ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, XDG_STATE_HOME: state },
  });
  const events: string[] = [];
  const lines = createInterface(gateway.stderr);
  const detached = new Promise<void>((resolve) => {
    lines.on('line', (line) => {
      const { event } = JSON.parse(line) as { event: string };
      events.push(event);
      if (event === 'sessionDetached') resolve();
    });
  });
  try {
    const [url] = (await once(gateway.stdout.setEncoding('utf8'), 'data')) as [string];
    const { token = '' } = findLocalGateway(join(state, 'exec-console')) ?? {};
    const client = await TestClient.open(url.split('\n')[0] ?? '', { token });
    await client.initialize();
    if (argv.length > 0) gateway.kill('SIGWINCH');
    const { key, processId } = await client.start(
      ['/bin/sh', '-c', 'stty raw -echo; read -r go; cat "$0"', file],
      { tty: true },
    );
    // A resize makes the gateway draw the screen, because the output alone no longer reproduces it.
    await client.request('process/resize', { processId, rows: 30, cols: 90 });
    await client.request('process/write', { processId, writeId: '1', chunk: 'Cg==' });
    await client.waitEvent(processId, 'process/closed');
    const { exact } = await client.request<{ exact: boolean }>('process/snapshot', { key, scrollback: 10 });
    expect(exact).toBe(true);
    client.ws.terminate();
    await detached;
  } finally {
    gateway.kill('SIGTERM');
  }
  await once(lines, 'close');
  return events;
}

it('[LG6] the log has the same lines whatever a process prints', async () => {
  const usual = await eventsWhilePrinting(Buffer.from('words'));
  expect(usual).toContain('processExited');
  expect(await eventsWhilePrinting(hostileOutput(500_000))).toEqual(usual);
});

it('[LG6] a warning of Node is a regular line of the log', async () => {
  const warns = join(state, 'warns.cjs');
  writeFileSync(warns, "process.on('SIGWINCH', () => process.emitWarning('careful'));");
  expect(await eventsWhilePrinting(Buffer.from('words'), ['--require', warns])).toContain('warning');
});
