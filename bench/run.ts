// Runs the rounds: a fresh server per measure and round, alternating between servers so that drift affects
// all alike.
import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Measure, Options } from './rig/measure.ts';
import { busyShare } from './rig/readings.ts';
import type { ServerKind } from './servers.ts';
import type { Job, Outcome } from './worker.ts';

const WORKER = join(import.meta.dirname, 'worker.ts');
/** Default time limit of a measure, long enough to be reached only by a measure that hangs. */
const LIMIT_MS = 900_000;

export interface Round {
  readonly measure: string;
  readonly server: string;
  readonly round: number;
  /** Share of the CPU that other programs used just before the measure. */
  readonly busy: number;
  readonly outcome: Outcome;
}

interface Rounds {
  readonly measure: Measure;
  readonly servers: readonly ServerKind[];
  readonly rounds: number;
  readonly options: Options;
  readonly done: (round: Round) => void;
}

export async function takeRounds({ measure, servers, rounds, options, done }: Rounds): Promise<void> {
  const able = servers.filter(({ isConsole }) => isConsole || measure.servers === 'all');
  for (let round = 0; round < rounds; round += 1) {
    for (const server of round % 2 === 0 ? able : able.toReversed()) {
      const busy = await busyShare();
      const outcome = await take(measure, server, options);
      done({ measure: measure.name, server: server.name, round, busy, outcome });
    }
  }
}

async function take(measure: Measure, kind: ServerKind, options: Options): Promise<Outcome> {
  try {
    const server = await kind.start();
    try {
      const job = { measure: measure.name, subject: server.subject, options };
      return await inWorker(job, measure.limitMs ?? LIMIT_MS);
    } finally {
      await server.stop();
    }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

function inWorker(job: Job, limitMs: number): Promise<Outcome> {
  return new Promise((resolve) => {
    const worker = fork(WORKER, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    const timer = setTimeout(() => {
      worker.kill('SIGKILL');
      resolve({ error: `timed out after ${limitMs / 1000} s` });
    }, limitMs);
    worker.once('message', (outcome: Outcome) => resolve(outcome));
    worker.once('exit', (code) => {
      clearTimeout(timer);
      resolve({ error: `the process of the measure exited unexpectedly (${code})` });
    });
    worker.send(job);
  });
}
