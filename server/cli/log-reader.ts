// Reads a process's log from its first recorded or retained event on, page by page, across reconnects.
import { RequestError } from '../../client/exec-client.ts';
import { ErrorCode } from '../../protocol/jsonrpc.ts';
import type { Requests } from '../../protocol/methods.ts';
import { readPage, type Page } from '../../client/wire.ts';
import { NO_LONGER_EXISTS } from '../../text/error-text.ts';
import { retryAfterLoss, type Gateway } from './connect.ts';
import { CommandFailed, ExitCode } from './exit-codes.ts';

/** Maximum size of a page, in decoded bytes. */
const PAGE_BYTES = 256 * 1024;
/** Maximum time that the gateway waits for events before it returns an empty page. */
const WAIT_MS = 30_000;
/** A seq beyond every log; reading after it returns only the end of the log. */
const AFTER_ALL = Number.MAX_SAFE_INTEGER;

/** One event of the log, as `--json` prints it; `chunk` is base64. */
export type LogLine =
  | { event: 'output'; seq: number; stream: string; chunk: string; atMs?: number }
  | { event: 'gap'; afterSeq: number; nextSeq: number; bytes: number }
  | { event: 'resized'; afterSeq: number; rows: number; cols: number }
  | { event: 'exited'; seq: number; exitCode: number; sandboxDenied: boolean }
  | { event: 'closed'; seq: number };

export interface LogReaderOptions {
  readonly key: string;
  /** True when the reader waits for further events. */
  readonly follows: boolean;
}

/** Yields each event once, in order. Throws CommandFailed if a page is malformed or the connection is not restored. */
export async function* readLog(
  gateway: Gateway,
  { key, follows }: LogReaderOptions,
): AsyncGenerator<LogLine> {
  // Reading without `follows` stops at the current end of the log, since a process may print faster than pages
  // arrive. Pages with `maxBytes` do not show that end, so a page without it is requested first.
  const endSeq = follows ? Infinity : (await pageOf(gateway, { key, afterSeq: AFTER_ALL })).nextSeq;
  let afterSeq = 0;
  let size: string | null = null;
  for (;;) {
    const waitMs = follows ? WAIT_MS : 0;
    const page = await pageOf(gateway, { key, afterSeq, maxBytes: PAGE_BYTES, waitMs });
    for (const line of linesOf(page, afterSeq)) {
      if (line.event === 'resized') {
        // Each page repeats the terminal's size at its beginning, so only a new size is an event.
        const next = `${line.rows}x${line.cols}`;
        if (next === size) continue;
        size = next;
      }
      yield line;
      if (line.event === 'closed') return;
    }
    if (page.nextSeq >= endSeq) return;
    afterSeq = page.nextSeq - 1;
  }
}

/** Returns the events of a page in order; when output is missing, a gap comes first. */
export function linesOf({ chunks, ends, missedBytes, sizes, nextSeq }: Page, afterSeq: number): LogLine[] {
  const firstSeq = chunks[0]?.seq ?? nextSeq;
  const isNew = ({ seq }: { readonly seq: number }): boolean => seq > afterSeq && seq < nextSeq;
  const placed: { readonly at: number; readonly line: LogLine }[] = [
    ...chunks.map(({ seq, stream, bytes, atMs }) => ({
      at: seq,
      line: {
        event: 'output' as const,
        seq,
        stream,
        chunk: Buffer.from(bytes).toString('base64'),
        ...(atMs !== undefined && { atMs }),
      },
    })),
    ...ends.filter(isNew).map((end) => ({ at: end.seq, line: endLine(end) })),
    ...sizes.map((mark) => ({ at: mark.afterSeq + 0.5, line: { event: 'resized' as const, ...mark } })),
  ];
  const gap: LogLine[] =
    missedBytes > 0 ? [{ event: 'gap', afterSeq, nextSeq: firstSeq, bytes: missedBytes }] : [];
  return [...gap, ...placed.toSorted((one, other) => one.at - other.at).map(({ line }) => line)];
}

function endLine(end: Page['ends'][number]): LogLine {
  const { seq } = end;
  return end.kind === 'closed'
    ? { event: 'closed', seq }
    : { event: 'exited', seq, exitCode: end.exitCode, sandboxDenied: end.sandboxDenied };
}

/** Throws the error; for a process that existed when its name was looked up, with the possible reasons. */
function explain(error: unknown, key: string): never {
  if (!(error instanceof RequestError) || error.code !== ErrorCode.unknownKey) throw error;
  throw new CommandFailed(ExitCode.notFound, `process ${key} ${NO_LONGER_EXISTS}`);
}

type ReadParams = Extract<Requests['process/read']['params'], { key: string }>;

async function pageOf(gateway: Gateway, params: ReadParams): Promise<Page> {
  const { connection } = gateway.client;
  const reading = retryAfterLoss(gateway, () =>
    connection.request('process/read', { ...params, recorded: true }),
  );
  const page = readPage(await reading.catch((error: unknown) => explain(error, params.key)));
  if (page) return page;
  throw new CommandFailed(
    ExitCode.failed,
    'the gateway sent a malformed page of output; check that the command and the gateway have the same version',
  );
}
