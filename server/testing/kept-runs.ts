// A session over kills of its gateway: floods and writes of processes in a keeper, of which nothing may be lost.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { OwnProcess, ProcessEvent } from '../../client/own-process.ts';
import { KeptGateway } from './kept-gateway.ts';

const KILLS = 2;
const PATH = process.env['PATH'] ?? '';

/** A linear generator: the same seed gives the same run. */
function dice(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

const FLOOD_LINES = 60_000;
const flood = Array.from({ length: FLOOD_LINES }, (_, line) => `${line} ${'x'.repeat(40)}\n`).join('');
/** Prints `flood` in some seconds, then exits with the code. */
const floodCommand = (code: number): string[] => [
  'sh',
  '-c',
  `stty raw -echo 2>/dev/null; exec perl -e '$| = 1; for (0..${FLOOD_LINES - 1}) { print "$_ ", "x" x 40, "\\n"; ` +
    `select undef, undef, undef, 0.004 if $_ % 100 == 0 } exit ${code}'`,
];

const sha = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

interface Story {
  readonly output: string;
  readonly exitCode: number | null;
  readonly seqs: readonly number[];
  readonly gaps: number;
}

async function storyOf(process: OwnProcess): Promise<Story> {
  const events: ProcessEvent[] = [];
  for await (const event of process.events()) events.push(event);
  const bytes = events.flatMap((event) => (event.kind === 'output' ? Buffer.from(event.bytes) : []));
  const exited = events.find((event) => event.kind === 'exited');
  return {
    output: sha(Buffer.concat(bytes)),
    exitCode: exited?.exitCode ?? null,
    seqs: events.flatMap((event) => ('seq' in event ? event.seq : [])),
    gaps: events.filter(({ kind }) => kind === 'gap').length,
  };
}

/** Kills a gateway at random moments of this seed, and expects every byte, exit and write once. */
export async function expectKept(seed: number): Promise<void> {
  const gateway = await KeptGateway.start();
  try {
    await killedUnderFloods(gateway, seed);
  } finally {
    await gateway.stop();
  }
}

async function killedUnderFloods(gateway: KeptGateway, seed: number): Promise<void> {
  const roll = dice(seed);
  const client = await gateway.resumingClient();
  const env = { PATH };
  const pty = await client.start({ argv: floodCommand(7), cwd: '/tmp', env, tty: true });
  const pipe = await client.start({ argv: floodCommand(9), cwd: '/tmp', env });
  const echo = 'while (<STDIN>) { print } exit 3';
  const written = await client.start({
    argv: ['perl', '-e', `$| = 1; ${echo}`],
    cwd: '/tmp',
    env,
    pipeStdin: true,
  });
  const stories = [pty, pipe, written].map(storyOf);
  const over = new AbortController();
  let lines = 0;
  const writing = (async () => {
    const outcomes: Promise<unknown>[] = [];
    while (!over.signal.aborted) {
      lines += 1;
      outcomes.push(written.write(Buffer.from(`line ${lines}\n`)));
      await sleep(3);
    }
    return Promise.all(outcomes);
  })();
  for (let kill = 0; kill < KILLS; kill += 1) {
    await sleep(100 + roll() * 900);
    await gateway.end('SIGKILL');
    await gateway.startAgain();
  }
  await sleep(roll() * 300);
  over.abort();
  expect(new Set(await writing)).toEqual(new Set(['accepted']));
  expect(await written.closeStdin()).toBe('accepted');
  const [ofPty, ofPipe, ofWritten] = await Promise.all(stories);
  const all = Array.from({ length: lines }, (_, line) => `line ${line + 1}\n`).join('');
  expect(ofPty).toMatchObject({ output: sha(flood), exitCode: 7, gaps: 0 });
  expect(ofPipe).toMatchObject({ output: sha(flood), exitCode: 9, gaps: 0 });
  expect(ofWritten).toMatchObject({ output: sha(all), exitCode: 3, gaps: 0 });
  for (const story of [ofPty, ofPipe, ofWritten])
    expect(story?.seqs).toEqual(story?.seqs.map((_, index) => index + 1));
  client.close();
}
