// Where the beginning of a terminal's output is not retained: the screen that it had left, before the output that follows.
import { fromBase64 } from '../../../client/bytes.ts';
import { RequestError, type Connection } from '../../../client/exec-client.ts';
import type { Retained } from './retained-output.ts';

/** Lines above a screen of now. */
const SCROLLBACK_LINES = 1000;

type RetainedScreen = Extract<Retained, { kind: 'screen' }>;

/** After each gap its screen, if it can be had, and of the output only what that screen has not. */
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

/** The oldest that has everything up to there, or one of now; null when there is none any more. */
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
      // Its record is gone: output alone must do.
      if (error instanceof RequestError) return null;
      throw error;
    }
  }
  return null;
}
