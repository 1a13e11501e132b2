// Recovery from cuts, delays, silence, evicted output, slow drawing and rests, with repeatable seeds.
import { describe, expect, it } from 'vitest';
import { createExecClient } from './create-client.ts';
import type { RemoteProcess, WriteOutcome } from './exec-client.ts';
import { FakeGateway } from './testing/fake-gateway.ts';
import type { FakeProcess } from './testing/fake-process.ts';
import { ManualRuntime } from './testing/manual-runtime.ts';
import { RecordingSink, bytesOf } from './testing/recording-sink.ts';

const SEEDS = Number(process.env['FUZZ_SEEDS'] ?? 50);
const FIRST_SEED = Number(process.env['FUZZ_SEED'] ?? 1);
const STEPS = 120;
const WINDOW_BYTES = 64 * 1024;

interface Followed {
  readonly fake: FakeProcess;
  readonly remote: RemoteProcess;
  readonly sink: RecordingSink;
  readonly writes: { readonly text: string; outcome: WriteOutcome | null }[];
}

/**
 * One run of a client with a few processes, determined by its seed; at the end faults stop and all processes
 * exit.
 */
class Run {
  readonly runtime: ManualRuntime;
  readonly gateway: FakeGateway;
  readonly client;
  readonly followed: Followed[] = [];
  /** Output wrongly marked as live or as replay. */
  readonly wrongLive: string[] = [];
  #written = 0;

  constructor(seed: number) {
    this.runtime = new ManualRuntime(seed);
    const retainedBytes = this.runtime.pick(0, 1) === 0 ? 3000 : 200_000;
    this.gateway = new FakeGateway({
      runtime: this.runtime,
      retainedBytes,
      delayMs: this.runtime.pick(0, 60),
    });
    this.client = createExecClient({
      socket: this.gateway.dial,
      clientName: 'fuzz',
      windowBytes: WINDOW_BYTES,
      runtime: this.runtime,
    });
  }

  async live(): Promise<void> {
    this.client.connection.open();
    for (let n = this.runtime.pick(1, 3); n > 0; n -= 1) this.#follow();
    for (let step = 0; step < STEPS; step += 1) {
      this.#step();
      await this.runtime.advance(this.runtime.pick(0, 40));
    }
    this.gateway.isUp = true;
    this.client.processes.rest(false);
    for (const { fake } of this.followed) {
      if (fake.exitedSeq === null) fake.exit();
      fake.output(bytesOf('the end'));
      if (fake.closedSeq === null) fake.close();
    }
    await this.runtime.advance(120_000);
  }

  #follow(): void {
    const key = `p${this.followed.length + 1}`;
    const fake = this.gateway.start(key);
    if (this.runtime.chance(0.5)) fake.resize({ rows: 24, cols: 80 });
    for (let n = this.runtime.pick(0, 20); n > 0; n -= 1) this.#print(fake);
    const sink = new RecordingSink((drawn, { seq, live }) => {
      const liveFrom = this.gateway.peers.at(-1)?.liveFrom(key) ?? Number.NaN;
      if (live !== seq >= liveFrom) this.wrongLive.push(`${key} ${seq}`);
      if (this.runtime.chance(0.5)) drawn();
      else this.runtime.after(this.runtime.pick(0, 200), drawn);
    });
    const remote = this.client.processes.attach(key);
    remote.follow(sink);
    this.followed.push({ fake, remote, sink, writes: [] });
  }

  #step(): void {
    const { runtime, gateway } = this;
    const one = this.followed[runtime.pick(0, this.followed.length - 1)];
    if (!one) return;
    const dice = runtime.random();
    if (dice < 0.45) for (let n = runtime.pick(1, 12); n > 0; n -= 1) this.#print(one.fake);
    else if (dice < 0.5) for (let n = 40; n > 0; n -= 1) this.#print(one.fake);
    else if (dice < 0.7) this.#write(one);
    else if (dice < 0.76) one.fake.resize({ rows: runtime.pick(1, 3), cols: 80 });
    else if (dice < 0.78 && one.fake.exitedSeq === null) one.fake.exit();
    else if (dice < 0.85) gateway.sockets.at(-1)?.cut();
    else if (dice < 0.87) this.#silence();
    else if (dice < 0.89) gateway.isUp = !gateway.isUp;
    else if (dice < 0.9) gateway.forgetSessions();
    else if (dice < 0.92) runtime.sleep(runtime.pick(1, 100_000));
    else if (dice < 0.95) this.client.connection.retryNow();
    else if (dice < 0.98) this.client.processes.rest(runtime.chance(0.5));
  }

  #print(fake: FakeProcess): void {
    if (fake.closedSeq !== null) return;
    const length = this.runtime.pick(1, 700);
    fake.output(Uint8Array.from({ length }, () => this.runtime.pick(97, 122)));
  }

  #write({ remote, writes }: Followed): void {
    this.#written += 1;
    const write: Followed['writes'][number] = { text: `<${this.#written}>`, outcome: null };
    remote.write(bytesOf(write.text)).then(
      (outcome) => {
        write.outcome = outcome;
        writes.push(write);
      },
      () => expect(this.client.connection.state.kind).not.toBe('online'),
    );
  }

  /**
   * Makes the client's connection go silent; the gateway detects it at a random time, before or after the
   * client.
   */
  #silence(): void {
    const socket = this.gateway.sockets.at(-1);
    if (!socket) return;
    socket.isSilent = true;
    this.runtime.after(this.runtime.pick(0, 40_000), () => socket.loseClient());
  }
}

function check({ fake, remote, sink, writes }: Followed): void {
  const truth = fake.allBytes();
  let at = 0;
  let seq = 0;
  for (const reported of sink.reported) {
    if (reported.kind === 'gap') {
      expect(reported.afterSeq).toBeGreaterThanOrEqual(seq);
      expect(reported.bytes).toBe(fake.bytesBetween(reported.afterSeq, reported.nextSeq));
      expect(reported.bytes).toBeGreaterThan(0);
      at += reported.bytes;
      seq = reported.nextSeq - 1;
    } else if (reported.kind === 'output') {
      const { output } = reported;
      expect(output.seq).toBeGreaterThan(seq);
      expect(fake.bytesBetween(seq, output.seq)).toBe(0);
      seq = output.seq;
      if (Buffer.compare(output.bytes, truth.subarray(at, at + output.bytes.length)) !== 0) {
        throw new Error(`other bytes than were printed at ${at}`);
      }
      at += output.bytes.length;
      expect(reported.size).toEqual(fake.sizeAt(seq)?.size ?? null);
    }
  }
  expect(at).toBe(truth.length);
  expect(sink.kinds.filter((kind) => kind === 'exited')).toHaveLength(1);
  expect(sink.kinds.filter((kind) => kind === 'closed')).toHaveLength(1);
  expect(sink.kinds.at(-1)).toBe('closed');
  expect(remote.complete).toBe(true);
  checkInput(fake, writes);
}

/**
 * Checks that accepted writes arrived once, writes in doubt at most once, and all in the order of writing.
 */
function checkInput(fake: FakeProcess, writes: Followed['writes']): void {
  const arrived = [...fake.stdin.join('').matchAll(/<(\d+)>/g)].map((match) => Number(match[1]));
  expect(arrived).toEqual([...new Set(arrived)].toSorted((a, b) => a - b));
  for (const { text, outcome } of writes) {
    const count = arrived.filter((each) => text === `<${each}>`).length;
    if (outcome === 'accepted') expect(count).toBe(1);
    else expect(outcome).toBe('inDoubt');
  }
}

describe('Recovery', () => {
  it(`passes on every byte once and in order, or reports its exact gap, and writes every input once (${SEEDS} seeds)`, async () => {
    let accepted = 0;
    let gaps = 0;
    let replays = 0;
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed += 1) {
      const run = new Run(seed);
      try {
        await run.live();
        run.followed.forEach(check);
        expect(run.wrongLive).toEqual([]);
        run.client.connection.close();
        await run.runtime.advance(1000);
        expect(run.runtime.timerCount).toBe(0);
      } catch (cause) {
        throw new Error(`seed ${seed}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
      }
      for (const { writes, sink } of run.followed) {
        accepted += writes.filter(({ outcome }) => outcome === 'accepted').length;
        gaps += sink.kinds.filter((kind) => kind === 'gap').length;
        replays += sink.kinds.filter((kind) => kind === 'reconnected').length;
      }
    }
    expect(accepted).toBeGreaterThan(SEEDS);
    expect(gaps).toBeGreaterThan(SEEDS / 10);
    expect(replays).toBeGreaterThan(SEEDS);
  }, 60_000);
});
