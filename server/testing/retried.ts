// Repeats requests on a connection that is cut repeatedly, until there is an answer.
import { ConnectionLost, NotOnline, type Connection } from '../../client/exec-client.ts';

/** Runs `work`, and repeats it after each lost connection, so `work` must be safe to run several times. */
export async function retried<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  for (;;) {
    await online(connection);
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ConnectionLost || error instanceof NotOnline)) throw error;
    }
  }
}

async function online(connection: Connection): Promise<void> {
  if (connection.state.kind === 'online') return;
  await new Promise<void>((resolve) => {
    const undo = connection.onState(({ kind }) => {
      if (kind !== 'online') return;
      undo();
      resolve();
    });
  });
}
