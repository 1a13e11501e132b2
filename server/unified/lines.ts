// Stores the lines (exec-server sessions) of all clients: clients with the same name, token and thread share one, and
// a client without a thread has its own.
import type { Identity } from '../policy/identity.ts';
import { visible } from '../../text/visible.ts';
import { Line, type Serve } from './line.ts';
import type { Notes, PastLine } from './notes.ts';
import { headOf } from '../../text/cut.ts';

/** A client: its name and thread, with the token of its identity, identify its line; `from` is its address for the audit log. */
interface Client {
  readonly name: string;
  readonly thread: string | null;
  readonly from?: string;
}

const NAME_CHARS = 100;

export class Lines {
  readonly #serve: Serve;
  readonly #notes: Notes | null;
  readonly #lines = new Map<string, Line>();
  /** Lines of an earlier gateway, until their client reconnects. */
  readonly #past = new Map<string, Set<Line>>();

  constructor(serve: Serve, notes: Notes | null) {
    this.#serve = serve;
    this.#notes = notes;
  }

  of(identity: Identity, client: Client): Line {
    for (const [known, line] of this.#lines)
      if (line.isOver) {
        this.#lines.delete(known);
        this.#notes?.remove('line', line.label);
      }
    for (const [known, lines] of this.#past)
      if ([...lines].every(({ isOver }) => isOver)) this.#past.delete(known);
    const { thread, from = 'mcp' } = client;
    const clientName = shownName(client);
    const known = nameOf(identity.tokenId, client);
    const line =
      (thread === null ? undefined : this.#lines.get(known)) ??
      this.#made(identity, { tokenId: identity.tokenId, clientName, thread, from });
    if (thread !== null) this.#lines.set(known, line);
    return line;
  }

  restore(identity: Identity, past: PastLine, label: string, sessionId: string): Line {
    const line = this.#made(identity, past, { label, sessionId });
    const known = nameOf(past.tokenId, { name: past.clientName, thread: past.thread });
    if (past.thread !== null) this.#lines.set(known, line);
    this.#past.set(known, (this.#past.get(known) ?? new Set()).add(line));
    return line;
  }

  /** Returns the lines that this client has from an earlier gateway; a second call returns none. */
  takePast(identity: Identity, client: Client): readonly Line[] {
    const known = nameOf(identity.tokenId, client);
    const lines = [...(this.#past.get(known) ?? [])];
    this.#past.delete(known);
    return lines;
  }

  #made(identity: Identity, past: PastLine, former?: { label: string; sessionId: string }): Line {
    const { clientName, from } = past;
    const began = (label: string, before: string): void => {
      if (before !== '') this.#notes?.remove('line', before);
      this.#notes?.set('line', label, past);
    };
    return new Line({
      identity,
      clientName,
      from,
      serve: this.#serve,
      began,
      ...(former && { past: former }),
    });
  }
}

const shownName = ({ name }: Pick<Client, 'name'>): string => visible(headOf(name, NAME_CHARS)) || 'agent';

const nameOf = (tokenId: string, client: Pick<Client, 'name' | 'thread'>): string =>
  JSON.stringify([tokenId, shownName(client), client.thread]);
