// The operator of a scenario, who decides requests over the gateway's protocol with a separate token.
import type { Approval, ApprovalDecision, ApprovalsResult } from '../../protocol/approvals.ts';
import type { ProcessInfo, WatchResult } from '../../protocol/console.ts';
import type { ApprovalPolicy } from '../../protocol/rules.ts';
import { TestClient } from '../../server/testing/test-client.ts';
import type { ExecServer } from './servers.ts';

/** Time limit for a condition to be met; on a busy machine an agent takes a minute to start. */
const PATIENCE_MS = 150_000;
const LOOK_MS = 50;

export class Person {
  readonly #client: TestClient;
  readonly #known: ReadonlySet<string>;

  private constructor(client: TestClient, known: ReadonlySet<string>) {
    this.#client = client;
    this.#known = known;
  }

  /** Connects as an operator; earlier requests are ignored. */
  static async at({ url, operatorToken }: ExecServer): Promise<Person> {
    if (operatorToken === null) throw new Error('misuse: a server without approvals');
    const client = await TestClient.open(url, { token: operatorToken });
    await client.initialize();
    const { approvals } = await client.request<ApprovalsResult>('console/approvals', { all: true });
    return new Person(client, new Set(approvals.map(({ id }) => id)));
  }

  /** Restores the policy `never`, lifts all pauses, and disconnects. */
  async leave(): Promise<void> {
    await this.setPolicy('never');
    await this.unpauseAll();
    this.#client.ws.close();
  }

  async setPolicy(policy: ApprovalPolicy): Promise<void> {
    await this.#client.request('console/setPolicy', { policy });
  }

  async pauseAll(): Promise<void> {
    await this.#client.request('console/pause', { all: true });
  }

  async unpauseAll(): Promise<void> {
    await this.#client.request('console/unpause', { all: true });
  }

  /** Returns all requests made since this client connected, including decided ones. */
  async asked(): Promise<readonly Approval[]> {
    const { approvals } = await this.#client.request<ApprovalsResult>('console/approvals', { all: true });
    return approvals.filter(({ id }) => !this.#known.has(id));
  }

  /** Resolves with the pending request whose command contains `part`, once there is one. */
  waitsFor(part: string): Promise<Approval> {
    return patiently(`a request with ${part}`, async () =>
      (await this.asked()).find(({ state, argv }) => state === 'waiting' && argv.join(' ').includes(part)),
    );
  }

  async decide(part: string, decision: ApprovalDecision, message?: string): Promise<Approval> {
    const request = await this.waitsFor(part);
    await this.#client.request('console/decide', { id: request.id, decision, message });
    return request;
  }

  /** Resolves once the request whose command contains `part` was decided; rejects if anyone but `by` decided it. */
  async decided(part: string, by: string): Promise<void> {
    const { decidedBy } = await patiently(`a decision about ${part}`, async () =>
      (await this.asked()).find(({ state, argv }) => state !== 'waiting' && argv.join(' ').includes(part)),
    );
    if (decidedBy !== by) throw new Error(`${part} was decided by ${decidedBy}`);
  }

  /** Returns the processes started in this folder, as shown in the console. */
  async rowsIn(dir: string): Promise<readonly ProcessInfo[]> {
    const { processes } = await this.#client.request<WatchResult>('console/watch', {});
    return processes.filter(({ cwd }) => cwd === dir);
  }

  /** Resolves once there are processes with `part` in their command, and all of them have closed. */
  async ended(part: string): Promise<void> {
    await patiently(`the end of ${part}`, async () => {
      const { processes } = await this.#client.request<WatchResult>('console/watch', {});
      const found = processes.filter(({ argv }) => argv.join(' ').includes(part));
      return found.length > 0 && found.every(({ state }) => state === 'closed') ? true : undefined;
    });
  }
}

/** Polls `look`, and resolves with its result once it is not undefined; rejects after the time limit. */
export async function patiently<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  throw new Error(`time limit exceeded while waiting for ${what}`);
}
