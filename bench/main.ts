// npm run bench -- --only watchers,growth --rounds 3 --json FILE: compares the servers; see
// docs/performance.md.
import { writeFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import type { Measure, Options } from './rig/measure.ts';
import { MEASURES } from './measures.ts';
import { QUIET_SHARE, tableOf } from './report.ts';
import type { Results } from './results.ts';
import { takeRounds, type Round } from './run.ts';
import { findServers } from './servers.ts';

const USAGE = `npm run bench -- [--only NAME,…] [--rounds 3] [--servers ours,codex] [--json FILE] [--list]
  --only        measures to take, by name or beginning of the name (page, growth)
  --servers     servers to measure: ours, unrecorded (ours with --record=off), codex, codex-nudge (all but unrecorded)
  --operations  maximum number of operations for each p50 and p99 (2000)
  --seconds     time limit of these operations, and duration of a load (20)
  --megabytes   output sent to a page in its simulated hour (500)
  --gigabytes   size of the recordings to search (2)
  --recordings  number of recordings with which a gateway is started (100000)
codex is measured if CODEX_BIN names it or it is in PATH; CHROMIUM_PATH names another browser.`;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    servers: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    json: { type: 'string' },
    operations: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '20' },
    megabytes: { type: 'string', default: '500' },
    gigabytes: { type: 'string', default: '2' },
    recordings: { type: 'string', default: '100000' },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

function chosen(): Measure[] {
  if (values.only === undefined) return [...MEASURES];
  return values.only.split(',').flatMap((name) => {
    const named = MEASURES.filter((measure) => measure.name === name || measure.name.startsWith(`${name}-`));
    if (named.length === 0) throw new Error(`there is no measure ${name}; --list shows all measures`);
    return named;
  });
}

const machine = {
  cpus: cpus().length,
  cpu: cpus()[0]?.model,
  memoryMb: Math.round(totalmem() / 1e6),
  kernel: release(),
  node: process.version,
};

async function bench(): Promise<number> {
  const servers = findServers(values.servers?.split(','));
  const options: Options = {
    operations: Number(values.operations),
    seconds: Number(values.seconds),
    megabytes: Number(values.megabytes),
    gigabytes: Number(values.gigabytes),
    recordings: Number(values.recordings),
  };
  const begun = { atMs: Date.now(), load: loadavg() };
  const all: Round[] = [];
  for (const measure of chosen()) {
    const rounds: Round[] = [];
    await takeRounds({
      measure,
      servers,
      rounds: Number(values.rounds),
      options,
      done: (round) => {
        rounds.push(round);
        all.push(round);
        printRound(round);
        if (values.json !== undefined)
          writeFileSync(
            values.json,
            `${JSON.stringify({ machine, begun, options, rounds: all } satisfies Results, null, 1)}\n`,
          );
      },
    });
    console.log(`\n## ${measure.name}: ${measure.about}\n\n${tableOf(rounds)}\n`);
  }
  return all.some(({ server, outcome }) => server === 'ours' && 'error' in outcome) ? 1 : 0;
}

function printRound({ measure, server, round, busy, outcome }: Round): void {
  const noise = busy > QUIET_SHARE ? `  (the machine was ${Math.round(busy * 100)} % busy before)` : '';
  const outcomeText = 'error' in outcome ? `failed: ${outcome.error}` : 'done';
  console.error(`${measure}, round ${round + 1}, ${server}: ${outcomeText}${noise}`);
}

// Signals must run the exit handlers, so that a measure's processes end with the benchmark.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

if (values.help) console.log(USAGE);
else if (values.list) for (const { name, about } of MEASURES) console.log(`${name.padEnd(20)}${about}`);
else process.exitCode = await bench();
