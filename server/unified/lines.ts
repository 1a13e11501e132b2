// The lines of all clients: one for each client of a token and thread, and for a client without a thread its own.
import type { Identity } from '../policy/identity.ts';
import { visible } from '../../text/visible.ts';
import { Line, type Serve } from './line.ts';

/** Facts by which a client finds its line again. */
interface Client {
  readonly name: string;
  readonly thread: string | null;
  readonly from?: string;
}

/** Characters of a client's name. */
const NAME_CHARS = 100;

export class Lines {
  readonly #serve: Serve;
  readonly #lines = new Map<string, Line>();

  constructor(serve: Serve) {
    this.#serve = serve;
  }

  of(identity: Identity, { name, thread, from = 'mcp' }: Client): Line {
    for (const [known, line] of this.#lines) if (line.isOver) this.#lines.delete(known);
    const shown = visible(name.slice(0, NAME_CHARS)) || 'agent';
    const known = JSON.stringify([identity.tokenId, shown, thread]);
    const line =
      (thread === null ? undefined : this.#lines.get(known)) ?? new Line(identity, shown, from, this.#serve);
    if (thread !== null) this.#lines.set(known, line);
    return line;
  }
}
