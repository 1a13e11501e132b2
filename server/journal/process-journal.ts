// Journal of one process for a later gateway: facts, seqs, writes and acts, in a separate folder.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { bootId } from '../host/boot-id.ts';
import type { Child, WriteOrigin } from '../host/child.ts';
import type { ActsSoFar, PastNotes, ProcessNotes, TypedSoFar } from '../keeper/process-notes.ts';
import type { ProcessDescription } from '../keeper/process-view.ts';
import type { ShownSpec } from '../keeper/shown-command.ts';
import { NotedLines } from './noted-lines.ts';
import { SeqIndex, type NotedEvents } from './seq-index.ts';

/** Minimum number of lines beyond which the file is rewritten, and number of newest writes that are then retained. */
const MOST_LINES = 10_000;
const MOST_WRITES = 4096;

/** Facts of a process that never change. They exclude its environment, which contains secrets. */
export interface ProcessFacts {
  readonly key: string;
  readonly description: ProcessDescription;
  readonly spec: ShownSpec;
  readonly startedAtMs: number;
  readonly endsWithConnection: boolean;
}

type Note =
  | { readonly facts: ProcessFacts }
  /** `startedAt` is that of a `Lineage`, valid only during the boot with the id `boot`. */
  | { readonly pid: number; readonly startedAt?: number; readonly boot?: string }
  | { readonly write: readonly [session: string, writeId: string, seq: number] }
  /** Number of a write that was refused, and so may be repeated. */
  | { readonly refused: number }
  /** A later gateway found that inputs above this number were never queued. */
  | { readonly queuedUpTo: number }
  | { readonly acts: ActsSoFar }
  | { readonly typed: TypedSoFar }
  /** The person who pinned the process; null when it is not pinned. */
  | { readonly pinnedBy: string | null }
  /** First event that the owner may not have received, found by a later gateway; null once the owner has resumed. */
  | { readonly owedFrom: number | null };

/** A write to stdin that an earlier gateway noted. */
export interface PastWrite extends WriteOrigin {
  readonly seq: number;
}

export interface PastProcess extends NotedEvents {
  readonly facts: ProcessFacts;
  /** PID of the process; null when no start was recorded. */
  readonly pid: number | null;
  /**
   * Earliest possible start of the process, in the unit of `OsProcess.startTime`; null when unknown, or after
   * a reboot.
   */
  readonly startedAt: number | null;
  readonly writes: readonly PastWrite[];
  readonly notes: Pick<PastNotes, 'acts' | 'typed'>;
  readonly pinnedBy: string | null;
  /** First event that the owner may not have received from an earlier gateway; null when there is none. */
  readonly owedFrom: number | null;
  readonly journal: ProcessJournal;
}

export class ProcessJournal implements ProcessNotes {
  readonly seqs: SeqIndex;
  readonly #lines: NotedLines;

  private constructor(seqs: SeqIndex, lines: NotedLines) {
    this.seqs = seqs;
    this.#lines = lines;
    // Files are closed once a process has ended, since there may be thousands of them.
    seqs.onClosed = () => lines.rest();
  }

  /** Creates the journal of a process that is about to start; throws when the write fails. */
  static begin(folder: string, facts: ProcessFacts, failed: (error: Error | null) => void): ProcessJournal {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const lines = linesIn(folder, failed);
    lines.begin({ facts } satisfies Note);
    return new ProcessJournal(SeqIndex.begin(join(folder, 'seq.idx'), failed), lines);
  }

  /** Reads the journal of an earlier gateway's process; null when it lacks the process's facts. */
  static reopen(folder: string, failed: (error: Error | null) => void): PastProcess | null {
    const lines = linesIn(folder, failed);
    const notes = notesOf(lines.read());
    const facts = factsOf(notes);
    if (!facts) return null;
    const started = startOf(notes);
    const isOfBoot = started?.boot === bootId() && typeof started.startedAt === 'number';
    const { index, ...noted } = SeqIndex.open(join(folder, 'seq.idx'), failed);
    const journal = new ProcessJournal(index, lines);
    const startedAt = isOfBoot ? (started.startedAt ?? null) : null;
    return {
      facts,
      pid: started?.pid ?? null,
      startedAt,
      ...noted,
      writes: writesOf(notes),
      ...doneTo(notes),
      journal,
    };
  }

  noteStarted({ pid, lineage }: Pick<Child, 'pid' | 'lineage'>): void {
    this.#note({ pid, startedAt: lineage.startedAt, boot: bootId() });
  }

  /** Records the number of an input before the input is sent. */
  noteWrite({ session, writeId }: WriteOrigin, seq: number): void {
    this.#note({ write: [session, writeId, seq] });
  }

  noteRefused(seq: number): void {
    this.#note({ refused: seq });
  }

  noteQueuedUpTo(seq: number): void {
    this.#note({ queuedUpTo: seq });
  }

  acted(soFar: ActsSoFar): void {
    this.#note({ acts: soFar });
  }

  typed(soFar: TypedSoFar): void {
    this.#note({ typed: soFar });
  }

  notePinned(by: string | null): void {
    this.#note({ pinnedBy: by });
  }

  noteOwed(fromSeq: number | null): void {
    this.#note({ owedFrom: fromSeq });
  }

  close(): void {
    this.seqs.close();
    this.#lines.close();
  }

  #note(note: Note): void {
    this.#lines.append(note);
  }
}

const linesIn = (folder: string, failed: (error: Error | null) => void): NotedLines =>
  new NotedLines({
    path: join(folder, 'notes.jsonl'),
    mostLines: MOST_LINES,
    current: (all) => current(notesOf(all())),
    failed,
  });

const notesOf = (lines: readonly unknown[]): readonly Note[] =>
  lines.filter((note): note is Note => typeof note === 'object' && note !== null);

/** Returns the notes that a later gateway needs; throws when the facts are missing. */
function current(notes: readonly Note[]): readonly Note[] {
  const facts = factsOf(notes);
  if (!facts) throw new Error('the notes of a process cannot be read');
  const started = startOf(notes);
  const { notes: done, pinnedBy, owedFrom } = doneTo(notes);
  return [
    { facts },
    ...(started ? [started] : []),
    ...(done.acts ? [{ acts: done.acts }] : []),
    ...done.typed.map((typed) => ({ typed })),
    ...writesOf(notes)
      .slice(-MOST_WRITES)
      .map(({ session, writeId, seq }) => ({ write: [session, writeId, seq] }) as const),
    { pinnedBy },
    { owedFrom },
  ];
}

const factsOf = (notes: readonly Note[]): ProcessFacts | undefined =>
  notes.flatMap((note) => ('facts' in note && isFacts(note.facts) ? note.facts : []))[0];

const startOf = (notes: readonly Note[]): Extract<Note, { readonly pid: number }> | undefined =>
  notes.flatMap((note) => ('pid' in note && typeof note.pid === 'number' ? note : []))[0];

const isFacts = (facts: ProcessFacts | undefined): facts is ProcessFacts =>
  typeof facts?.key === 'string' &&
  typeof facts.description?.processId === 'string' &&
  Array.isArray(facts.spec?.argv);

/**
 * Returns the acts, counts of typed lines, pin and owed output. The last note of each kind counts; for typed lines,
 * the last one of each person in a session.
 */
function doneTo(notes: readonly Note[]): Pick<PastProcess, 'notes' | 'pinnedBy' | 'owedFrom'> {
  let owedFrom: number | null = null;
  let acts: ActsSoFar | null = null;
  let pinnedBy: string | null = null;
  const typed = new Map<string, TypedSoFar>();
  for (const note of notes) {
    if ('acts' in note && Array.isArray(note.acts?.all)) acts = note.acts;
    else if ('owedFrom' in note) owedFrom = typeof note.owedFrom === 'number' ? note.owedFrom : null;
    else if ('pinnedBy' in note) pinnedBy = typeof note.pinnedBy === 'string' ? note.pinnedBy : null;
    else if ('typed' in note && typeof note.typed?.lines === 'number') {
      const name = JSON.stringify([note.typed.session, note.typed.who]);
      typed.delete(name);
      typed.set(name, note.typed);
    }
  }
  return { notes: { acts, typed: [...typed.values()] }, pinnedBy, owedFrom };
}

/** Returns the noted writes in order, without those that were refused or, as `queuedUpTo` shows, never queued. */
function writesOf(notes: readonly Note[]): PastWrite[] {
  // A later gateway may reuse the number of a write that was never queued.
  const writes = new Map<number, PastWrite>();
  for (const note of notes) {
    if ('write' in note && Array.isArray(note.write)) {
      const [session, writeId, seq] = note.write;
      writes.set(seq, { session, writeId, seq });
    } else if ('queuedUpTo' in note) {
      for (const seq of writes.keys()) if (seq > note.queuedUpTo) writes.delete(seq);
    } else if ('refused' in note) writes.delete(note.refused);
  }
  return [...writes.values()].sort((one, other) => one.seq - other.seq);
}
