// Stores sessions on disk with hashes in place of their ids, so that a reader of the file cannot resume any session.
import { join } from 'node:path';
import type { PastSession, SessionNotes } from '../sessions/registry.ts';
import { NotedLines } from './noted-lines.ts';

/** Minimum number of lines beyond which the file is rewritten; see `NotedLinesOptions`. */
const MOST_LINES = 20_000;

type Note =
  | { readonly session: PastSession }
  | { readonly attached: string; readonly now: boolean }
  | { readonly ended: string };

export class SessionJournal implements SessionNotes {
  readonly #sessions = new Map<string, PastSession>();
  readonly #lines: NotedLines;

  constructor(folder: string, failed: (error: Error | null) => void) {
    this.#lines = new NotedLines({
      path: join(folder, 'sessions.jsonl'),
      mostLines: MOST_LINES,
      current: () => [...this.#sessions.values()].map((session): Note => ({ session })),
      failed,
    });
  }

  /** Returns the sessions of the previous gateway, which end unless they are resumed. */
  read(): readonly PastSession[] {
    for (const note of this.#lines.read() as Note[]) this.#take(note);
    return [...this.#sessions.values()];
  }

  begun(session: PastSession): void {
    this.#note({ session });
  }

  attached(label: string, now: boolean): void {
    if (this.#sessions.get(label)?.isAttached !== now) this.#note({ attached: label, now });
  }

  ended(label: string): void {
    if (this.#sessions.has(label)) this.#note({ ended: label });
  }

  /** Closes the journal, so that sessions which end with the gateway are not recorded as ended. */
  close(): void {
    this.#lines.close();
  }

  #note(note: Note): void {
    if (this.#lines.isClosed) return;
    this.#take(note);
    this.#lines.append(note);
  }

  #take(note: Note): void {
    if (typeof note !== 'object' || note === null) return;
    if ('session' in note && isSession(note.session)) this.#sessions.set(note.session.label, note.session);
    else if ('ended' in note) this.#sessions.delete(note.ended);
    else if ('attached' in note) {
      const known = this.#sessions.get(note.attached);
      if (known) this.#sessions.set(known.label, { ...known, isAttached: note.now });
    }
  }
}

const isSession = (session: PastSession | undefined): session is PastSession =>
  typeof session?.idHash === 'string' &&
  typeof session.label === 'string' &&
  typeof session.clientName === 'string' &&
  typeof session.owner?.tokenId === 'string';
