// Screens in place of a terminal's evicted output: a gap is followed by a screen, and then by the output that the
// screen does not contain.
import { fromBase64 } from '../../../client/bytes.ts';
import { RequestError, type Connection } from '../../../client/exec-client.ts';
import type { Earlier, Retained } from './retained-output.ts';

/** Scrollback lines requested in a snapshot of the current screen. */
const SCROLLBACK_LINES = 1000;

type RetainedScreen = Extract<Retained, { kind: 'screen' }>;

/** Inserts the screen after each gap, if available; output that the screen already contains is not in the file. */
export async function* withScreens(
  connection: Pick<Connection, 'request'>,
  key: string,
  pages: AsyncIterable<readonly Retained[]>,
): AsyncGenerator<readonly (Retained | Earlier)[]> {
  let drawnSeq = 0;
  for await (const page of pages) {
    const events: (Retained | Earlier)[] = [];
    for (const event of page) {
      if (isBefore(event, drawnSeq)) continue;
      if (event.kind === 'output' && event.seq <= drawnSeq) {
        events.push({ kind: 'earlier', event });
        continue;
      }
      events.push(event);
      if (event.kind !== 'gap') continue;
      const screen = await screenAfter(connection, key, event.nextSeq - 1);
      if (!screen) continue;
      drawnSeq = screen.seq;
      events.push(screen);
    }
    yield events;
  }
}

const isBefore = (event: Retained, seq: number): boolean => event.kind === 'resized' && event.afterSeq < seq;

/**
 * Returns a snapshot that contains all output up to `neededSeq`, preferably an older one, with all retained output
 * after it; null when not even the current one does, or the gateway has none.
 */
async function screenAfter(
  connection: Pick<Connection, 'request'>,
  key: string,
  neededSeq: number,
): Promise<RetainedScreen | null> {
  for (const scrollback of [{}, { scrollback: SCROLLBACK_LINES }]) {
    try {
      const { seq, rows, cols, data, exact } = await connection.request('process/snapshot', {
        key,
        ...scrollback,
      });
      if (seq >= neededSeq)
        return { kind: 'screen', seq, size: { rows, cols }, data: fromBase64(data), isExact: exact };
    } catch (error) {
      // The gateway has no snapshot, for example because it no longer has the process; only the output is available.
      if (error instanceof RequestError) return null;
      throw error;
    }
  }
  return null;
}
