// Tests that secrets do not appear in the output, files and messages of a built gateway.
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findLocalGateway } from './policy/local-gateway.ts';
import type { Role } from '../protocol/session.ts';
import { sharedProduct } from './testing/command-line.ts';
import { TestClient } from './testing/test-client.ts';
import { TestServer } from './testing/test-server.ts';

let product: string;
let dir: string;
let child: ChildProcess | null = null;

beforeAll(async () => {
  product = sharedProduct();
  dir = mkdtempSync(join(tmpdir(), 'secrets-'));
});
afterAll(() => {
  child?.kill('SIGKILL');
  rmSync(dir, { recursive: true });
});

const secret = (): string => randomBytes(32).toString('base64url');

it('[SC1] the environment of a process is sent to no client and logged nowhere', async () => {
  const server = await TestServer.start();
  try {
    const [agent, operator, observer] = await Promise.all([
      server.client('agent'),
      server.client('operator'),
      server.client('observer'),
    ]);
    const values = [secret(), secret()];
    for (const client of [operator, observer]) await client.request('console/watch', {});
    const envPolicy = {
      inherit: 'none',
      ignoreDefaultExcludes: true,
      exclude: [],
      set: { SET: values[0] },
      includeOnly: [],
    };
    const { key } = await agent.start(['/bin/sh', '-c', 'echo ${#SET} ${#GIVEN}; exec cat'], {
      env: { GIVEN: values[1] },
      envPolicy,
      tty: true,
    });
    await operator.request('process/attach', { key, afterSeq: 0 });
    await operator.waitOutput(key, '43 43');
    for (const method of ['process/snapshot', 'process/read']) {
      for (const client of [operator, observer]) await client.request(method, { key });
    }
    await operator.request('process/terminate', { key, graceMs: 0 });
    await operator.waitEvent(key, 'process/closed');
    await operator.request('process/restart', { key, newProcessId: 'again' });
    await operator.request('console/audit', {});
    const audit = readFileSync(join(server.stateDir, 'audit.jsonl'), 'utf8');
    const reported = [
      audit,
      ...server.logged,
      ...[agent, operator, observer].flatMap(({ log }) => JSON.stringify(log)),
    ].join('\n');
    expect(audit).toContain(key);
    for (const value of values) expect(reported.includes(value)).toBe(false);
  } finally {
    await server.stop();
  }
});

it.each(['text', 'json'])(
  '[SC3][LG3] the gateway writes tokens and codes only to the documented places (%s)',
  async (format) => {
    const stateDir = join(dir, `state-${format}`);
    const tokenFile = join(dir, `token-${format}`);
    const named = secret();
    writeFileSync(tokenFile, `${named}\n`, { mode: 0o600 });
    const args = [
      '--listen',
      'ws://127.0.0.1:0',
      '--state-dir',
      stateDir,
      '--ws-token-file',
      tokenFile,
      '--banner',
      '--log-format',
      format,
      '--log-level',
      'debug',
    ];
    const gateway = spawn(process.execPath, [join(product, 'dist/server/main.js'), ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = gateway;
    const printed = [buffer(gateway.stdout), buffer(gateway.stderr)] as const;
    const lines = createInterface({ input: gateway.stdout })[Symbol.asyncIterator]();
    const url = String((await lines.next()).value);
    const link = String((await lines.next()).value);
    const http = url.replace('ws', 'http');
    const codeOf = (text: string): string => text.split('#code=')[1] ?? '';
    const exchange = async (code: string): Promise<Response> =>
      fetch(`${http}/auth/exchange`, {
        method: 'POST',
        body: JSON.stringify({ code }),
        headers: { origin: http },
      });

    const cli = findLocalGateway(stateDir)?.token ?? '';
    const page = ((await (await exchange(codeOf(link))).json()) as { token: string }).token;
    const asked = await fetch(`${http}/auth/link`, {
      method: 'POST',
      headers: { authorization: `Bearer ${cli}` },
    });
    const freshLink = await asked.text();
    expect(codeOf(freshLink).length).toBeGreaterThan(20);
    const wrong = [secret(), secret(), secret(), secret(), secret()] as const;

    await exchange(codeOf(link));
    await exchange(wrong[0]);
    for (const place of ['/', '/status', '/auth/identity', '/nowhere', `//${'x'.repeat(300)}`]) {
      for (const token of [page, wrong[1]]) {
        const origins: Record<string, string>[] = [{}, { origin: 'http://evil.example' }];
        for (const headers of origins) {
          await fetch(`${http}${place}?a=b&token=${token}&c=d`, { headers });
          await fetch(`${http}${place}?to%6ben=${token}`, { headers });
          await fetch(`${http}${place}?TOKEN=${token}#x`, { method: 'POST', headers });
          await fetch(http + place, { headers: { ...headers, authorization: `Bearer ${token}` } });
        }
      }
    }
    for (const request of [
      `GET /?token=${wrong[2]} HTTP/9.9\r\n\r\n`,
      `GET /?token=${page} HTTP/1.1\r\nhost: evil.example\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`,
      `GET /?token=${page} HTTP/1.1\r\nhost: ${new URL(url).host}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`,
      `nonsense ${page}\r\n\r\n`,
      `GET /%?x=1;token=${wrong[2]}&token=${page} HTTP/1.1\r\nauthorization: Bearer ${named}\r\n\r\n`,
    ]) {
      await raw(Number(new URL(url).port), request);
    }
    await expect(TestClient.open(`${url}/?token=${wrong[3]}`)).rejects.toThrow();
    await expect(
      TestClient.open(url, { protocols: ['exec-console.v1', `exec-console.token.${wrong[4]}`] }),
    ).rejects.toThrow();

    const admin = await TestClient.open(url, { token: cli });
    await admin.initialize();
    const made: string[] = [];
    for (const role of ['agent', 'observer'] satisfies Role[]) {
      const client = await TestClient.open(`${url}/?token=${page}`);
      await client.initialize();
      made.push(client.sessionId);
      await client.request('process/start', { role }).catch(() => {});
      await client.request('http/request', {
        requestId: 'r',
        method: 'GET',
        url: `${http.replace('//', `//me:${named}@`)}/status?token=${page}`,
        headers: [],
      });
      await client.request(`unknown/${page}`).catch(() => {});
      client.wire.send(`{"token":"${page}`);
      client.wire.send(Buffer.from(JSON.stringify({ method: `note-${page}` })));
      await client.waitClose();
    }
    const inEnvironment = secret();
    const { processId } = await admin.start(['true'], { env: { GIVEN: inEnvironment } });
    // Waits for the exit, because a stopping gateway ends running processes, and the log must contain the exit code 0.
    await admin.waitEvent(processId, 'process/closed');
    gateway.kill('SIGTERM');
    await once(gateway, 'exit');

    const [stdout, stderr] = await Promise.all(printed);
    const agentToken = /token=([\w-]+)/.exec(stderr.toString())?.[1] ?? '';
    const secrets = [
      cli,
      page,
      named,
      agentToken,
      codeOf(link),
      codeOf(freshLink).trim(),
      ...wrong,
      ...made,
      inEnvironment,
    ];
    const afterTheTwoLines = stdout.toString().split('\n').slice(2).join('\n');
    // The banner is excluded, because it contains the page's link and the agent's address on purpose.
    const log = stderr
      .toString()
      .split('\n')
      .filter((line) => /^(\d{4}-\d\d-|\{"level")/.test(line))
      .join('\n');
    const stored = readdirSync(stateDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
    expect(log).toContain('refused /');
    for (const words of ['start', 'exited with code 0', 'created by', 'stopping'])
      expect(log).toContain(words);
    expect(stored.join('')).toContain('"act":"refused"');
    for (const [at, each] of secrets.entries()) {
      expect(each.length).toBeGreaterThan(15);
      expect({
        at,
        leaked: [afterTheTwoLines, log, ...stored].filter((text) => text.includes(each)),
      }).toEqual({
        at,
        leaked: [],
      });
    }
  },
);

/** Sends malformed HTTP, and resolves when the gateway has closed the connection. */
async function raw(port: number, request: string): Promise<void> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.end(request);
  socket.resume();
  await once(socket, 'close');
}
