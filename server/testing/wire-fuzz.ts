// Sends random and mutated frames from every role, and checks what they leave behind: rule LI11.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, expect } from 'vitest';
import { WebSocket } from 'ws';
import type { ProcessInfo } from '../../protocol/console.ts';
import { Mutations, randomFrom, type Random } from './mutations.ts';
import { TestClient } from './test-client.ts';
import type { Holds, Reported } from './reporting-gateway.ts';

const BATCHES = 20;
/** Average number of frames for each invalid WebSocket frame, which ends the connection. */
const ILLEGAL_EVERY = 100;
/** Maximum wait for the gateway to close a connection after an invalid frame, which it may consider incomplete. */
const CLOSE_PATIENCE_MS = 5000;
/** Allowed growth of the heap after the first batches, for compiled code and filled caches. */
const HEAP_ALLOWANCE = 6 * 1024 * 1024;
/** Allowed fluctuation of descriptors, for sockets that are being closed. */
const DESCRIPTOR_ALLOWANCE = 5;

let folder: string;
let child: ChildProcessWithoutNullStreams;
let reported: Reported;
let complaints = '';
let answer: () => Promise<string>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'exec-console-fuzz-'));
  writeFileSync(join(folder, 'file'), 'content');
  const script = join(import.meta.dirname, 'reporting-gateway.ts');
  child = spawn(process.execPath, ['--expose-gc', '--import', 'tsx', script]);
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  answer = async () => String((await lines.next()).value);
  reported = JSON.parse(await answer()) as Reported;
});
afterEach(async () => {
  child.stdin.end();
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  rmSync(folder, { recursive: true });
});

async function holds(): Promise<Holds & { readonly descriptors: number }> {
  child.stdin.write('?\n');
  const holds = JSON.parse(await answer()) as Holds;
  return { ...holds, descriptors: readdirSync(`/proc/${child.pid}/fd`).length };
}

const ROLES = ['agent', 'observer', 'operator', 'admin'] as const;

/** Sends frames, and reconnects when it is disconnected. Replies are not checked. */
class Fuzzer {
  readonly #random: Random;
  readonly #mutations: Mutations;
  #ws: WebSocket | null = null;
  #socket: Socket | null = null;
  #barrier: (() => void) | null = null;

  constructor(random: Random, mutations: Mutations) {
    this.#random = random;
    this.#mutations = mutations;
  }

  async #open(): Promise<WebSocket> {
    const role = ROLES[this.#random(ROLES.length)]!;
    const ws = new WebSocket(reported.url, {
      headers: { authorization: `Bearer ${reported.tokens[role]}` },
      perMessageDeflate: false,
    });
    ws.on('error', () => {});
    ws.on('message', (data: Buffer) => {
      if (data.includes('"barrier"')) this.#barrier?.();
    });
    ws.on('upgrade', ({ socket }) => (this.#socket = socket));
    await once(ws, 'open');
    // Some connections never perform the handshake.
    if (this.#random(4) > 0) {
      ws.send('{"id":0,"method":"initialize","params":{"clientName":"fuzz"}}');
      ws.send('{"method":"initialized"}');
    }
    this.#ws = ws;
    return ws;
  }

  async send(frames: number): Promise<void> {
    for (let sent = 0; sent < frames; sent += 1) {
      const ws = this.#ws?.readyState === WebSocket.OPEN ? this.#ws : await this.#open();
      if (this.#random(ILLEGAL_EVERY) === 0) {
        this.#socket?.write(this.#mutations.illegalFrame());
        await once(ws, 'close', { signal: AbortSignal.timeout(CLOSE_PATIENCE_MS) }).catch(() =>
          ws.terminate(),
        );
        continue;
      }
      const frame = this.#mutations.next();
      ws.send(frame, { binary: typeof frame !== 'string' && this.#random(2) === 0 });
      // Replies are awaited regularly, so that few frames are sent to a connection that has been closed.
      if (sent % 20 === 19) await this.#answered(ws);
    }
  }

  /** Resolves when the gateway has handled everything sent before, or has closed the connection. */
  #answered(ws: WebSocket): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        ws.off('close', done);
        this.#barrier = null;
        resolve();
      };
      if (ws.readyState !== WebSocket.OPEN) return done();
      this.#barrier = done;
      ws.once('close', done);
      ws.send('{"id":"barrier","method":"environment/status"}');
    });
  }

  close(): void {
    this.#ws?.terminate();
  }
}

/**
 * Fuzzes a gateway, and expects it to keep serving other clients without growing. Each test of the calling file gets a
 * new gateway.
 */
export async function staysUnmoved(frames: number): Promise<void> {
  const seed = Number(process.env['FUZZ_SEED'] ?? randomInt(2 ** 31));
  const hint = `FUZZ_SEED=${seed}`;
  const honest = await TestClient.open(reported.url, { token: reported.tokens.agent });
  await honest.initialize();
  const { processId, key } = await honest.start(['cat'], { pipeStdin: true });
  const terminal = await honest.start(['cat'], { tty: true });
  const fuzzers = [key, terminal.key, key, terminal.key].map((each, at) => {
    const random = randomFrom(seed + at);
    return new Fuzzer(random, new Mutations(random, { key: each, folder }));
  });
  const found = [];
  for (let batch = 1; batch <= BATCHES; batch += 1) {
    await Promise.all(fuzzers.map((fuzzer) => fuzzer.send(frames / BATCHES / fuzzers.length)));
    await honest.write({ processId }, `batch ${batch};`);
    await honest.waitOutput(processId, `batch ${batch};`);
    if (batch % 5 === 0) {
      for (const fuzzer of fuzzers) fuzzer.close();
      const now = await holds();
      expect(now.defects, hint).toEqual([]);
      found.push(now);
    }
  }
  expect(complaints, hint).toBe('');
  const [first, last] = [found[0]!, found.at(-1)!];
  expect(last.heapBytes - first.heapBytes, hint).toBeLessThan(HEAP_ALLOWANCE);
  expect(last.descriptors - first.descriptors, hint).toBeLessThanOrEqual(DESCRIPTOR_ALLOWANCE);
  const operator = await TestClient.open(reported.url, { token: reported.tokens.operator });
  await operator.initialize();
  const { processes } = await operator.request<{ processes: ProcessInfo[] }>('console/watch', {});
  expect(
    processes.map(({ startedBy }) => startedBy),
    hint,
  ).not.toContain('the observer');
  expect(processes.find((each) => each.key === key)).toMatchObject({ state: 'running', label: null });
}
