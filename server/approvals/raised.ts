// Creates the approval request for a request of an agent, if the request may need approval.
import type { RequestMethod } from '../../protocol/methods.ts';
import type { ProcessControl } from '../keeper/process-view.ts';
import type { Peer } from '../sessions/peer.ts';
import type { Asked } from './asked.ts';
import { AskedInput } from './input-question.ts';
import { askedFile, askedRequest } from './outside-question.ts';
import { AskedStart, type StartCircumstances, type StartParams } from './start-question.ts';
import { isFor, type OnPointless, type Waiter } from './waiting.ts';

/** Params of a write in either dialect; a write by key has no `processId`. */
interface WriteParams {
  readonly processId?: string;
  readonly chunk: string;
}

interface Sent {
  readonly peer: Peer;
  readonly method: RequestMethod;
  readonly params: unknown;
  readonly signal: AbortSignal | undefined;
}

/** Returns null for a request that never needs approval. Throws as the request itself would. */
export function raised(
  { peer, method, params, signal }: Sent,
  circumstances: StartCircumstances,
  waiters: readonly Waiter[],
): Asked | null {
  // A person's starts and input at the console need no approval.
  if (method === 'process/start')
    return (params as StartParams).session === 'console'
      ? null
      : new AskedStart(params as StartParams, circumstances);
  if (method === 'process/write') return askedInput(peer, params as WriteParams, waiters);
  if (method === 'http/request') return askedRequest(params, signal);
  return askedFile(peer, method, params, circumstances.hasFloor);
}

function askedInput(peer: Peer, { processId, chunk }: WriteParams, waiters: readonly Waiter[]): Asked | null {
  if (processId === undefined || chunk === '') return null;
  const process = peer.session.process(processId);
  // Input for a process that has ended has no effect, so it needs no approval.
  if (process?.exit) return null;
  if (process) {
    const { spec, key, description } = process;
    const { argv, cwd, tty, pipeStdin, sandbox } = spec;
    const { metadata } = description;
    const place = {
      argv,
      cwd,
      tty: tty !== null,
      pipeStdin,
      sandboxed: sandbox !== null && !sandbox.isOpen,
      runsAsWritten: description.runsAsWritten === true,
    };
    return new AskedInput({ ...place, metadata, processId, key }, chunk, whenEnded(process));
  }
  // Input for a waiting start would be written once the start is approved, so it needs its own approval.
  const start = waiters.find((each) => isFor('start', each, peer, processId));
  if (!start) return null;
  const { argv, cwd, tty, pipeStdin, sandboxed, metadata, variables } = start.approval;
  const runsAsWritten = variables.every(({ name }) => name === 'PATH');
  const target = { argv, cwd, tty, pipeStdin, sandboxed, metadata, processId, key: null, runsAsWritten };
  return new AskedInput(target, chunk, whenNeverStartedOrEnded(peer, processId));
}

const whenEnded =
  (process: ProcessControl): OnPointless =>
  (listener) =>
    process.log.onChange(() => {
      if (process.exit) listener('the process has ended');
    });

/** Reports that the process of a waiting start was not started, or that it has ended after its start was approved. */
function whenNeverStartedOrEnded(peer: Peer, processId: string): OnPointless {
  const settled = peer.whenPast(processId);
  return (listener) => {
    let isListening = true;
    let stop = (): void => undefined;
    void settled.then(() => {
      if (!isListening) return;
      const process = peer.session.process(processId);
      if (!process) listener('the process was not started');
      else if (process.exit) listener('the process has ended');
      else stop = whenEnded(process)(listener);
    });
    return () => {
      isListening = false;
      stop();
    };
  };
}
