// What `process/read` by processId says of events that were missed: any exec-server's answer, read with care.
import type { LogEvent, OrderedEvents } from './ordered-events.ts';
import { readChunks } from './wire.ts';

export interface OwnPage {
  readonly chunks: readonly (LogEvent & { readonly kind: 'output' })[];
  readonly nextSeq: number;
  readonly exit: { readonly exitCode: number; readonly sandboxDenied: boolean } | null;
  readonly isClosed: boolean;
}

/** Null for what is no such answer. */
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
 * The page's events with their seqs. It says that there is an exit once that has its seq, and not where it stands: exit
 * and close have seqs too, the close has the last one, and the one number that is missing between retained chunks is the
 * exit's. What is missing before the first of them has been forgotten.
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
      : // How many bytes were in it nobody tells; it is more than none.
        [{ kind: 'gap', afterSeq: firstMissing - 1, nextSeq: lastMissing + 1, bytes: 1 }];
  return [...gap, ...[...known.values()].toSorted((a, b) => seqOf(a) - seqOf(b))];
}

const seqOf = (event: LogEvent): number => ('seq' in event ? event.seq : event.afterSeq);
