// A gateway that asks people for approval, with helpers to act as an agent and as a person.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Approval, ApprovalsResult } from '../../protocol/approvals.ts';
import type { TestClient } from './test-client.ts';
import { TestServer } from './test-server.ts';

export class GatedServer {
  readonly server: TestServer;
  readonly folder = mkdtempSync(join(tmpdir(), 'exec-console-approvals-'));

  private constructor(server: TestServer) {
    this.server = server;
  }

  static async start(more: Parameters<typeof TestServer.start>[1] = {}, limits = {}): Promise<GatedServer> {
    return new GatedServer(await TestServer.start(limits, { approvals: 'always', ...more }));
  }

  async stop(): Promise<void> {
    await this.server.stop();
    rmSync(this.folder, { recursive: true });
  }

  /** Returns the path of the file that `touch(name)` creates. */
  marked(name: string): string {
    return join(this.folder, name);
  }

  touch(name: string): string[] {
    return ['touch', this.marked(name)];
  }
}

export const list = (client: TestClient, params: object = {}): Promise<ApprovalsResult> =>
  client.request('console/approvals', params);

export const waiting = async (client: TestClient): Promise<readonly Approval[]> =>
  (await list(client)).approvals;

export const decide = (
  client: TestClient,
  id: string,
  decision: string,
  more: object = {},
): Promise<unknown> => client.request('console/decide', { id, decision, ...more });

/** Returns the newest waiting approval, once `count` are waiting. */
export async function waits(client: TestClient, count = 1): Promise<Approval> {
  await expect.poll(async () => (await waiting(client)).length).toBe(count);
  const last = (await waiting(client)).at(-1);
  if (!last) throw new Error('no approval is waiting');
  return last;
}

/** Returns the error of a refused request; null when it was accepted. */
export const errorOf = (reply: Promise<unknown>): Promise<{ code: number; message: string } | null> =>
  reply.then(
    () => null,
    ({ code, message }: { code: number; message: string }) => ({ code, message }),
  );

export async function exitOf(client: TestClient, started: Promise<{ processId: string }>): Promise<unknown> {
  const { processId } = await started;
  return client.request('process/wait', { processId, waitMs: 10_000 });
}
