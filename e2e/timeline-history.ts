// A long history for tests: copies of one real process in the catalogue of a stopped gateway.
import { appendFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredMeta } from '../server/record/stored-meta.ts';

const CLIENTS = ['codex', 'claude-code', 'gemini-cli'];
const COMMANDS = ['npm test', 'cargo build --release', 'git status', 'rg price src', 'make -j4 all'];

/** One command of a generated history. */
export interface Past {
  readonly clientName: string;
  readonly thread: number;
  readonly startedAtMs: number;
  readonly ranMs: number;
  readonly exitCode: number;
}

/** Returns `count` commands before `nowMs`, one every `everyMs`, oldest first; every 13th failed. */
export const pastOf = (count: number, { nowMs, everyMs }: { nowMs: number; everyMs: number }): Past[] =>
  Array.from({ length: count }, (_, at) => ({
    clientName: CLIENTS[at % CLIENTS.length] ?? '',
    thread: at % 2,
    startedAtMs: nowMs - (count - at) * everyMs,
    ranMs: Math.round(everyMs * (0.2 + ((at * 37) % 100) / 25)),
    exitCode: at % 13 === 0 ? 1 : 0,
  }));

/** Adds these commands to the catalogue of `stateDir`, as copies of the first process in it. */
export function addPast(stateDir: string, past: readonly Past[]): void {
  const rec = join(stateDir, 'rec');
  const [month = ''] = readdirSync(rec).filter((name) => /^\d{4}-\d{2}$/.test(name));
  const [line = ''] = readFileSync(join(rec, month, 'catalog.jsonl'), 'utf8').split('\n');
  const model = JSON.parse(line) as StoredMeta;
  const lines = new Map<string, string>();
  past
    .map(({ clientName, thread, startedAtMs, ranMs, exitCode }, at) => ({
      ...model,
      clientName,
      endedAtMs: startedAtMs + ranMs,
      recordedBytes: 0,
      info: {
        ...model.info,
        key: `past${at}`,
        argv: (COMMANDS[at % COMMANDS.length] ?? '').split(' '),
        metadata: { threadId: `${clientName} ${thread}` },
        startedAtMs,
        exitedAtMs: startedAtMs + ranMs,
        lastOutputAtMs: startedAtMs + ranMs,
        exitCode,
      },
    }))
    .toSorted((one, other) => one.endedAtMs - other.endedAtMs)
    .forEach((meta) => {
      const own = new Date(meta.info.startedAtMs).toISOString().slice(0, 7);
      lines.set(own, `${lines.get(own) ?? ''}${JSON.stringify(meta)}\n`);
    });
  for (const [own, text] of lines) {
    mkdirSync(join(rec, own), { recursive: true, mode: 0o700 });
    appendFileSync(join(rec, own, 'catalog.jsonl'), text, { mode: 0o600 });
  }
}
