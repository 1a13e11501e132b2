// All that the gateway retains of a process, read page by page: not only what this page has, and nothing of it twice.
import type { Stream } from '../../../protocol/process.ts';
import type { Size } from '../../../protocol/scalars.ts';
import type { Connection } from '../../../client/exec-client.ts';
import { readPage } from '../../../client/wire.ts';

/** Decoded bytes of one page, and so about what is in memory at a time. */
const PAGE_BYTES = 256 * 1024;

export type Retained =
  | {
      readonly kind: 'output';
      readonly seq: number;
      readonly stream: Stream;
      readonly bytes: Uint8Array;
      /** When the gateway read it; null when nobody has said. */
      readonly atMs: number | null;
    }
  /** Bytes that are not retained any more; what follows begins with this event. */
  | { readonly kind: 'gap'; readonly bytes: number; readonly nextSeq: number }
  /** What follows was printed for a terminal of this size. */
  | { readonly kind: 'resized'; readonly size: Size; readonly afterSeq: number }
  /** Written to a fresh terminal of this size it gives what all before had left; see `withScreens`. */
  | {
      readonly kind: 'screen';
      readonly seq: number;
      readonly size: Size;
      readonly data: Uint8Array;
      readonly isExact: boolean;
    };

/** One page at a time, up to what there is at this moment: of a process that never stops printing, too. */
export async function* retainedOutput(
  connection: Pick<Connection, 'request'>,
  key: string,
): AsyncGenerator<readonly Retained[]> {
  // Nothing comes after so high a seq, but the answer says where the end is.
  const end = await readAfter(connection, key, Number.MAX_SAFE_INTEGER - 1);
  let readSeq = 0;
  while (readSeq + 1 < end.nextSeq) {
    const page = await readAfter(connection, key, readSeq);
    const nextSeq = page.chunks[0]?.seq ?? page.nextSeq;
    const events: Retained[] =
      page.missedBytes > 0 ? [{ kind: 'gap', bytes: page.missedBytes, nextSeq }] : [];
    const sizes = [...page.sizes];
    for (const { seq, stream, bytes, atMs = null } of page.chunks) {
      while (sizes[0] && sizes[0].afterSeq < seq) {
        const { rows, cols, afterSeq } = sizes.shift() ?? sizes[0];
        events.push({ kind: 'resized', size: { rows, cols }, afterSeq });
      }
      if (seq < end.nextSeq) events.push({ kind: 'output', seq, stream, bytes, atMs });
    }
    yield events;
    if (page.chunks.length === 0) return;
    readSeq = page.nextSeq - 1;
  }
}

async function readAfter(connection: Pick<Connection, 'request'>, key: string, afterSeq: number) {
  const page = readPage(await connection.request('process/read', { key, afterSeq, maxBytes: PAGE_BYTES }));
  if (!page) throw new Error('the gateway’s answer makes no sense');
  return page;
}
