// All output of a process that the gateway has, in memory or recorded, page by page; each event appears once.
import type { Stream } from '../../../protocol/process.ts';
import type { Size } from '../../../protocol/scalars.ts';
import type { Connection } from '../../../client/exec-client.ts';
import { readPage } from '../../../client/wire.ts';

/** Decoded bytes per page, which is roughly the amount held in memory. */
const PAGE_BYTES = 256 * 1024;

export type Retained =
  | {
      readonly kind: 'output';
      readonly seq: number;
      readonly stream: Stream;
      readonly bytes: Uint8Array;
      /** Time at which the gateway read the bytes; null when unknown. */
      readonly atMs: number | null;
    }
  /** Bytes that are not retained; the output that follows begins with `nextSeq`. */
  | { readonly kind: 'gap'; readonly bytes: number; readonly nextSeq: number }
  /** Terminal size of the output that follows; may equal the previous size. */
  | { readonly kind: 'resized'; readonly size: Size; readonly afterSeq: number }
  /**
   * A screen that restores the state after all earlier output when written to a fresh terminal of this size; see
   * `withScreens`.
   */
  | {
      readonly kind: 'screen';
      readonly seq: number;
      readonly size: Size;
      readonly data: Uint8Array;
      readonly isExact: boolean;
    };

/** Event that is not in the file, but in which a secret that continues in the file may begin. */
export interface Earlier {
  readonly kind: 'earlier';
  readonly event: Retained;
}

export async function* inFile(
  pages: AsyncIterable<readonly (Retained | Earlier)[]>,
): AsyncGenerator<readonly Retained[]> {
  for await (const page of pages) yield page.filter((event) => event.kind !== 'earlier');
}

/**
 * Yields the output after an event, page by page, up to the end at the time of the call, so that reading finishes even
 * if the process keeps printing.
 */
export async function* retainedOutput(
  connection: Pick<Connection, 'request'>,
  key: string,
  afterSeq = 0,
): AsyncGenerator<readonly Retained[]> {
  // Reading after the highest possible seq returns no output, only the current end.
  const end = await readAfter(connection, key, Number.MAX_SAFE_INTEGER - 1);
  let readSeq = afterSeq;
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
  const page = readPage(
    await connection.request('process/read', { key, afterSeq, maxBytes: PAGE_BYTES, recorded: true }),
  );
  if (!page) throw new Error('the gateway sent a malformed response');
  return page;
}
