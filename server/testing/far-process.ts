// A process behind a message line, as between a gateway and a keeper in another program.
import type { ChildSpec } from '../host/child.ts';
import { Cursor } from '../delivery/attachment.ts';
import type { Step } from '../delivery/frames.ts';
import { EventLog } from '../keeper/event-log.ts';
import { FlowControl } from '../keeper/flow-control.ts';
import { Process } from '../keeper/process.ts';
import type { ProcessLimits } from '../keeper/process-limits.ts';
import {
  StdinFull,
  type AttentionListener,
  type ChangeListener,
  type Hold,
  type ProcessControl,
  type ProcessDescription,
  type ProcessFacts,
  type ProcessView,
} from '../keeper/process-view.ts';
import { messageLine, type LineEnd } from './message-line.ts';

/** Calls to the far side, each answered with a result or an error. */
type Calls = Pick<
  ProcessControl,
  | 'write'
  | 'forgetWriter'
  | 'closeStdin'
  | 'resize'
  | 'signal'
  | 'restarted'
  | 'killNow'
  | 'terminate'
  | 'discardOutput'
>;
type Call = { readonly [M in keyof Calls]: readonly [method: M, ...args: Parameters<Calls[M]>] }[keyof Calls];

type ToKeeper =
  | { readonly kind: 'hold' | 'release'; readonly id: number; readonly seq: number; readonly offset: number }
  | { readonly kind: 'close'; readonly id: number }
  | { readonly kind: 'call'; readonly id: number; readonly call: Call };

type Constants = Pick<ProcessView, 'key' | 'processId' | 'description' | 'spec' | 'startedAtMs'>;

type ToGateway =
  | { readonly kind: 'started'; readonly constants: Constants; readonly facts: ProcessFacts }
  | {
      readonly kind: 'changed';
      readonly facts: ProcessFacts;
      readonly steps: readonly Step[];
      readonly urgency: 'soon' | 'later' | null;
    }
  | { readonly kind: 'attention'; readonly text: string | null }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'refused'; readonly id: number; readonly reason: string };

const FACTS: Readonly<Record<keyof ProcessFacts, true>> = {
  pid: true,
  size: true,
  exit: true,
  sandboxDenied: true,
  exitedAtMs: true,
  isClosed: true,
  isLost: true,
  isStillRunning: true,
  isFullScreen: true,
  lastOutputAtMs: true,
  lastInput: true,
  typed: true,
  inputBytes: true,
  attention: true,
  title: true,
  lastLine: true,
  outputEnd: true,
  acts: true,
  endedBy: true,
  remains: true,
  termination: true,
  allEndedAtMs: true,
};

const factsOf = (process: ProcessView): ProcessFacts =>
  Object.fromEntries(
    Object.keys(FACTS).map((name) => [name, process[name as keyof ProcessFacts]]),
  ) as unknown as ProcessFacts;

/** Converts a Uint8Array to a Buffer, because structured cloning does not preserve Buffers. */
const buffer = ({ buffer: memory, byteOffset, length }: Uint8Array): Buffer =>
  Buffer.from(memory, byteOffset, length);

/** Serves a process to the other end: sends each event immediately, and handles calls. */
function serve(end: LineEnd<ToGateway, ToKeeper>, process: Process): void {
  const { key, processId, description, spec, startedAtMs } = process;
  const constants = { key, processId, description, spec, startedAtMs };
  end.send({ kind: 'started', constants, facts: factsOf(process) });
  const cursor = new Cursor(process.log, 0);
  const unsent = process.hold(1, Number.POSITIVE_INFINITY);
  const report = (urgency: 'soon' | 'later' | null): void => {
    const steps: Step[] = [];
    for (let step = cursor.pull(); step; step = cursor.pull()) steps.push(step);
    unsent.release(cursor.nextSeq, Number.POSITIVE_INFINITY);
    end.send({ kind: 'changed', facts: factsOf(process), steps, urgency });
  };
  process.log.onChange(() => report(null));
  process.onChange(report);
  process.onAttention((text) => end.send({ kind: 'attention', text }));

  const holds = new Map<number, Hold>();
  end.onMessage = (message) => {
    if (message.kind === 'call') void answer(end, process, message);
    else if (message.kind === 'close') holds.get(message.id)?.close();
    else if (message.kind === 'release') holds.get(message.id)?.release(message.seq, message.offset);
    else holds.set(message.id, process.hold(message.seq, message.offset));
  };
  // No reader is left on the other end, so nothing is held for it.
  end.onCut = () => {
    for (const hold of [unsent, ...holds.values()]) hold.close();
  };
}

async function answer(
  end: LineEnd<ToGateway, ToKeeper>,
  process: Process,
  { id, call }: ToKeeper & { kind: 'call' },
): Promise<void> {
  const [method, ...args] = call;
  const own = args.map((each) => (each instanceof Uint8Array ? buffer(each) : each));
  try {
    const value = await (process[method] as (...args: unknown[]) => unknown).apply(process, own);
    end.send({ kind: 'answer', id, value });
  } catch (error) {
    end.send({ kind: 'refused', id, reason: (error as Error).message });
  }
}

const IN_DOUBT = new Error('the process is lost, and it is not known whether it received this');

interface Asked {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
  readonly whenLost: unknown;
}

/** The gateway's side: a copy of the log, and the latest facts. */
class FarProcess {
  readonly #end: LineEnd<ToKeeper, ToGateway>;
  readonly #log: EventLog;
  readonly #flow: FlowControl;
  readonly #listeners = new Set<ChangeListener>();
  readonly #attentionListeners = new Set<AttentionListener>();
  readonly #asked = new Map<number, Asked>();
  #nextId = 1;
  readonly view: ProcessControl;

  constructor(
    end: LineEnd<ToKeeper, ToGateway>,
    { constants, facts }: ToGateway & { kind: 'started' },
    limits: ProcessLimits,
  ) {
    this.#end = end;
    this.#log = new EventLog(limits);
    // The far side pauses and resumes the process itself.
    this.#flow = new FlowControl(limits, this.#log, { pause() {}, resume() {} });
    if (constants.spec.tty) this.#log.resized(constants.spec.tty);
    this.view = {
      ...constants,
      ...facts,
      log: this.#log,
      controller: null,
      hold: (seq, offset) => this.#hold(seq, offset),
      onChange: (listener) => subscribed(this.#listeners, listener),
      onAttention: (listener) => subscribed(this.#attentionListeners, listener),
      write: (...args) => this.#ask(['write', ...args], 'stdinClosed'),
      closeStdin: (...args) => this.#ask(['closeStdin', ...args], 'stdinClosed'),
      killNow: (...args) => this.#ask(['killNow', ...args], { running: false }),
      terminate: (...args) => this.#ask(['terminate', ...args], { running: false }),
      forgetWriter: (...args) => this.#report(['forgetWriter', ...args]),
      resize: (...args) => this.#report(['resize', ...args]),
      signal: (...args) => this.#report(['signal', ...args]),
      restarted: (...args) => this.#report(['restarted', ...args]),
      discardOutput: (isHeldToo = false) => {
        this.#log.discard(isHeldToo ? (this.#log.closedSeq ?? undefined) : undefined);
        this.#report(['discardOutput', isHeldToo]);
      },
    };
    end.onMessage = (message) => this.#receive(message);
    end.onCut = () => this.#lost();
  }

  #hold(fromSeq: number, fromOffset: number): Hold {
    const here = this.#flow.hold(fromSeq, fromOffset);
    const id = this.#nextId++;
    this.#end.send({ kind: 'hold', id, seq: fromSeq, offset: fromOffset });
    return {
      release: (seq, offset) => {
        here.release(seq, offset);
        this.#end.send({ kind: 'release', id, seq, offset });
      },
      close: () => {
        here.close();
        this.#end.send({ kind: 'close', id });
      },
    };
  }

  #ask<T>(call: Call, whenLost: T): T | Promise<T> {
    if (this.view.isLost) return whenLost;
    const id = this.#nextId++;
    this.#end.send({ kind: 'call', id, call });
    return new Promise((resolve, reject) =>
      this.#asked.set(id, { resolve, reject, whenLost: call[0] === 'write' ? IN_DOUBT : whenLost }),
    );
  }

  #report(call: Call): void {
    this.#end.send({ kind: 'call', id: this.#nextId++, call });
  }

  #receive(message: ToGateway): void {
    if (message.kind === 'changed') {
      // Facts are updated first, because listeners of an exit read its code.
      Object.assign(this.view, message.facts);
      for (const step of message.steps) this.#take(step);
      if (message.urgency) this.#changed(message.urgency);
    } else if (message.kind === 'attention') {
      for (const listener of this.#attentionListeners) listener(message.text);
    } else if (message.kind === 'answer') {
      this.#settled(message.id)?.resolve(message.value as never);
    } else if (message.kind === 'refused') {
      this.#settled(message.id)?.reject(new StdinFull(message.reason));
    }
  }

  #take(step: Step): void {
    if (step.kind === 'resized') this.#log.resized(step.mark);
    else if (step.kind === 'output') {
      this.#log.append(step.stream, buffer(step.bytes));
      this.#log.seal();
    } else if (step.kind === 'exited') this.#log.exited(step.exitCode, step.sandboxDenied);
    else if (step.kind === 'closed') this.#log.closed();
    if ('seq' in step && this.#log.nextSeq !== step.seq + 1)
      throw new Error(`event ${step.seq} is not the next`);
  }

  #settled(id: number): Asked | undefined {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    return asked;
  }

  #lost(): void {
    Object.assign(this.view, { isLost: true });
    for (const { resolve, reject, whenLost } of this.#asked.values())
      if (whenLost instanceof Error) reject(whenLost);
      else resolve(whenLost as never);
    this.#asked.clear();
    this.#changed('soon');
  }

  #changed(urgency: 'soon' | 'later'): void {
    for (const listener of this.#listeners) listener(urgency);
  }
}

function subscribed<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export interface FarStart {
  readonly process: ProcessControl;
  /** The process that actually runs. */
  readonly real: Process;
  readonly cut: () => void;
}

/** Starts a process; resolves when the gateway's side has received it. */
export async function startFar(
  description: ProcessDescription,
  spec: ChildSpec,
  limits: ProcessLimits,
): Promise<FarStart> {
  const line = messageLine<ToKeeper, ToGateway>();
  const [near, far] = line.ends;
  const started = new Promise<ToGateway>((resolve) => (near.onMessage = resolve));
  const real = new Process(description, spec, limits);
  serve(far, real);
  const { view } = new FarProcess(near, (await started) as ToGateway & { kind: 'started' }, limits);
  return { process: view, real, cut: () => line.cut() };
}
