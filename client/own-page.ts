// Validates a `process/read` reply of any exec-server and reconstructs the process's events from it.
import type { LogEvent, OrderedEvents } from './ordered-events.ts';
import { readChunks } from './wire.ts';

export interface OwnPage {
  readonly chunks: readonly (LogEvent & { readonly kind: 'output' })[];
  readonly nextSeq: number;
  readonly exit: { readonly exitCode: number; readonly sandboxDenied: boolean } | null;
  readonly isClosed: boolean;
}

/** Returns the page; null when `result` is not a valid reply. */
export function readOwnPage(result: unknown): OwnPage | null {
  const { chunks, nextSeq, exited, exitCode, closed, sandboxDenied } = (result ?? {}) as Record<
    string,
    unknown
  >;
  const read = readChunks(chunks);
  if (!read || !Number.isSafeInteger(nextSeq) || typeof exited !== 'boolean' || typeof closed !== 'boolean')
    return null;
  return {
    chunks: read,
    nextSeq: nextSeq as number,
    exit: exited
      ? { exitCode: typeof exitCode === 'number' ? exitCode : 0, sandboxDenied: sandboxDenied === true }
      : null,
    isClosed: closed,
  };
}

/**
 * Returns the events after `lastSeq` with their seqs. The page reports exit and close without theirs: close has the
 * last seq of the page, and exit the highest one that belongs to neither a chunk nor close. All other missing seqs
 * belong to evicted events, which are returned as one gap.
 */
export function missedEvents(page: OwnPage, { lastSeq, hasExited }: OrderedEvents): LogEvent[] {
  const { chunks, nextSeq, exit, isClosed } = page;
  const known = new Map<number, LogEvent>(chunks.map((chunk) => [chunk.seq, chunk]));
  if (isClosed) known.set(nextSeq - 1, { kind: 'closed', seq: nextSeq - 1 });
  const missing: number[] = [];
  for (let seq = lastSeq + 1; seq < nextSeq; seq += 1) if (!known.has(seq)) missing.push(seq);
  const exitSeq = exit && !hasExited ? missing.pop() : undefined;
  if (exit && exitSeq !== undefined) known.set(exitSeq, { kind: 'exited', seq: exitSeq, ...exit });
  const firstMissing = missing[0];
  const lastMissing = missing.at(-1);
  const gap: LogEvent[] =
    firstMissing === undefined || lastMissing === undefined
      ? []
      : // The number of lost bytes is unknown, but not zero.
        [{ kind: 'gap', afterSeq: firstMissing - 1, nextSeq: lastMissing + 1, bytes: 1 }];
  return [...gap, ...[...known.values()].toSorted((a, b) => seqOf(a) - seqOf(b))];
}

const seqOf = (event: LogEvent): number => ('seq' in event ? event.seq : event.afterSeq);
