// Opens TLS connections to the gateway that accept only a known certificate, for requests and WebSockets.
import { connect, type TLSSocket } from 'node:tls';

interface Target {
  readonly host?: string | null | undefined;
  readonly port?: number | string | null | undefined;
}

type Done = (error: Error | null, socket: TLSSocket) => void;

/**
 * Returns the `createConnection` of a request, which checks the certificate before any data is sent. The gateway
 * stores the certificate's fingerprint in its state folder, so the issuer does not matter.
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
          Object.assign(new Error('unexpected certificate'), { code: 'unexpected certificate' }),
          socket.destroy(),
        );
    });
  };
