// Limits how many large replies of fs/readFile are created at once, because creating one takes up to 171 MiB of
// memory.
import type { JsonText } from '../../../protocol/json-text.ts';
import { Budget, type Taker } from '../../limits/budget.ts';
import { Turns } from '../../limits/turns.ts';
import { openFile, readAll, readOn, sizeOf, type RefuseOpened } from './read.ts';
import { readReply, replyOfFile, SLICE_BYTES } from './read-reply.ts';

/**
 * Maximum number of large replies created at once: in total and for one token; and how many are reserved for
 * operators and admins.
 */
const LARGE_READS = { all: 2, perToken: 1, reserve: 1 };

export class LargeReads {
  readonly #turns = new Turns(new Budget('large file reads', LARGE_READS));

  /** Runs a possibly large read in the turn of its token. */
  inTurn<T>(taker: Taker, work: () => Promise<T>): Promise<T> {
    return this.#turns.inTurn(taker, work);
  }

  /** Reads a file into a reply, a large one in its turn; refuses one larger than `limitBytes`. */
  async read(
    taker: Taker,
    { path, limitBytes, refuseOpened }: { path: string; limitBytes: number; refuseOpened: RefuseOpened },
  ): Promise<JsonText> {
    const handle = await openFile(path, refuseOpened);
    try {
      const size = await sizeOf(handle, limitBytes, path);
      const parts: Buffer[] = [];
      // A file of the system may be large although it reports a size of 0.
      const isSmall = size < SLICE_BYTES && (await readOn(handle, parts, Math.min(SLICE_BYTES, limitBytes)));
      const reply = async () => readReply(await readAll(handle, limitBytes, path, parts));
      if (isSmall) return await reply();
      return await this.inTurn(taker, async () => {
        const direct = parts.length > 0 ? null : await replyOfFile(handle, size);
        return direct ?? reply();
      });
    } finally {
      await handle.close();
    }
  }
}
