// Tests of notes that a later gateway reads, and of the files that they hold open.
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
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
