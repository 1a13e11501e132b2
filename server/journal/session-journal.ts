// The sessions of a gateway, on disk: hashes of their ids, so that reading the state grants nothing.
import { join } from 'node:path';
import type { PastSession, SessionNotes } from '../sessions/registry.ts';
import { writePrivateFile } from '../policy/state-dir.ts';
import { LinesFile } from './lines-file.ts';

/** Lines above which the file is written anew with the sessions that are there. */
const MOST_LINES = 20_000;

type Note =
  | { readonly session: PastSession }
  | { readonly attached: string; readonly now: boolean }
  | { readonly ended: string };

export class SessionJournal implements SessionNotes {
  readonly #path: string;
  readonly #failed: (error: Error) => void;
  #lines: LinesFile;
  #count = 0;
  #isClosed = false;
  readonly #sessions = new Map<string, PastSession>();

  constructor(folder: string, failed: (error: Error) => void) {
    this.#path = join(folder, 'sessions.jsonl');
    this.#lines = new LinesFile(this.#path);
    this.#failed = failed;
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
    this.#isClosed = true;
    this.#lines.close();
  }

  #note(note: Note): void {
    if (this.#isClosed) return;
    this.#take(note);
    try {
      if (this.#count > MOST_LINES + 2 * this.#sessions.size) this.#writeAnew();
      else this.#lines.append(note);
      this.#count += 1;
    } catch (error) {
      this.#failed(error as Error);
    }
  }

  #writeAnew(): void {
    this.#lines.close();
    const lines = [...this.#sessions.values()].map((session) => `${JSON.stringify({ session })}\n`);
    writePrivateFile(this.#path, lines.join(''));
    this.#lines = new LinesFile(this.#path);
    this.#count = lines.length;
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
