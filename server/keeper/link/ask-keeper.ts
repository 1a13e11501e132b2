// Queries and stops a keeper without being its gateway.
import type { Socket } from 'node:net';
import { ToGateway, ToKeeper } from '../wire/frames.ts';
import { Line, parseJson } from '../wire/line.ts';
import type { Status } from '../wire/messages.ts';
import { findKeeper } from './keeper-start.ts';

/** Resolves with the keeper's status, or null when there is no keeper. */
export function askKeeper(stateDir: string): Promise<Status | null> {
  return withKeeper<Status>(stateDir, (line, answered) => {
    line.send(ToKeeper.ask);
    return (type, payload) => {
      if (type !== ToGateway.status) return;
      answered(parseJson(payload) as Status);
      line.abandon();
    };
  });
}

/** Ends a keeper and all its processes. Resolves when the keeper has ended; with false when there was none. */
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

async function withKeeper<T>(stateDir: string, talk: Talk<T>): Promise<T | null> {
  const socket = await findKeeper(stateDir);
  return socket && withSocket(socket, talk);
}

/** Resolves with the answer when the connection has closed. */
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
