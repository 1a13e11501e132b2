// Measures the memory that large requests leave in a gateway with a small heap.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { RequestMethod } from '../../protocol/methods.ts';
import { largeRequests, type LargeRequest } from './large-requests.ts';
import { TestClient } from './test-client.ts';
import type { Holds, Reported } from './reporting-gateway.ts';

const MIB = 1024 ** 2;
/** Heap limit of the child: more than a gateway needs for itself and one message. */
const HEAP_MIB = 256;
const LONG_CHARS = MIB / 2;
const SHORT_CHARS = 1000;
/**
 * Number of times that each request is sent; if its text were retained each time, the limit below would be
 * exceeded.
 */
const TIMES = 2;
const MOST_LEFT_MIB = 0.8;

let folder: string;
let child: ChildProcessWithoutNullStreams;
let reported: Reported;
let answer: () => Promise<string>;

/** Starts a gateway. Call it in the test itself, because on a busy machine the start may exceed a hook's timeout. */
export async function startGateway(options: object = {}, more: object = {}): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), 'exec-console-heap-'));
  const script = join(import.meta.dirname, 'reporting-gateway.ts');
  const limits = JSON.stringify({ auditPerMinute: 1e9, refusalsPerMinute: 1e9, ...more });
  const node = ['--expose-gc', `--max-old-space-size=${HEAP_MIB}`, '--import', 'tsx'];
  child = spawn(process.execPath, [...node, script, limits, JSON.stringify(options)]);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  answer = async () => String((await lines.next()).value);
  reported = JSON.parse(await answer()) as Reported;
}
export async function endGateway(): Promise<void> {
  child.stdin.end();
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  rmSync(folder, { recursive: true });
}

export async function heapBytes(): Promise<number> {
  child.stdin.write('?\n');
  return (JSON.parse(await answer()) as Holds).heapBytes;
}

export async function open(role: keyof Reported['tokens'], isInitialized = true): Promise<TestClient> {
  const client = await TestClient.open(reported.url, { token: reported.tokens[role] });
  if (isInitialized) await client.initialize();
  return client;
}

/** Sends a request and ignores the reply, even an error; rejects only when the connection was closed. */
async function ask(client: TestClient, { method, params }: LargeRequest): Promise<void> {
  await client.request(method, params).catch((error: unknown) => {
    if (client.closeInfo) throw error;
  });
  client.log.length = 0;
}

let count = 0;
const text = (chars: number): string => `${(count += 1)} ${'x'.repeat(chars)}`;

interface Left {
  readonly method: RequestMethod;
  readonly mib: number;
}

/** Returns the methods whose requests leave more memory than the limit, and how much; starts a new gateway. */
export async function methodsThatKeep(methods: readonly RequestMethod[]): Promise<Left[]> {
  await startGateway();
  const folderUri = `file://${folder}`;
  const everybodys = await (await open('admin')).start(['cat'], { pipeStdin: true });

  /**
   * Sends all requests of a method from a client that then disconnects, so that only memory retained for
   * others remains.
   */
  const askAll = async (method: RequestMethod, chars: number): Promise<void> => {
    const client = await open('admin', method !== 'initialize');
    const processId = `own ${(count += 1)}`;
    if (method !== 'initialize') await client.start(['cat'], { pipeStdin: true, processId });
    const names = { key: everybodys.key, processId, folder: folderUri };
    for (const request of largeRequests(method, () => text(chars), names)) await ask(client, request);
    await client.cut();
  };

  // The first round fills caches and compiles code, and is not measured.
  for (const method of methods) await askAll(method, SHORT_CHARS);
  const left: Left[] = [];
  let before = await heapBytes();
  for (const method of methods) {
    for (let time = 0; time < TIMES; time += 1) await askAll(method, LONG_CHARS);
    const after = await heapBytes();
    left.push({ method, mib: (after - before) / MIB });
    before = after;
  }
  return left.filter(({ mib }) => mib >= MOST_LEFT_MIB);
}
