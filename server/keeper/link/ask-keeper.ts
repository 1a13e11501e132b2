// Queries and stops a keeper without being its gateway.
import type { Socket } from 'node:net';
import { StateFolderRefused } from '../../host/state-folder-refused.ts';
import { ToGateway, ToKeeper } from '../wire/frames.ts';
import { Line, parseJson } from '../wire/line.ts';
import type { Status } from '../wire/messages.ts';
import { lockPath } from '../wire/place.ts';
import { findKeeper } from './keeper-start.ts';

/** Maximum time for an answer: longer than a keeper needs on a busy machine. */
const ANSWER_MS = 20_000;

/**
 * Resolves with the keeper's status; null when there is no keeper, or it closes the connection without an answer.
 * Rejects with a reason for people when it does not answer in time, or belongs to another user.
 */
export async function askKeeper(stateDir: string, answerMs = ANSWER_MS): Promise<Status | null> {
  const socket = await findKeeper(stateDir);
  if (!socket) return null;
  let isSilent = false;
  const timer = setTimeout(() => {
    isSilent = true;
    socket.destroy();
  }, answerMs);
  const status = await withSocket<Status>(socket, (line, answered) => {
    line.send(ToKeeper.ask);
    return (type, payload) => {
      if (type !== ToGateway.status) return;
      answered(parseJson(payload) as Status);
      line.abandon();
    };
  });
  clearTimeout(timer);
  if (!isSilent) return status;
  throw new StateFolderRefused(
    `the keeper of this state folder does not answer; it may be suspended. Resume it with kill -CONT; its PID is in ${lockPath(stateDir)}`,
  );
}

/** Ends a keeper and all its processes. Resolves with true when the keeper has ended, false when there was none. */
export async function stopKeeper(stateDir: string, graceMs: number): Promise<boolean> {
  const socket = await findKeeper(stateDir);
  if (!socket) return false;
  await withSocket<null>(socket, (line) => {
    line.sendJson(ToKeeper.stop, 0, { graceMs });
    return () => {};
  });
  return true;
}

type Talk<T> = (line: Line, answered: (answer: T) => void) => (type: number, payload: Buffer) => void;

/** Resolves with the answer when the connection has closed; null when there was none. */
function withSocket<T>(socket: Socket, talk: Talk<T>): Promise<T | null> {
  return new Promise((resolve) => {
    let answer: T | null = null;
    const line = new Line(socket, {
      onFrame: (type, _process, payload) => listen(type, payload),
      onDrain: () => {},
      onClose: () => resolve(answer),
    });
    const listen = talk(line, (given) => (answer = given));
  });
}
