// The sessions of a gateway, on disk: hashes of their ids, so that reading the state grants nothing.
import { join } from 'node:path';
import type { PastSession, SessionNotes } from '../sessions/registry.ts';
import { NotedLines } from './noted-lines.ts';

/** Outdated lines after which the file is written anew. */
const MOST_LINES = 20_000;

type Note =
  | { readonly session: PastSession }
  | { readonly attached: string; readonly now: boolean }
  | { readonly ended: string };

export class SessionJournal implements SessionNotes {
  readonly #sessions = new Map<string, PastSession>();
  readonly #lines: NotedLines;

  constructor(folder: string, failed: (error: Error) => void) {
    this.#lines = new NotedLines({
      path: join(folder, 'sessions.jsonl'),
      mostLines: MOST_LINES,
      current: () => [...this.#sessions.values()].map((session): Note => ({ session })),
      failed,
    });
  }

  /** The sessions of the gateway before, which end unless they are resumed. */
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

  /** Notes nothing more: what ends with the gateway is not news for the next one. */
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
