// One peer over one channel: reads messages in order, dispatches requests, sends replies and notifications.
import { CloseCode } from '../../protocol/console-constants.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { ErrorCode, parseMessage, type RequestId } from '../../protocol/jsonrpc.ts';
import type { NotificationMethod, Notifications } from '../../protocol/methods.ts';
import { numberText } from '../../text/amounts.ts';
import type { Backlog } from './backlog.ts';
import type { Channel } from './channel.ts';
import { ProtocolViolation, RpcError } from './rpc-error.ts';

/**
 * Handler of requests. A request takes effect before `request` returns, and a promise only delays the reply,
 * unless the request is parked (PK1).
 */
export interface Answerer {
  request(method: string, params: unknown): unknown;
  /** Throws ProtocolViolation for a notification that no peer may send. */
  notification(method: string, params: unknown): void;
  /** Called for a malformed message; throws ProtocolViolation if that ends the connection. */
  malformed(reason: string): void;
  closed(): void;
}

export interface ConnectionLimits {
  readonly messageValues: number;
  readonly messageMembers: number;
  readonly pendingRequests: number;
  readonly pendingBytes: number;
  readonly socketLimitBytes: number;
  readonly lastRepliesMs: number;
}

export type Outcome = 'ok' | 'error';

/**
 * Called once for each handled request, with its duration, including any wait that the request asked for. A request
 * that exceeds a limit on pending ones is not handled, since its connection is closed.
 */
export type Answered = (method: string, outcome: Outcome, ms: number) => void;

/** Called with an error that the answerer did not intend for the peer, which is a defect of the gateway. */
export type ReportDefect = (method: string, error: unknown) => void;

export class Connection {
  readonly channel: Channel;
  #answerer: Answerer | null = null;
  #answered: Answered = () => {};
  readonly #limits: ConnectionLimits;
  readonly #reportDefect: ReportDefect;
  readonly #backlog: Backlog;
  #pending = 0;
  #pendingBytes = 0;
  #open = true;
  /** Timeout of the last replies; null while the peer still sends. */
  #lastReplies: NodeJS.Timeout | null = null;
  #isEnding = false;
  /** Listeners are used instead of an AbortSignal, whose first use would delay resuming a session by 0.5 ms. */
  readonly #endingListeners = new Set<() => void>();
  #closedFor: { readonly code: number; readonly reason: string } | null = null;
  readonly #drainListeners = new Set<() => void>();

  constructor(channel: Channel, limits: ConnectionLimits, backlog: Backlog, reportDefect: ReportDefect) {
    this.channel = channel;
    this.#limits = limits;
    this.#backlog = backlog;
    this.#reportDefect = reportDefect;
    backlog.add(this);
  }

  /** Starts reading messages, which `answerer` handles. */
  serve(answerer: Answerer, answered: Answered = () => {}): void {
    this.#answerer = answerer;
    this.#answered = answered;
    this.channel.listen({
      onMessage: (text) => this.#receive(text),
      onMalformed: (reason) => {
        if (this.#open) this.#malformed(reason);
      },
      onArriving: () => {
        if (this.#open) this.#backlog.grown(this);
      },
      onEnd: () => this.#end(),
      onDrain: () => {
        for (const listener of this.#drainListeners) listener();
      },
      onClose: () => this.#closed(),
    });
  }

  /** True when no more requests can arrive, or the connection is closed. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /**
   * Calls `listener` once, when the connection begins to end, so that waits on the peer's behalf stop; never if it
   * `isEnding` already. Returns a function that removes the listener.
   */
  onEnding(listener: () => void): () => void {
    this.#endingListeners.add(listener);
    return () => this.#endingListeners.delete(listener);
  }

  /** Reason why the gateway closed the connection; null while it is open, and when the peer closed it. */
  get closedFor(): { readonly code: number; readonly reason: string } | null {
    return this.#closedFor;
  }

  /**
   * Approximate bytes in memory: requests that are arriving or in progress, and messages that the kernel has
   * not accepted.
   */
  get backlogBytes(): number {
    return this.channel.arrivingBytes + this.#pendingBytes + this.channel.unsentBytes;
  }

  onDrain(listener: () => void): () => void {
    this.#drainListeners.add(listener);
    return () => this.#drainListeners.delete(listener);
  }

  notify<M extends NotificationMethod>(method: M, params: Notifications[M]): void {
    this.send(JSON.stringify({ method, params }));
  }

  /**
   * Sends one whole message; does nothing once closed. A peer that leaves too many bytes unread is disconnected.
   * `onTaken` is passed to the channel.
   */
  send(message: string | Buffer, onTaken?: () => void): void {
    if (!this.#open) return;
    this.channel.send(message, onTaken);
    const { socketLimitBytes } = this.#limits;
    if (this.channel.unsentBytes > socketLimitBytes)
      this.giveUp(`more than ${numberText(socketLimitBytes)} bytes are waiting to be read`);
    else this.#backlog.grown(this);
  }

  /** Resolves when at most `leftBytes` are unsent, or the connection is ending. */
  taken(leftBytes: number): Promise<void> {
    if (this.channel.unsentBytes <= leftBytes || this.#isEnding) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        if (this.channel.unsentBytes > leftBytes && !this.#isEnding) return;
        stopDrain();
        stopEnding();
        resolve();
      };
      const stopDrain = this.onDrain(done);
      const stopEnding = this.onEnding(done);
    });
  }

  /** Closes a connection that exceeds a limit. */
  giveUp(reason: string): void {
    this.close(CloseCode.flooded, reason);
  }

  /** Closes the connection; messages that still arrive, even during the closing handshake, are ignored. */
  close(code: number, reason: string): void {
    if (this.#open) this.#closedFor = { code, reason };
    this.channel.close(code, reason);
    this.#closed();
  }

  /**
   * Handles the end of input: waits stop, pending requests are answered, and the connection is closed, after
   * `lastRepliesMs` at the latest.
   */
  #end(): void {
    if (!this.#open || this.#lastReplies) return;
    this.#lastReplies = setTimeout(() => this.#endNow(), this.#limits.lastRepliesMs);
    this.#notifyEnding();
    if (this.#pending === 0) this.#endNow();
  }

  #endNow(): void {
    this.close(CloseCode.normal, 'the input has ended');
  }

  #closed(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#backlog.remove(this);
    if (this.#lastReplies) clearTimeout(this.#lastReplies);
    this.#drainListeners.clear();
    this.#notifyEnding();
    this.#answerer?.closed();
  }

  #notifyEnding(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    for (const listener of this.#endingListeners) listener();
    this.#endingListeners.clear();
  }

  #receive(text: string): void {
    if (!this.#open) return;
    const message = parseMessage(text, {
      values: this.#limits.messageValues,
      members: this.#limits.messageMembers,
    });
    switch (message.kind) {
      case 'request':
        this.#request(message.id, message.method, message.params, text.length);
        return;
      case 'notification':
        this.#notification(message.method, message.params);
        return;
      case 'malformed':
        this.#malformed(message.reason);
        return;
      case 'result':
      case 'error':
        this.close(CloseCode.policyViolation, 'the message is a reply, but the gateway sends no requests');
    }
  }

  #request(id: RequestId, method: string, params: unknown, bytes: number): void {
    const { pendingRequests, pendingBytes } = this.#limits;
    if (this.#pending >= pendingRequests) {
      this.giveUp(`more than ${numberText(pendingRequests)} requests at once`);
      return;
    }
    if (this.#pendingBytes + bytes > pendingBytes) {
      this.giveUp(`more than ${numberText(pendingBytes)} bytes of requests at once`);
      return;
    }
    const startedAtMs = performance.now();
    try {
      const result = this.#answerer?.request(method, params);
      if (!(result instanceof Promise)) {
        this.#answered(method, this.#reply(id, method, result), performance.now() - startedAtMs);
        return;
      }
      this.#pending += 1;
      this.#pendingBytes += bytes;
      this.#backlog.grown(this);
      result
        .then(
          (value) => {
            this.#answered(method, this.#reply(id, method, value), performance.now() - startedAtMs);
          },
          (error: unknown) => {
            this.#answered(method, 'error', performance.now() - startedAtMs);
            this.#refuse(id, method, error);
          },
        )
        .finally(() => {
          this.#pending -= 1;
          this.#pendingBytes -= bytes;
          if (this.#lastReplies && this.#open && this.#pending === 0) this.#endNow();
        });
    } catch (error) {
      this.#answered(method, 'error', performance.now() - startedAtMs);
      this.#refuse(id, method, error);
    }
  }

  #notification(method: string, params: unknown): void {
    try {
      this.#answerer?.notification(method, params);
    } catch (error) {
      this.#violated(method, error);
    }
  }

  #malformed(reason: string): void {
    try {
      this.#answerer?.malformed(reason);
    } catch (error) {
      this.#violated('handling a malformed message', error);
      return;
    }
    this.#fail(-1, ErrorCode.invalidRequest, `malformed message: ${reason}`);
  }

  #violated(what: string, error: unknown): void {
    if (!(error instanceof ProtocolViolation)) this.#reportDefect(what, error);
    this.close(CloseCode.policyViolation, error instanceof Error ? error.message : 'protocol violation');
  }

  /** Sends the result; `error` is returned when it cannot be sent, and the peer gets an error. */
  #reply(id: RequestId, method: string, result: unknown): Outcome {
    let message: string | Buffer;
    try {
      message =
        result instanceof JsonText
          ? messageOf(`{"id":${JSON.stringify(id)},"result":`, result, '}')
          : JSON.stringify({ id, result: result ?? {} });
    } catch (error) {
      // The result as text would exceed the maximum length of a string.
      this.#refuse(id, method, error);
      return 'error';
    }
    this.send(message);
    return 'ok';
  }

  #refuse(id: RequestId, method: string, error: unknown): void {
    if (error instanceof RpcError) {
      this.#fail(id, error.code, error.message);
      return;
    }
    this.#reportDefect(method, error);
    this.#fail(id, ErrorCode.internal, `${method} failed inside the gateway`);
  }

  #fail(id: RequestId, code: number, message: string): void {
    this.send(JSON.stringify({ id, error: { code, message } }));
  }
}

function messageOf(before: string, result: JsonText, after: string): Buffer {
  const at = Buffer.byteLength(before);
  const placed = placedMessage(before, result, after);
  if (placed) return placed;
  const message = Buffer.allocUnsafe(at + result.bytes + Buffer.byteLength(after));
  message.write(before);
  result.write(message, at);
  message.write(after, at + result.bytes);
  return message;
}

/** Writes the message into the free memory around a large text; returns null when there is none or too little. */
function placedMessage(before: string, { roomy, bytes }: JsonText, after: string): Buffer | null {
  if (!roomy) return null;
  const from = roomy.at - Buffer.byteLength(before);
  const end = roomy.at + bytes;
  const to = end + Buffer.byteLength(after);
  if (from < 0 || to > roomy.memory.length) return null;
  const memory = Buffer.from(roomy.memory.buffer, roomy.memory.byteOffset, roomy.memory.length);
  memory.write(before, from);
  memory.write(after, end);
  return memory.subarray(from, to);
}
