// Implements process/read, which returns the output after a seq and may wait for it, and process/wait, which waits for
// the exit or for the end of all output.
import type { ReadByKeyResult, TimedOutputChunk, WaitResult } from '../../protocol/console.ts';
import { JsonText } from '../../protocol/json-text.ts';
import type { ReadResult } from '../../protocol/process.ts';
import { LONGEST_TIMER_MS } from '../../protocol/scalars.ts';
import type { OutputEvent } from './log-event.ts';
import type { ProcessView } from './process-view.ts';

export interface ReadRequest {
  readonly afterSeq?: number | null | undefined;
  readonly maxBytes?: number | null | undefined;
  readonly waitMs?: number | null | undefined;
}

/** A caller that may wait for events; its end also ends all its waits. */
export interface Waiter {
  readonly isEnding: boolean;
  /** Calls `listener` when the caller ends. Returns a function that unsubscribes. */
  onEnding(listener: () => void): () => void;
}

/** Closing JSON of a chunk, and of the whole ReadResult. */
const CHUNK_END = '"}';
const END = ']}';

interface Page {
  readonly chunks: OutputEvent[];
  /** Offset of the first returned chunk, or of the end of the log when there is none. */
  readonly offset: number;
  readonly firstSeq: number;
  readonly more: boolean;
}

/**
 * Reads like the reference implementation: with `maxBytes`, `nextSeq` is one above the seq of the last returned chunk,
 * if there is one, even when only the exit and the end follow that chunk.
 */
export function read(process: ProcessView, request: ReadRequest): { nextSeq: number; result: JsonText } {
  const { chunks } = readPage(process, request);
  const last = chunks.at(-1);
  const isPaging = typeof request.maxBytes === 'number' && last !== undefined;
  const nextSeq = isPaging ? last.seq + 1 : process.log.nextSeq;
  return { nextSeq, result: asText({ ...readState(process), nextSeq }, chunks) };
}

/**
 * Returns a ReadResult in ASCII. Chunks are encoded one at a time, since a mebibyte of base64 at once would burden the
 * garbage collector.
 */
function asText(others: Omit<ReadResult, 'chunks'>, chunks: readonly OutputEvent[]): JsonText {
  const head = `${JSON.stringify(others).slice(0, -1)},"chunks":[`;
  const parts = chunks.map(({ seq, stream, bytes }, index) => {
    const begin = `${index === 0 ? '' : ','}{"seq":${seq},"stream":"${stream}","chunk":"`;
    return { begin, bytes, length: begin.length + base64Length(bytes.length) + CHUNK_END.length };
  });
  const length = parts.reduce((sum, part) => sum + part.length, head.length + END.length);
  return new JsonText(length, ({ buffer, byteOffset }, start) => {
    const message = Buffer.from(buffer, byteOffset + start, length);
    let at = 0;
    const write = (text: string): number => (at += message.write(text, at, 'latin1'));
    write(head);
    for (const { begin, bytes } of parts) {
      write(begin);
      write(bytes.toString('base64'));
      write(CHUNK_END);
    }
    write(END);
  });
}

const base64Length = (bytes: number): number => Math.ceil(bytes / 3) * 4;

/**
 * Reads with the console's extensions: chunks are as `seen` returns them, `nextSeq` is the log's own once no output is
 * left, and skipped bytes are counted.
 */
export function readByKey(
  process: ProcessView,
  request: ReadRequest,
  seen: (chunk: OutputEvent) => OutputEvent,
): ReadByKeyResult {
  const page = readPage(process, request);
  const last = page.chunks.at(-1);
  const { log } = process;
  return {
    ...readState(process),
    chunks: page.chunks.map((event): TimedOutputChunk => {
      const { seq, stream, bytes, atMs } = seen(event);
      return { seq, stream, chunk: bytes.toString('base64'), atMs };
    }),
    nextSeq: page.more && last ? last.seq + 1 : log.nextSeq,
    missedBytes: page.offset - log.offsetAfter(request.afterSeq ?? 0),
    exitedSeq: log.exitedSeq,
    closedSeq: log.closedSeq,
    sizes: log.sizesFrom(page.firstSeq),
  };
}

/** Returns the members of a ReadResult that describe the process as a whole. */
export function readState(process: ProcessView): Omit<ReadResult, 'chunks' | 'nextSeq'> {
  return {
    exited: process.exit !== null,
    exitCode: process.exit?.code ?? null,
    closed: process.log.closedSeq !== null,
    failure: null,
    sandboxDenied: process.sandboxDenied,
  };
}

function readPage({ log }: ProcessView, { afterSeq, maxBytes }: ReadRequest): Page {
  log.seal();
  const chunks: OutputEvent[] = [];
  const limit = maxBytes ?? Number.POSITIVE_INFINITY;
  let bytes = 0;
  let firstSeq = log.nextSeq;
  let offset = log.sealedBytes;
  for (let seq = (afterSeq ?? 0) + 1; seq < log.nextSeq; seq += 1) {
    const retained = log.nextRetained(seq);
    // A page ends before lost output, so that its first chunk comes after everything that is missing.
    if (retained > seq && chunks.length > 0) return { chunks, offset, firstSeq, more: true };
    seq = retained;
    const event = log.at(seq);
    if (event?.kind !== 'output') continue;
    bytes += event.bytes.length;
    if (chunks.length > 0 && bytes > limit) return { chunks, offset, firstSeq, more: true };
    if (chunks.length === 0) ({ seq: firstSeq, offset } = event);
    chunks.push(event);
  }
  return { chunks, offset, firstSeq, more: false };
}

const hasNews = (process: ProcessView, afterSeq: number): boolean => {
  process.log.seal();
  return process.log.nextSeq > afterSeq + 1 || process.log.closedSeq !== null;
};

/**
 * Returns the result of `answer`, which is called once there is an event after `afterSeq`, the process is closed,
 * `waitMs` (default 0) have passed or the waiter ends.
 */
export function whenNews<T>(
  process: ProcessView,
  { afterSeq, waitMs }: ReadRequest,
  waiter: Waiter,
  answer: () => T,
): T | Promise<T> {
  const after = afterSeq ?? 0;
  const isDue = (): boolean => hasNews(process, after);
  return waitMs && !isDue() ? until(process, isDue, waitMs, waiter).then(answer) : answer();
}

/**
 * Waits for the exit, or for the process to be closed, until `waitMs` have passed or the waiter ends; returns the state
 * then.
 */
export async function waitForEnd(
  process: ProcessView,
  end: 'exited' | 'closed',
  waitMs: number,
  waiter: Waiter,
): Promise<WaitResult> {
  const isOver = (): boolean => (end === 'exited' ? process.exit !== null : process.log.closedSeq !== null);
  await until(process, isOver, waitMs, waiter);
  const { exited, exitCode, closed } = readState(process);
  return { exited, exitCode, closed };
}

async function until(
  process: ProcessView,
  done: () => boolean,
  waitMs: number,
  waiter: Waiter,
): Promise<void> {
  if (done() || waitMs <= 0 || waiter.isEnding) return;
  await new Promise<void>((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      unsubscribe();
      stopEnding();
      resolve();
    };
    const timer = setTimeout(finish, Math.min(waitMs, LONGEST_TIMER_MS));
    const unsubscribe = process.log.onChange(() => {
      if (done()) finish();
    });
    const stopEnding = waiter.onEnding(finish);
  });
}
