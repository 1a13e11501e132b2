// Screens in place of a terminal's evicted output: the screen which that output had left, before the output that
// follows.
import { fromBase64 } from '../../../client/bytes.ts';
import { RequestError, type Connection } from '../../../client/exec-client.ts';
import type { Retained } from './retained-output.ts';

/** Scrollback lines requested with a snapshot of the current screen. */
const SCROLLBACK_LINES = 1000;

type RetainedScreen = Extract<Retained, { kind: 'screen' }>;

/** Adds the screen after each gap, if there is one, and leaves out the output that this screen already contains. */
export async function* withScreens(
  connection: Pick<Connection, 'request'>,
  key: string,
  pages: AsyncIterable<readonly Retained[]>,
): AsyncGenerator<readonly Retained[]> {
  let drawnSeq = 0;
  for await (const page of pages) {
    const events: Retained[] = [];
    for (const event of page) {
      if (event.kind === 'output' ? event.seq <= drawnSeq : isBefore(event, drawnSeq)) continue;
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
 * Returns the oldest snapshot that contains all output up to `neededSeq`, else the current one; null when there is
 * none.
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
      // The gateway no longer knows the process: only the output is available.
      if (error instanceof RequestError) return null;
      throw error;
    }
  }
  return null;
}
