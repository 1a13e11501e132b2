// One connection at the fake gateway: its session, its attachments with their credit, and its replies.
import type { ConsoleChanged } from '../../protocol/console.ts';
import { ErrorCode } from '../../protocol/jsonrpc.ts';
import { fromBase64, toBase64 } from '../bytes.ts';
import type { FakeGateway, FakeSession } from './fake-gateway.ts';
import type { FakeProcess } from './fake-process.ts';
import { textOf } from './recording-sink.ts';
import type { SocketPair } from './socket-pair.ts';

type Params = Readonly<Record<string, unknown>>;
export type Outcome = { readonly result: unknown } | { readonly code: number; readonly message: string };

interface FakeAttachment {
  readonly process: FakeProcess;
  readonly windowBytes: number;
  /** Seq of the first live event of this attachment. */
  readonly liveFrom: number;
  next: number;
  unacked: { readonly seq: number; readonly bytes: number }[];
  /** Terminal size known to the client, with its position; undefined if there is none. */
  mark: FakeProcess['sizes'][number] | undefined;
}

const environmentInfo = { shell: { name: 'sh', path: '/bin/sh' }, cwd: 'file:///', platformOs: 'linux' };

export class FakePeer {
  readonly label: string;
  readonly #gateway: FakeGateway;
  readonly #socket: SocketPair;
  readonly #attachments = new Map<string, FakeAttachment>();
  #session: FakeSession | null = null;
  #isWatching = false;
  isClosed = false;

  constructor(gateway: FakeGateway, socket: SocketPair, label: string) {
    this.#gateway = gateway;
    this.#socket = socket;
    this.label = label;
  }

  send(message: unknown): void {
    this.#socket.push(JSON.stringify(message));
  }

  report(changed: ConsoleChanged): void {
    if (this.#isWatching && !this.isClosed) this.send({ method: 'console/changed', params: changed });
  }

  liveFrom(key: string): number | undefined {
    return this.#attachments.get(key)?.liveFrom;
  }

  closed(): void {
    this.isClosed = true;
    this.#attachments.clear();
    if (this.#session?.attached === this) this.#session.attached = null;
    for (const process of this.#gateway.processes.values()) {
      if (process.controller === this.label) this.#gateway.setController(process, null);
    }
  }

  handle(method: string, params: Params): Outcome {
    if (this.#gateway.refused.has(method)) return { code: ErrorCode.forbidden, message: 'not this client' };
    const own = this.#gateway.answers.get(method)?.(params, this);
    if (own) return own;
    if (method === 'initialize') return this.#initialize(params['resumeSessionId'] as string | null);
    if (method === 'environment/status') return { result: { status: 'ready' } };
    if (method === 'process/start') return this.#start(params);
    if (method === 'console/watch') {
      this.#isWatching = true;
      const processes = [...this.#gateway.processes.values()].map((process) => process.info());
      const gateway = { status: 'ok', reasons: [] };
      return { result: { gateway, sessions: [], processes, ...this.#gateway.watched() } };
    }
    const process = this.#gateway.processes.get(params['key'] as string);
    if (!process) return { code: ErrorCode.unknownKey, message: `no process ${String(params['key'])}` };
    return { result: this.#onProcess(method, process, params) };
  }

  afterReply(): void {
    for (const { process } of this.#attachments.values()) this.wake(process);
  }

  /** Pushes events later, after the simulated delay, as far as the credit allows. */
  wake(process: FakeProcess): void {
    const { runtime, delayMs } = this.#gateway;
    if (!this.#attachments.has(process.key)) return;
    runtime.after(runtime.pick(0, delayMs), () => this.#push(process.key));
  }

  #initialize(resumeSessionId: string | null): Outcome {
    const { sessions, initializeExtra } = this.#gateway;
    const known = resumeSessionId === null ? null : sessions.get(resumeSessionId);
    if (known === undefined) return { code: ErrorCode.invalidRequest, message: 'unknown session' };
    if (known?.attached) return { code: ErrorCode.stillAttached, message: 'still attached' };
    const session = known ?? { id: `secret ${sessions.size + 1} of ${this.label}`, attached: null };
    session.attached = this;
    sessions.set(session.id, session);
    this.#session = session;
    const console = { version: '0', connection: this.label, session: session.id, role: 'operator' };
    return {
      result: {
        sessionId: session.id,
        environmentInfo,
        protocolVersion: 'exec-server.v0',
        console,
        ...initializeExtra,
      },
    };
  }

  #start(params: Params): Outcome {
    const processId = params['processId'] as string;
    if ((params['argv'] as string[])[0] === 'missing') {
      return { code: ErrorCode.internal, message: 'no such program: missing' };
    }
    const process = this.#gateway.start(`key of ${processId}`, processId);
    const { size } = params as { size?: { rows: number; cols: number } };
    if (size) process.resize(size);
    this.#attach(process, params['windowBytes'] as number, 1);
    process.controller = this.label;
    this.#gateway.report(process);
    return { result: { processId, sandboxType: 'none', key: process.key } };
  }

  #onProcess(method: string, process: FakeProcess, params: Params): unknown {
    switch (method) {
      case 'process/attach': {
        const { nextSeq } = process;
        this.#attach(process, params['windowBytes'] as number, nextSeq);
        const offset = process.bytesBetween(0, nextSeq);
        const size = process.sizeAt(nextSeq)?.size ?? null;
        return { nextSeq, firstRetainedSeq: process.firstSeq, offset, size };
      }
      case 'process/read':
        return readPage(process, params['afterSeq'] as number, params['maxBytes'] as number);
      case 'process/ack': {
        const attachment = this.#attachments.get(process.key);
        const seq = params['seq'] as number;
        if (attachment) attachment.unacked = attachment.unacked.filter((each) => each.seq > seq);
        return {};
      }
      case 'process/write': {
        const text = textOf(fromBase64(params['chunk'] as string));
        if (process.stdinClosed) return { status: 'stdinClosed' };
        process.write(this.#session?.id ?? '', params['writeId'] as string, text);
        return { status: 'accepted' };
      }
      case 'process/closeStdin':
        process.stdinClosed = true;
        return { status: 'accepted' };
      case 'process/control':
        this.#gateway.setController(process, params['take'] === true ? this.label : null);
        return {};
      case 'process/detach':
        this.#attachments.delete(process.key);
        return {};
      default:
        return method === 'process/terminate' ? { running: true } : {};
    }
  }

  /** Attaches this connection to the process, from its first event on and with unlimited credit. */
  attach(process: FakeProcess): void {
    this.#attach(process, Number.MAX_SAFE_INTEGER, 1);
  }

  #attach(process: FakeProcess, windowBytes: number, liveFrom: number): void {
    this.#attachments.set(process.key, {
      process,
      windowBytes,
      liveFrom,
      next: liveFrom,
      unacked: [],
      mark: process.sizeAt(liveFrom),
    });
  }

  #push(key: string): void {
    const attachment = this.#attachments.get(key);
    if (!attachment || this.isClosed) return;
    const { process } = attachment;
    const address = { key, processId: process.processId };
    for (;;) {
      if (attachment.unacked.reduce((sum, each) => sum + each.bytes, 0) >= attachment.windowBytes) return;
      if (attachment.next < process.firstSeq) {
        const afterSeq = attachment.next - 1;
        const bytes = process.bytesBetween(afterSeq, process.firstSeq);
        attachment.next = process.firstSeq;
        this.send({
          method: 'process/gap',
          params: { ...address, afterSeq, nextSeq: attachment.next, bytes },
        });
        continue;
      }
      const mark = process.sizeAt(attachment.next);
      if (mark && mark !== attachment.mark) {
        attachment.mark = mark;
        this.send({
          method: 'process/resized',
          params: { ...address, afterSeq: mark.afterSeq, ...mark.size },
        });
        continue;
      }
      const seq = attachment.next;
      const event = process.at(seq);
      if (!event) return;
      attachment.next += 1;
      if (event.kind === 'output') {
        attachment.unacked.push({ seq, bytes: event.bytes.length });
        const params = { ...address, seq, stream: event.stream, chunk: toBase64(event.bytes) };
        this.send({ method: 'process/output', params });
      } else {
        const exit = event.kind === 'exited' ? { exitCode: 7, sandboxDenied: false } : {};
        this.send({ method: `process/${event.kind}`, params: { ...address, seq, ...exit } });
      }
    }
  }
}

/** Returns the result of `process/read` by key, as the gateway does. */
function readPage(process: FakeProcess, afterSeq: number, maxBytes: number) {
  const chunks: { seq: number; stream: string; chunk: string }[] = [];
  let bytes = 0;
  let hasMore = false;
  for (let seq = Math.max(afterSeq + 1, process.firstSeq); seq < process.nextSeq; seq += 1) {
    const event = process.at(seq);
    if (event?.kind !== 'output') continue;
    bytes += event.bytes.length;
    hasMore = chunks.length > 0 && bytes > maxBytes;
    if (hasMore) break;
    chunks.push({ seq, stream: event.stream, chunk: toBase64(event.bytes) });
  }
  const firstSeq = chunks[0]?.seq ?? process.nextSeq;
  const base = process.sizes.findLastIndex((mark) => mark.afterSeq < firstSeq);
  return {
    chunks,
    nextSeq: hasMore ? (chunks.at(-1)?.seq ?? 0) + 1 : process.nextSeq,
    exited: process.exitedSeq !== null,
    exitCode: process.exitedSeq === null ? null : 7,
    closed: process.closedSeq !== null,
    failure: null,
    sandboxDenied: false,
    missedBytes: afterSeq + 1 < process.firstSeq ? process.bytesBetween(afterSeq, firstSeq) : 0,
    exitedSeq: process.exitedSeq,
    closedSeq: process.closedSeq,
    sizes: process.sizes.slice(Math.max(base, 0)).map(({ afterSeq: after, size }) => ({
      afterSeq: after,
      ...size,
    })),
  };
}
