// A WebSocket as a Channel: text frames, a size limit, and pings that detect a dead peer.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { CloseCode } from '../../protocol/console-constants.ts';
import type { Channel, ChannelEvents, SocketEnds } from '../rpc/channel.ts';
import { Arriving } from './arriving.ts';
import { InboundTurn } from './inbound-turn.ts';
import { PingWindow, type PingWindowLimits } from './ping-window.ts';

export interface WebSocketLimits extends PingWindowLimits {
  readonly inboundTurnMs: number;
  readonly socketHighWaterBytes: number;
  readonly pingMs: number;
  readonly silentMs: number;
  readonly stalledMs: number;
  readonly messageMs: number;
}

export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  /** The subprotocol to select, if any. */
  readonly subprotocol: string | null;
  /** Address of the client, for the audit log. */
  readonly from: string;
  /** Size, in bytes, at which a message is refused. */
  readonly messageBytes: number;
}

/** Time limit for the peer's reply to a close. */
const CLOSE_MS = 500;

/** Completes upgrades that have been admitted. */
export class WebSocketTransport {
  readonly #limits: WebSocketLimits;
  readonly #channels = new Set<WebSocketChannel>();
  #heartbeat: NodeJS.Timeout | null = null;

  constructor(limits: WebSocketLimits) {
    this.#limits = limits;
  }

  accept(upgrade: Upgrade, accepted: (channel: Channel) => void): void {
    const { request, socket, head, subprotocol, from, messageBytes } = upgrade;
    const server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      // `ws` closes with 1009 above its limit; the reference refuses a message of this size.
      maxPayload: messageBytes - 1,
      handleProtocols: () => subprotocol ?? false,
    });
    server.handleUpgrade(request, socket, head, (ws) => {
      const { remoteAddress = '', remotePort = 0, localAddress = '', localPort = 0 } = request.socket;
      const ends = { own: `${localAddress}:${localPort}`, peer: `${remoteAddress}:${remotePort}` };
      const opened: Opened = { ws, socket, from, ends };
      const channel = new WebSocketChannel(opened, this.#limits, () => this.#forget(channel));
      this.#channels.add(channel);
      this.#heartbeat ??= setInterval(() => {
        for (const each of this.#channels) each.beat();
      }, this.#limits.pingMs);
      accepted(channel);
    });
  }

  /** Waits briefly for closing handshakes in progress, then drops the remaining connections. */
  async close(): Promise<void> {
    const all = [...this.#channels];
    const timer = setTimeout(() => {
      for (const channel of all) channel.drop();
    }, CLOSE_MS);
    await Promise.all(all.map((channel) => channel.gone));
    clearTimeout(timer);
  }

  #forget(channel: WebSocketChannel): void {
    this.#channels.delete(channel);
    if (this.#channels.size > 0 || !this.#heartbeat) return;
    clearInterval(this.#heartbeat);
    this.#heartbeat = null;
  }
}

interface Opened extends Pick<Upgrade, 'socket' | 'from'> {
  readonly ws: WebSocket;
  readonly ends: SocketEnds;
}

class WebSocketChannel implements Channel {
  readonly peer: string;
  readonly ends: SocketEnds;
  readonly #ws: WebSocket;
  readonly #socket: Duplex;
  readonly #limits: WebSocketLimits;
  /** Resolves when the connection is closed. */
  readonly gone: Promise<void>;
  #heardAtMs = performance.now();
  /** Heartbeats since `#heardAtMs`. */
  #silentBeats = 0;
  #onClose: () => void;
  readonly #inbound: InboundTurn;
  readonly window: PingWindow;
  #onOpen: () => void = () => {};
  readonly #arriving = new Arriving();
  /** Timer that drops a peer with many unread bytes if it does not receive the close in time. */
  #closing: NodeJS.Timeout | null = null;

  constructor({ ws, socket, from, ends }: Opened, limits: WebSocketLimits, onClose: () => void) {
    this.#ws = ws;
    this.#socket = socket;
    this.#limits = limits;
    this.#onClose = onClose;
    this.peer = from;
    this.ends = ends;
    // An 'error' is always followed by 'close', where it is handled; without a listener it would crash the gateway.
    ws.on('error', () => {});
    this.#inbound = new InboundTurn(limits.inboundTurnMs, {
      hold: () => ws.pause(),
      goOn: () => ws.resume(),
      batch: (work) => this.batch(work),
    });
    this.window = new PingWindow(limits, {
      onPing: (payload) => ws.ping(payload),
      onOpen: () => this.#onOpen(),
    });
    this.gone = new Promise((resolve) => {
      ws.on('close', () => {
        if (this.#closing) clearTimeout(this.#closing);
        // Messages that the peer sent before it closed are still processed.
        this.#inbound.end();
        this.window.close();
        this.#onClose();
        resolve();
      });
    });
    ws.on('ping', (data: Buffer) => this.#arriving.control(data.length));
    ws.on('pong', (data: Buffer) => {
      this.#arriving.control(data.length);
      if (ws.readyState === ws.OPEN) this.window.answered(data);
    });
  }

  get unsentBytes(): number {
    return this.#ws.bufferedAmount;
  }

  get arrivingBytes(): number {
    return this.#arriving.bytes;
  }

  listen(events: ChannelEvents): void {
    // Any byte counts as a sign of life, not only a complete message, since a large one may take long to arrive.
    this.#socket.prependListener('data', (chunk: Buffer) => {
      this.#heardAtMs = performance.now();
      this.#silentBeats = 0;
      this.#arriving.received(chunk.length, this.#heardAtMs);
      // All replies to these bytes are sent in one piece.
      this.#socket.cork();
    });
    // This listener runs after `ws` has processed the same bytes and emitted the messages that they complete.
    this.#socket.on('data', () => {
      this.#socket.uncork();
      if (this.#arriving.bytes > 0) events.onArriving();
    });
    const receive = (data: Buffer, isBinary: boolean): void => {
      // `ws` itself checks that text frames are UTF-8.
      if (isBinary && !isUtf8(data)) events.onMalformed('a binary frame that is not UTF-8');
      else events.onMessage(data.toString('utf8'));
    };
    this.#ws.on('message', (data: Buffer, isBinary) => {
      this.#arriving.whole();
      if (this.#inbound.hasTime) receive(data, isBinary);
      else this.#inbound.putOff(() => receive(data, isBinary));
    });
    this.#socket.on('drain', () => events.onDrain());
    this.#onOpen = () => events.onDrain();
    const forget = this.#onClose;
    this.#onClose = () => {
      forget();
      events.onClose();
    };
  }

  send(message: string | Buffer, onTaken?: () => void): void {
    if (this.#ws.readyState !== this.#ws.OPEN) return;
    // The callback prevents a failed send from throwing; the close that follows has the reason.
    this.#ws.send(message, { binary: false }, (error) => {
      if (!error) onTaken?.();
    });
    // Counting a string's bytes is affordable: floods are sent as buffers, and creating the string cost more.
    this.window.sent(typeof message === 'string' ? Buffer.byteLength(message) : message.length);
  }

  batch(work: () => void): void {
    this.#socket.cork();
    try {
      work();
    } finally {
      this.#socket.uncork();
    }
  }

  close(code: number, reason: string): void {
    // RFC 6455: a reason has at most 123 bytes.
    this.#ws.close(
      code,
      Buffer.from(reason)
        .subarray(0, 123)
        .toString('utf8')
        .replace(/\uFFFD+$/, ''),
    );
    this.#dropLater();
  }

  #dropLater(): void {
    if (this.#closing || this.unsentBytes <= this.#limits.socketHighWaterBytes) return;
    this.#closing = setTimeout(() => this.drop(), CLOSE_MS);
  }

  drop(): void {
    this.#ws.terminate();
  }

  beat(): void {
    const nowMs = performance.now();
    const { pingMs, stalledMs, silentMs, messageMs } = this.#limits;
    this.#silentBeats += 1;
    // Each heartbeat adds at most `pingMs` of silence, so that time during which the whole gateway was suspended, and
    // read nothing, does not count.
    const silentForMs = Math.min(nowMs - this.#heardAtMs, this.#silentBeats * pingMs);
    const allowedMs = this.unsentBytes > 0 ? stalledMs : silentMs;
    if (silentForMs > allowedMs) this.drop();
    else if (nowMs - (this.#arriving.sinceMs ?? nowMs) > messageMs)
      this.close(CloseCode.flooded, `a message took more than ${messageMs / 1000} s to arrive`);
    else if (this.#ws.readyState === this.#ws.OPEN) this.#ws.ping();
  }
}
