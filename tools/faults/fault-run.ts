// A fault run: two real clients and a real gateway, with a planned faulty network between them.
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { createExecClient } from '../../client/create-client.ts';

import type { StartRequest } from '../../client/exec-client.ts';
import { systemRuntime, type Runtime } from '../../client/runtime.ts';
import { SessionClient, type OwnStartRequest } from '../../client/session-client.ts';
import type { ProcessInfo } from '../../protocol/console.ts';
import type { Role } from '../../protocol/session.ts';
import { FaultProxy } from '../../server/testing/fault-proxy.ts';
import type { TestServer } from '../../server/testing/test-server.ts';
import { FollowedProcess, type FaultClients } from './followed-process.ts';
import { judge } from './oracle.ts';
import { planOf, type Fault, type Plan, type PlannedProcess, type Who } from './plan.ts';
import { printerCommand, readReport, type Report } from './printer.ts';
import { retried } from '../../server/testing/retried.ts';

/** Time limit of a run, nearly all of it for settling after the last fault has been repaired. */
const REST_MS = 40_000;
/**
 * Factor by which the clients' time limits are shortened, so that they take effect in a short run; for the gateways'
 * limits, see series.ts.
 */
const HASTE = 10;

const startedAtMs = performance.now();
const hasty: Runtime = {
  now: () => (performance.now() - startedAtMs) * HASTE,
  random: () => systemRuntime.random(),
  after: (ms, run) => systemRuntime.after(ms / HASTE, run),
};

type Proxies = { readonly [who in Who]: FaultProxy };

export class FaultRun {
  readonly #plan: Plan;
  readonly #clients: FaultClients;
  readonly #proxies: Proxies;
  readonly #beganAtMs = performance.now();
  readonly #followed: FollowedProcess[] = [];
  readonly #label: string;
  #started = 0;

  private constructor(server: TestServer, plan: Plan, proxies: Proxies) {
    this.#plan = plan;
    this.#proxies = proxies;
    const socketOf = (proxy: FaultProxy, role: Role) => (): WebSocket =>
      new WebSocket(`ws://127.0.0.1:${proxy.port}`, {
        headers: { authorization: `Bearer ${server.token(role)}` },
        perMessageDeflate: false,
        maxPayload: 0,
      });
    const clientName = `seed ${plan.seed}`;
    this.#label = clientName;
    this.#clients = {
      owner: new SessionClient({ socket: socketOf(proxies.owner, 'agent'), clientName, runtime: hasty }),
      watcher: createExecClient({
        socket: socketOf(proxies.watcher, 'operator'),
        clientName,
        windowBytes: 128 * 1024,
        runtime: hasty,
      }),
    };
  }

  /** Executes a run; throws an error that describes a violated rule or, after the time limit, the state of the run. */
  static async of(seed: number, servers: { roomy: TestServer; tight: TestServer }): Promise<FaultRun> {
    const plan = planOf(seed);
    const server = plan.isTight ? servers.tight : servers.roomy;
    const target = Number(new URL(server.url).port);
    const proxies = { owner: await FaultProxy.listen(target), watcher: await FaultProxy.listen(target) };
    const run = new FaultRun(server, plan, proxies);
    try {
      await run.#live();
    } finally {
      await run.#end();
    }
    return run;
  }

  /** Counts for checking that a series encountered enough faults. */
  get met(): { reconnects: number; gaps: number; accepted: number } {
    const given = this.#followed.map(({ story }) => story);
    const count = (kind: string): number =>
      given
        .flatMap(({ owner, watcher }) => [...(owner ?? []), ...(watcher ?? [])])
        .filter((each) => each.kind === kind).length;
    return {
      reconnects: this.#followed.reduce((all, each) => all + each.reconnects, 0),
      gaps: count('gap'),
      accepted: given.flatMap(({ writes }) => writes).filter(({ outcome }) => outcome === 'accepted').length,
    };
  }

  async #live(): Promise<void> {
    this.#clients.owner.connection.open();
    this.#clients.watcher.connection.open();
    const faults = [
      this.#bring(this.#proxies.owner, this.#plan.faults.owner),
      this.#bring(this.#proxies.watcher, this.#plan.faults.watcher),
    ];
    const lives = this.#plan.processes.map((planned, number) => this.#liveOf(planned, number));
    let restTimer: NodeJS.Timeout | undefined;
    const restless = new Promise<never>((_, reject) => {
      restTimer = setTimeout(
        () => reject(new Error(`did not settle within the time limit: ${this.#whatIsLeft()}`)),
        REST_MS,
      );
    });
    await Promise.race([Promise.all([...faults, ...lives]), restless]).finally(() => clearTimeout(restTimer));
    await this.#endWhatNobodyKnows();
    for (const { story } of this.#followed) judge(story, this.#plan);
  }

  async #bring(proxy: FaultProxy, faults: readonly Fault[]): Promise<void> {
    for (const fault of faults) {
      await this.#until(fault.atMs);
      bring(proxy, fault);
    }
    await this.#until(1000);
    proxy.heal();
  }

  async #liveOf(planned: PlannedProcess, number: number): Promise<void> {
    await this.#until(planned.atMs);
    const { owner, watcher } = this.#clients;
    const { tty, readsStdin, exitCode, steps } = planned;
    let report = '';
    // A retried request starts another process; if the reply to the first request was lost, its process is left
    // running.
    const request = (): OwnStartRequest & StartRequest => {
      this.#started += 1;
      report = join(
        tmpdir(),
        `exec-console-fault-${process.pid}-${this.#plan.seed}-${number}-${this.#started}`,
      );
      return {
        argv: printerCommand({ tty, report, readsStdin, exitCode, steps }),
        cwd: '/tmp',
        env: { PATH: process.env['PATH'] ?? '' },
        tty,
        pipeStdin: readsStdin && !tty,
        label: this.#label,
      };
    };
    const followed = new FollowedProcess(planned, this.#clients);
    this.#followed.push(followed);
    if (planned.startedBy === 'owner') {
      followed.ownedBy(await retried(owner.connection, () => owner.start(request())));
    } else {
      followed.watchedAs(await retried(watcher.connection, () => watcher.processes.start(request())));
    }
    // The actions come first, because they include attaching the watcher, which must also receive the end.
    await this.#deedsOf(followed);
    await followed.hasEnded();
    followed.over(await this.#outputBytes(followed), takeReport(report));
  }

  async #deedsOf(followed: FollowedProcess): Promise<void> {
    const { planned } = followed;
    const watching = (async () => {
      if (planned.watchedAfterMs === null || planned.startedBy === 'watcher') return;
      await sleep(planned.watchedAfterMs);
      await followed.watch();
    })();
    await followed.hasBegun();
    const doing = planned.deeds.map(async (deed) => {
      await this.#until(deed.atMs);
      await followed.perform(deed);
    });
    await Promise.all([watching, ...doing]);
    await followed.endInput();
  }

  /** Returns the gateway's count of output bytes, final once the process is closed; NaN for an unlisted process. */
  async #outputBytes(followed: FollowedProcess): Promise<number> {
    const key = await followed.key();
    return (await this.#listed()).find((info) => info.key === key)?.outputBytes ?? Number.NaN;
  }

  #listed(): Promise<readonly ProcessInfo[]> {
    const { connection } = this.#clients.watcher;
    return retried(connection, async () => (await connection.request('console/watch', {})).processes);
  }

  async #endWhatNobodyKnows(): Promise<void> {
    const { connection } = this.#clients.watcher;
    for (const { key, label, state } of await this.#listed()) {
      if (label !== this.#label || state === 'closed') continue;
      await retried(connection, () => connection.request('process/terminate', { key, graceMs: 0 }));
    }
  }

  async #until(ms: number): Promise<void> {
    const leftMs = this.#beganAtMs + ms - performance.now();
    if (leftMs > 0) await sleep(leftMs);
  }

  #whatIsLeft(): string {
    const { owner, watcher } = this.#clients;
    const states = [owner.connection.state, watcher.connection.state].map(({ kind }) => kind);
    return `${states.join(', ')}; ${this.#followed.map((each) => each.state).join('; ')}`;
  }

  async #end(): Promise<void> {
    this.#clients.owner.close();
    this.#clients.watcher.connection.close();
    await Promise.all([this.#proxies.owner.close(), this.#proxies.watcher.close()]);
  }
}

function bring(proxy: FaultProxy, fault: Fault): void {
  switch (fault.kind) {
    case 'cut':
      proxy.cut();
      return;
    case 'down':
      proxy.down(fault.ms);
      return;
    case 'cutTwice':
      proxy.cut();
      proxy.cutAfter(fault.bytes, fault.direction);
      return;
    case 'cutAfter':
      proxy.cutAfter(fault.bytes, fault.direction);
      return;
    case 'silence':
      proxy.silence(fault.ms);
      return;
    case 'hold':
      proxy.hold(fault.ms);
      return;
    case 'dribble':
      proxy.dribble(fault.bytes, fault.direction);
  }
}

function takeReport(path: string): Report | null {
  try {
    return readReport(readFileSync(path, 'utf8'));
  } catch {
    return null;
  } finally {
    rmSync(path, { force: true });
  }
}
