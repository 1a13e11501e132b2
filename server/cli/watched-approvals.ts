// Watches agents' requests that wait for approval, across lost connections.
import { ConnectionLost, NotOnline } from '../../client/exec-client.ts';
import type { Approval } from '../../protocol/approvals.ts';
import { listenToCuts, type Gateway } from './connect.ts';
import { onEndingSignal } from './ending-signals.ts';
import { ExitCode, SIGNAL_CODES } from './exit-codes.ts';
import { printNote } from './notes.ts';

/** Number of ended requests that are remembered, so that none is printed twice. */
const ENDED_REMEMBERED = 1000;

/**
 * Prints waiting requests when they are new or have changed, and each outcome once. Resolves with the exit code after
 * a signal, or when `printed` resolves with false because stdout is closed; rejects when fetching or printing fails, or
 * when the connection is not restored.
 */
export function watchApprovals(
  gateway: Gateway,
  printed: (approval: Approval) => Promise<boolean>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const waiting = new Map<string, string>();
    const ended = new Set<string>();
    const each = (approval: Approval): void => {
      const { id, state, reason, hasGoneOn } = approval;
      const news = `${reason} ${hasGoneOn}`;
      if (ended.has(id) || (state === 'waiting' && waiting.get(id) === news)) return;
      if (state === 'waiting') waiting.set(id, news);
      else {
        waiting.delete(id);
        ended.add(id);
        const [oldest = ''] = ended;
        if (ended.size > ENDED_REMEMBERED) ended.delete(oldest);
      }
      printed(approval).then((isRead) => {
        if (!isRead) end(ExitCode.brokenPipe);
      }, failed);
    };
    const { processes, connection } = gateway.client;
    const off = processes.onChanged(({ approvals = [] }) => approvals.forEach(each));
    const fetched = async (): Promise<void> => {
      const { approvals } = await connection.request('console/approvals', {});
      approvals.forEach(each);
      const ids = new Set(approvals.map(({ id }) => id));
      // The gateway reports each end only once, so the ends that happened while disconnected are fetched.
      for (const id of [...waiting.keys()].filter((known) => !ids.has(known))) {
        const { approvals: over } = await connection.request('console/approvals', { id });
        over.forEach(each);
        if (over.length === 0) waiting.delete(id);
      }
    };
    const look = (): void => {
      fetched().catch((error: unknown) => {
        // Losing the connection is no failure, since the requests are fetched again when it is restored.
        if (!(error instanceof ConnectionLost || error instanceof NotOnline)) failed(error);
      });
    };
    const stop = (): void => {
      off();
      offCuts();
      stopListening();
    };
    const end = (code: number): void => {
      stop();
      resolve(code);
    };
    const failed = (error: unknown): void => {
      stop();
      reject(error);
    };
    const stopListening = onEndingSignal((signal) => end(SIGNAL_CODES[signal]));
    const offCuts = listenToCuts(gateway, {
      lost: (reason) => printNote(`the connection was lost (${reason}); reconnecting`),
      back: () => {
        printNote('reconnected');
        look();
      },
      givenUp: failed,
    });
    look();
  });
}
