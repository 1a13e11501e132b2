// Extends reading methods to processes of earlier gateways: the first request opens the recording of a process.
import type { ProcessInfo, ReadByKeyResult } from '../../protocol/console.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import type { Console } from '../console/console.ts';
import type { ConsoleParts } from '../console/console-parts.ts';
import { seenBy, seesSecrets } from '../console/redacted.ts';
import { redactedInOrder } from '../delivery/redacted-log.ts';
import type { History } from '../history/history.ts';
import { recordProcess } from '../history/record-process.ts';
import type { ProcessView } from '../keeper/process-view.ts';
import { internal } from '../rpc/rpc-error.ts';
import type { Methods, Peer } from '../sessions/peer.ts';
import { inRecordingTurn } from './recording-turns.ts';

type ProcessMethods = Pick<Methods, Extract<keyof Methods, `process/${string}`>>;
type Handler = (params: never, peer: Peer) => unknown;

/** Methods for which an unknown key opens a recording, because they only read. */
const READING = [
  'process/read',
  'process/lines',
  'process/recording',
  'process/moment',
  'process/wait',
  'process/attach',
  'process/snapshot',
] as const;

export const recordingIn = (history: History, isOn: boolean): ConsoleParts['history'] => ({
  record: (process: ProcessView, describe: () => ProcessInfo, isContinued = false): void => {
    const clientName = history.clientNameOf(process);
    // A lost process already has its catalogue entry, and no more output will come.
    if (isOn && !process.isLost && !process.description.notRecorded)
      recordProcess(history.recorder, process, { describe, clientName, isContinued });
  },
  recorded: ({ key }: ProcessView) => history.recorder.flushed(key),
  get: (key: string) => history.get(key),
});

/**
 * Wraps the methods: those in `READING` open the recording of an unknown key, and some of them return output that only
 * a recording has.
 */
export function withPast(methods: ProcessMethods, history: History | null, console: Console): ProcessMethods {
  if (!history) return methods;
  const opening = (handler: Handler) => (params: { readonly key?: string }, peer: Peer) => {
    const { key } = params;
    const isKnown = key === undefined || console.find(key) !== undefined;
    return isKnown
      ? handler(params as never, peer)
      : inRecordingTurn(peer, () => history.open(key)).then(() => handler(params as never, peer));
  };
  const read = methods['process/read'];
  const all: ProcessMethods = {
    ...methods,
    'process/read': (params, peer) => {
      const process = 'key' in params && params.recorded === true ? console.process(params.key) : null;
      if (!process) return read(params, peer);
      const inOrder = redactedInOrder();
      const seenIn = (log: ProcessView['log']) => seenBy(peer.identity, { log }, inOrder);
      return inRecordingTurn(peer, () => history.read(process, params, seenIn)).then(
        (page): ReadByKeyResult | JsonText | Promise<ReadByKeyResult | JsonText> =>
          page ?? (read(params, peer) as ReadByKeyResult),
      );
    },
    'process/lines': async (params, peer) => {
      const { key, ...query } = params;
      const seenIn = (log: ProcessView['log']) => seenBy(peer.identity, { log });
      return (
        (await inRecordingTurn(peer, () => history.lines.read(console.process(key), query, seenIn))) ??
        methods['process/lines'](params, peer)
      );
    },
    'process/recording': async (params, peer) =>
      (await console
        .desk(peer)
        .search(() => inRecordingTurn(peer, () => history.replay.recording(console.process(params.key))))) ??
      methods['process/recording'](params, peer),
    'process/moment': async (params, peer) => {
      const { key, atMs, scrollback, masked = false } = params;
      const isMasked = masked || !seesSecrets(peer.identity);
      const moment = await console
        .desk(peer)
        .search(() =>
          inRecordingTurn(peer, () =>
            history.replay.moment(console.process(key), { atMs, scrollback, isMasked }),
          ),
        );
      if (moment === 'dropped')
        throw internal(
          `the screen of process ${key} takes too long to draw; exec-console logs ${key} prints its output`,
        );
      return moment ?? methods['process/moment'](params, peer);
    },
  };
  return {
    ...all,
    ...(Object.fromEntries(READING.map((method) => [method, opening(all[method] as Handler)])) as object),
  };
}
