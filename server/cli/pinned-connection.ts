// A TLS connection to the gateway whose certificate is known beforehand, for requests and sockets alike.
import { connect, type TLSSocket } from 'node:tls';

interface Target {
  readonly host?: string | null | undefined;
  readonly port?: number | string | null | undefined;
}

type Done = (error: Error | null, socket: TLSSocket) => void;

/**
 * Fit to be the `createConnection` of a request: nothing is said before the certificate has been looked at. It is
 * the one that the gateway has left the print of in its own state folder, so who has signed it makes no difference.
 */
export const pinnedTo =
  (fingerprint: string) =>
  ({ host, port }: Target, done: Done): undefined => {
    const address = (host ?? '').replace(/^\[|\]$/g, '');
    const socket = connect({ host: address, port: Number(port), rejectUnauthorized: false });
    const fail = (error: Error): void => done(error, socket);
    socket.once('error', fail);
    socket.once('secureConnect', () => {
      socket.off('error', fail);
      if (socket.getPeerX509Certificate()?.fingerprint256 === fingerprint) done(null, socket);
      else
        done(
          Object.assign(new Error('another certificate'), { code: 'another certificate' }),
          socket.destroy(),
        );
    });
  };
