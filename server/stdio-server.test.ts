// Tests of the log lines of a spawned gateway: rules LG2 and LG3.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { DEFAULT_LIMITS } from './config.ts';
import type { Line } from './ops/log.ts';
import { createStdioServer } from './stdio-server.ts';

it('[LG2][LG3] a stdio server logs its start, its stop and a protocol error, without the client’s text', async () => {
  const stateDir = mkdtempSync(join(tmpdir(), 'exec-console-stdio-'));
  const [input, output] = [new PassThrough(), new PassThrough()];
  const lines: Line[] = [];
  const { ended } = createStdioServer(
    {
      stateDir,
      sandbox: 'none',
      workspaces: [],
      user: null,
      version: '1.2.3',
      limits: DEFAULT_LIMITS,
      input,
      output,
    },
    (...line) => lines.push(line),
  );
  input.write('{"id":1,"method":"initialize","params":{"clientName":"test"}}\n{"method":"initialized"}\n');
  input.write('{"method":"process/exec-console-token-of-somebody"}\n');
  await ended;
  rmSync(stateDir, { recursive: true });
  expect(lines.map(([, , keys]) => keys)).toMatchObject([
    { event: 'gatewayStarted', url: 'stdio://', version: '1.2.3' },
    { event: 'connected' },
    { event: 'sessionMade' },
    { event: 'closed', code: 1008, reason: 'it violated the protocol' },
    { event: 'disconnected' },
    { event: 'sessionDetached' },
    { event: 'gatewayStopping' },
    { event: 'gatewayStopped' },
  ]);
  expect(JSON.stringify(lines)).not.toContain('token-of-somebody');
});
