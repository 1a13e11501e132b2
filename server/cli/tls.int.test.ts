// Commands and a gateway with TLS: a local command trusts the stored fingerprint, others the system's authorities.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CommandLine } from '../testing/command-line.ts';
import {
  testCertificate,
  writeTestCertificate,
  type WrittenCertificate,
} from '../testing/test-certificate.ts';

let dir: string;
let certificate: WrittenCertificate;
let line: CommandLine;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'exec-console-tls-'));
  certificate = writeTestCertificate(dir, '127.0.0.1');
  line = await CommandLine.start({
    flags: ['--tls-cert', certificate.certPath, '--tls-key', certificate.keyPath],
  });
});
afterAll(async () => {
  await line.stop();
  rmSync(dir, { recursive: true });
});

it('[AU11] a command on the same machine accepts the gateway’s certificate, from any issuer', async () => {
  expect(line.url).toMatch(/^wss:/);
  expect(line.announced()).toMatchObject({ fingerprint: certificate.fingerprint });
  expect((await line.outcome(['link'])).stdout.toString()).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/#code=/);
  const run = await line.outcome(['run', '--', 'sh', '-c', 'echo with TLS; exit 7']);
  expect([run.code, run.stdout.toString(), run.stderr]).toEqual([7, 'with TLS\n', '']);
});

it('[AU11][MC13] mcp accepts the gateway’s certificate for all calls of its agent', async () => {
  const [command = '', ...args] = line.argv(['mcp']);
  const client = new Client({ name: 'sdk', version: '1' });
  await client.connect(new StdioClientTransport({ command, args, env: line.env, stderr: 'inherit' }));
  for (const word of ['one', 'two']) {
    const params = { name: 'exec_command', arguments: { cmd: `echo ${word}`, login: false } };
    const { content } = (await client.callTool(params)) as { content: { text: string }[] };
    expect(content[0]?.text).toMatch(new RegExp(`code 0\\n[\\s\\S]*Output:\\n${word}\\n`));
  }
  await client.close();
});

it('[AU11] a command sends nothing to a gateway with another certificate', async () => {
  const heard: Buffer[] = [];
  const impostor = createServer(testCertificate('127.0.0.1'), (socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => heard.push(bytes));
  });
  impostor.on('tlsClientError', () => {});
  impostor.listen(0, '127.0.0.1');
  await once(impostor, 'listening');
  const file = join(line.stateDir, 'gateway.json');
  const announced = readFileSync(file, 'utf8');
  const { port } = impostor.address() as AddressInfo;
  writeFileSync(file, announced.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`));
  for (const command of ['ps', 'link']) {
    const { code, stderr } = await line.outcome([command]);
    expect([code, stderr]).toEqual([3, expect.stringContaining('unexpected certificate')]);
  }
  writeFileSync(file, announced);
  impostor.close();
  expect(heard).toEqual([]);
});

it('[AU11] a gateway that is specified by address must have a trusted certificate', async () => {
  const env = { EXEC_CONSOLE_TOKEN: line.announced().token };
  const refused = await line.outcome(['ps', '--url', line.url], { env });
  expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('NODE_EXTRA_CA_CERTS')]);
  const trusted = { ...env, NODE_EXTRA_CA_CERTS: certificate.certPath };
  expect((await line.outcome(['ps', '--url', line.url], { env: trusted })).code).toBe(0);
});
