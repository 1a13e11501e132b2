// A TLS connection to the gateway whose certificate is known in advance, for requests and sockets alike.
import { connect, type TLSSocket } from 'node:tls';

interface Target {
  readonly host?: string | null | undefined;
  readonly port?: number | string | null | undefined;
}

type Done = (error: Error | null, socket: TLSSocket) => void;

/**
 * The `createConnection` of a request: no data is sent before the certificate has been checked. The gateway has
 * stored its fingerprint in its own state folder, so its issuer does not matter.
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
