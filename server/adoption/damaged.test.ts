// Files of a process that were truncated, or had a byte flipped, at every position: only correct output is replayed.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProcessJournal } from '../journal/process-journal.ts';
import { EventLog } from '../keeper/event-log.ts';
import { ProcessLog, type LogState } from '../keeper/program/process-log.ts';
import { DESCRIPTION } from '../testing/started-process.ts';
import { logOnDisk, pastSteps } from './past-steps.ts';

const EVENTS = ['one\n', 'two and three\n', 'f', 'five\n'];
const TEXT = EVENTS.join('');
const limits = { retainedBytes: 1e6, retainedEvents: 1000, chunkBytes: 1000 };
const failed = (error: Error | null): never => {
  throw error ?? new Error('not failed');
};

let root: string;
let folder: string;
let whole: ReadonlyMap<string, Buffer>;
let written: LogState;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'exec-console-damaged-'));
  folder = join(root, 'p');
  const facts = {
    key: 'k',
    description: DESCRIPTION,
    spec: { argv: ['true'], cwd: '/', tty: null, pipeStdin: false, sandbox: null },
    startedAtMs: 1,
    endsWithConnection: false,
  };
  const journal = ProcessJournal.begin(folder, facts, failed);
  const disk = ProcessLog.create(folder, 'k', null);
  const log = new EventLog(limits, journal.seqs);
  for (const text of EVENTS) {
    // A record ends in the middle of an event.
    for (const part of [text.slice(0, 2), text.slice(2)])
      if (part !== '') disk.append('stdout', 1, Buffer.from(part));
    log.append('stdout', Buffer.from(text));
    log.seal();
  }
  journal.close();
  disk.close();
  written = disk.state;
  whole = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
});
afterEach(() => rmSync(root, { recursive: true }));

/** Writes the files, the one named `changed` with other bytes, and replays them; null if the process is unknown. */
function replayed(
  isHeld: boolean,
  changed: string,
  bytes: Buffer,
): { log: EventLog; entries: number } | null {
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  for (const [name, content] of whole) writeFileSync(join(folder, name), name === changed ? bytes : content);
  const past = ProcessJournal.reopen(folder, failed);
  if (!past) return null;
  const { earlier, entries, journal } = past;
  const log = new EventLog(limits, journal.seqs);
  const disk = logOnDisk(folder);
  for (const step of pastSteps({ earlier, entries, exit: null, isHeld }, disk)) {
    if (step.kind === 'missing') log.missing(step.ends, step.isContinued);
    if (step.kind !== 'output') continue;
    log.append(step.stream, step.bytes, step.atMs);
    if (step.isWhole) log.seal();
  }
  log.seal();
  journal.close();
  return { log, entries: entries.length };
}

/** Checks that events with a known seq are unchanged, and that all others have the right bytes at their offset. */
function isRight({ log, entries }: { log: EventLog; entries: number }, where: string): void {
  for (let seq = log.firstSeq; seq < log.nextSeq; seq += 1) {
    const event = log.at(seq);
    if (event?.kind !== 'output') continue;
    const text = event.bytes.toString();
    expect(TEXT.slice(event.offset, event.offset + event.bytes.length), where).toBe(text);
    if (seq > entries) continue;
    // The last event may be partial where the log was truncated.
    if (seq < log.nextSeq - 1) expect(text, where).toBe(EVENTS[seq - 1]);
    expect(event.offset, where).toBe(EVENTS.slice(0, seq - 1).join('').length);
  }
}

describe.each([true, false])('A process whose files are damaged, in a keeper: %s', (isHeld) => {
  it('[KP10] keeps each event under its seq wherever a file is truncated', () => {
    for (const [name, content] of whole)
      for (let cut = 0; cut < content.length; cut += 1) {
        const past = replayed(isHeld, name, content.subarray(0, cut));
        if (past) isRight(past, `${name} cut at ${cut}`);
        else expect(name).toBe('notes.jsonl');
      }
  });

  it('[KP10] keeps each event under its seq whichever byte is flipped', () => {
    for (const [name, content] of whole)
      for (let at = 0; at < content.length; at += 1) {
        const bytes = Buffer.from(content);
        bytes[at] = (bytes[at] ?? 0) ^ 0x11;
        const past = replayed(isHeld, name, bytes);
        if (past) isRight(past, `${name} flipped at ${at}`);
        else expect(name).toBe('notes.jsonl');
      }
  });
});

it('[KP10] a last record without a seq that is cut is counted as missing, if its header is whole', () => {
  const disk = ProcessLog.resume(folder, 'k', written);
  disk.append('stdout', 1, Buffer.from('last\n'));
  disk.close();
  const name = [...whole.keys()].find((each) => each.endsWith('.xcr')) ?? '';
  const content = readFileSync(join(folder, name));
  const bytesAfter = (cut: number): number | undefined =>
    replayed(false, name, content.subarray(0, content.length - cut))?.log.totalBytes;
  expect([1, 5, 6].map(bytesAfter)).toEqual([TEXT.length + 5, TEXT.length + 5, TEXT.length]);
});

it('[KP10] a segment that is removed while the log is read is left out', () => {
  const { records } = logOnDisk(folder);
  for (const name of whole.keys()) if (name.endsWith('.xcr')) rmSync(join(folder, name));
  expect([...records]).toEqual([]);
});
