// A test's client over a WebSocket, with access to the socket.
import { WebSocket } from 'ws';
import { WireClient } from './wire-client.ts';

export class TestClient extends WireClient {
  readonly ws: WebSocket;

  private constructor(ws: WebSocket) {
    super({
      send: (message) => ws.send(message, { binary: false }),
      pause: () => ws.pause(),
      resume: () => ws.resume(),
      cut: () => ws.terminate(),
      listen: ({ onMessage, onClose }) => {
        ws.on('message', (data: Buffer) => onMessage(data.toString()));
        ws.on('error', () => {});
        ws.on('close', (code, reason) => onClose(code, reason.toString()));
      },
    });
    this.ws = ws;
  }

  /** Opens a connection with these `protocols` and `headers`; a `token` is sent as a bearer token. */
  static async open(
    url: string,
    options: {
      token?: string;
      protocols?: string[];
      headers?: Record<string, string>;
      ca?: string;
      autoPong?: boolean;
    } = {},
  ) {
    const headers = {
      ...(options.token && { authorization: `Bearer ${options.token}` }),
      ...options.headers,
    };
    const ws = new WebSocket(url, options.protocols ?? [], {
      headers,
      ca: options.ca,
      perMessageDeflate: false,
      autoPong: options.autoPong ?? true,
    });
    const client = new TestClient(ws);
    await new Promise<void>((resolve, reject) => {
      ws.once('open', resolve);
      ws.once('error', reject);
    });
    return client;
  }
}
