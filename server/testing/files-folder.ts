// Setup of fs/* tests: a folder for each test, a gateway with small limits, and a client.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { TestClient } from './test-client.ts';
import { TestServer } from './test-server.ts';

export let server: TestServer;
export let client: TestClient;
export let dir: string;

/** Sets up a server for all tests of a file, and a new `dir` and client for each test; call it once in the file. */
export function withFilesFolder(): void {
  beforeAll(async () => {
    server = await TestServer.start({
      fileReadBytes: 3_000_000,
      fileHandles: 3,
      listingChars: 20_000,
      watchMs: 20,
      watchedPaths: 4,
    });
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    dir = realpathSync(mkdtempSync(join(tmpdir(), 'files-')));
    client = await server.client();
  });
  afterEach(async () => {
    await client.cut();
    rmSync(dir, { recursive: true });
  });
}

export const at = (path: string): string => join(dir, path);
export const uri = (path: string): string => pathToFileURL(at(path)).href;
export const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64');
export const call = <R = Record<string, unknown>>(method: string, params: object): Promise<R> =>
  client.request<R>(`fs/${method}`, params);
export function make(path: string, content: string | Buffer = ''): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), content);
}
export async function expectCode(code: number, method: string, params: object): Promise<void> {
  await expect(call(method, params)).rejects.toMatchObject({ code });
}
