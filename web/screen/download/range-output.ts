// Output of a process within a time range; that of a terminal follows the screen at the start of the range.
import { fromBase64 } from '../../../client/bytes.ts';
import type { Connection } from '../../../client/exec-client.ts';
import type { ProcessInfo } from '../../../protocol/console.ts';
import type { DownloadKind, DownloadRange } from '../../state/page/masked-store.ts';
import { retainedOutput, type Earlier, type Retained } from './retained-output.ts';

/** Number of events before a range that are searched for the beginning of a secret: at most 8 MiB of output. */
const EARLIER_EVENTS = 128;

interface Wanted {
  readonly info: Pick<ProcessInfo, 'key' | 'tty'>;
  readonly kind: DownloadKind;
  readonly range: DownloadRange;
  readonly secrets: 'masked' | 'shown';
}

export async function* outputWithin(
  connection: Pick<Connection, 'request'>,
  { info: { key, tty }, kind, range: { fromMs, toMs }, secrets }: Wanted,
): AsyncGenerator<readonly (Retained | Earlier)[]> {
  const { seq, rows, cols, data, exact } = await momentBefore(connection, { key, fromMs, secrets });
  // Raw downloads contain only the bytes of the range, and pipe output needs no initial screen.
  if (tty && kind !== 'raw')
    yield [{ kind: 'screen', seq, size: { rows, cols }, data: fromBase64(data), isExact: exact }];
  let atMs = 0;
  for await (const page of retainedOutput(connection, key, Math.max(0, seq - EARLIER_EVENTS))) {
    const events: (Retained | Earlier)[] = [];
    for (const event of page) {
      if (isBefore(event, seq)) {
        events.push({ kind: 'earlier', event });
        continue;
      }
      if (event.kind === 'output') atMs = Math.max(atMs, event.atMs ?? atMs);
      if (atMs > toMs) break;
      if (event.kind !== 'output' || atMs >= fromMs) events.push(event);
    }
    yield events;
    if (atMs > toMs) return;
  }
}

function isBefore(event: Retained, seq: number): boolean {
  if (event.kind === 'resized') return event.afterSeq < seq;
  return (event.kind === 'gap' ? event.nextSeq - 1 : event.seq) <= seq;
}

/** Returns the screen just before a time; repeats the request until the screen is ready. */
async function momentBefore(
  connection: Pick<Connection, 'request'>,
  { key, fromMs, secrets }: { readonly key: string; readonly fromMs: number } & Pick<Wanted, 'secrets'>,
) {
  for (;;) {
    const atMs = Math.max(0, Math.floor(fromMs) - 1);
    const params = { key, atMs, scrollback: 0, masked: secrets === 'masked' };
    const moment = await connection.request('process/moment', params);
    if (moment.isReached) return moment;
  }
}
