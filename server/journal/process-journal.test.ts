// Tests of notes that a later gateway reads, and of the files that they hold open.
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Child } from '../host/child.ts';
import { DESCRIPTION } from '../testing/started-process.ts';
import { ProcessJournal } from './process-journal.ts';

const FACTS = {
  key: 'k',
  description: DESCRIPTION,
  spec: { argv: ['true'], cwd: '/', tty: null, pipeStdin: false, sandbox: null },
  startedAtMs: 1,
  endsWithConnection: false,
};

const failed = (error: Error | null): never => {
  throw error ?? new Error('not failed');
};

function openIn(folder: string): number {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder);
    } catch {
      // The descriptor that listed this folder is closed by now.
      return false;
    }
  }).length;
}

it.skipIf(process.platform !== 'linux')(
  '[KP3] the journal of an exited process holds no file open, and accepts later notes',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'exec-console-journal-'));
    const journal = ProcessJournal.begin(folder, FACTS, failed);
    const rest = { endOffset: 0, atMs: 1, exitCode: 0, sandboxDenied: false };
    journal.seqs.add({ kind: 'exited', ...rest });
    expect(openIn(folder)).toBe(2);
    journal.seqs.add({ kind: 'closed', ...rest });
    expect(openIn(folder)).toBe(0);
    journal.notePinned('Ada');
    expect(openIn(folder)).toBe(0);
    expect(ProcessJournal.reopen(folder, failed)?.pinnedBy).toBe('Ada');
    rmSync(folder, { recursive: true });
  },
);

it('[KP3] the start of unread output stays noted until the owner has resumed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'exec-console-journal-'));
  const journal = ProcessJournal.begin(folder, FACTS, failed);
  const owedFrom = (): number | null | undefined => ProcessJournal.reopen(folder, failed)?.owedFrom;
  expect(owedFrom()).toBeNull();
  journal.noteOwed(7);
  expect(owedFrom()).toBe(7);
  journal.noteOwed(null);
  expect(owedFrom()).toBeNull();
  rmSync(folder, { recursive: true });
});

it('[KP4] a write that was refused is not noted as made, until it is repeated', () => {
  const folder = mkdtempSync(join(tmpdir(), 'exec-console-journal-'));
  const journal = ProcessJournal.begin(folder, FACTS, failed);
  const writes = (): readonly string[] =>
    ProcessJournal.reopen(folder, failed)?.writes.map(({ writeId, seq }) => `${writeId} as ${seq}`) ?? [];
  for (const seq of [1, 2, 3]) journal.noteWrite({ session: 's', writeId: `w${seq}` }, seq);
  journal.noteRefused(2);
  expect(writes()).toEqual(['w1 as 1', 'w3 as 3']);
  journal.noteWrite({ session: 's', writeId: 'w2' }, 4);
  expect(writes()).toEqual(['w1 as 1', 'w3 as 3', 'w2 as 4']);
  journal.noteRefused(4);
  journal.noteQueuedUpTo(3);
  journal.noteWrite({ session: 's', writeId: 'w5' }, 4);
  expect(writes()).toEqual(['w1 as 1', 'w3 as 3', 'w5 as 4']);
  journal.close();
  rmSync(folder, { recursive: true });
});

it('[KP4] notes do not grow with every write, and have the newest writes and everything else', () => {
  const folder = mkdtempSync(join(tmpdir(), 'exec-console-journal-'));
  const journal = ProcessJournal.begin(folder, FACTS, failed);
  journal.noteStarted({ pid: 7, lineage: { startedAt: 5 } as Child['lineage'] });
  journal.notePinned('Ada');
  journal.noteOwed(3);
  journal.typed({ session: 's', who: 'Ada', lines: 2, atMs: 1 });
  for (let seq = 1; seq <= 30_000; seq += 1) journal.noteWrite({ session: 's', writeId: String(seq) }, seq);
  journal.close();
  expect(readFileSync(join(folder, 'notes.jsonl'), 'utf8').split('\n').length).toBeLessThan(20_000);
  const past = ProcessJournal.reopen(folder, failed);
  expect(past).toMatchObject({ facts: FACTS, pid: 7, startedAt: 5, pinnedBy: 'Ada', owedFrom: 3 });
  expect(past?.notes.typed).toEqual([{ session: 's', who: 'Ada', lines: 2, atMs: 1 }]);
  const newest = past?.writes.slice(-4096).map(({ seq }) => seq);
  expect(newest).toEqual(Array.from({ length: 4096 }, (_, n) => n + 30_000 - 4095));
  rmSync(folder, { recursive: true });
});
