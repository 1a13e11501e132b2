// Processes of earlier gateways for the methods by key: the first request about one opens it from its recording.
import type { ProcessInfo, ReadByKeyResult } from '../../protocol/console.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import type { Console } from '../console/console.ts';
import type { ConsoleParts } from '../console/console-parts.ts';
import { seenBy, seesSecrets } from '../console/redacted.ts';
import type { History } from '../history/history.ts';
import { recordProcess } from '../history/record-process.ts';
import type { ProcessView } from '../keeper/process-view.ts';
import type { Methods, Peer } from '../sessions/peer.ts';

type ProcessMethods = Pick<Methods, Extract<keyof Methods, `process/${string}`>>;
type Handler = (params: never, peer: Peer) => unknown;

/** Methods that read: all others are about processes that run. */
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
    // A lost one has its entry already, and nothing more will be printed.
    if (isOn && !process.isLost && !process.description.notRecorded)
      recordProcess(history.recorder, process, { describe, clientName, isContinued });
  },
  get: (key: string) => history.get(key),
});

/** The same methods, which open what is not known by its key; and `process/read` of what only a recording has. */
export function withPast(methods: ProcessMethods, history: History | null, console: Console): ProcessMethods {
  if (!history) return methods;
  const opening = (handler: Handler) => (params: { readonly key?: string }, peer: Peer) => {
    const { key } = params;
    const isKnown = key === undefined || console.find(key) !== undefined;
    return isKnown
      ? handler(params as never, peer)
      : history.open(key).then(() => handler(params as never, peer));
  };
  const read = methods['process/read'];
  const all: ProcessMethods = {
    ...methods,
    'process/read': (params, peer) => {
      const process = 'key' in params && params.recorded === true ? console.process(params.key) : null;
      if (!process) return read(params, peer);
      const seenIn = (log: ProcessView['log']) => seenBy(peer.identity, { log });
      return history
        .read(process, params, seenIn)
        .then(
          (page): ReadByKeyResult | JsonText | Promise<ReadByKeyResult | JsonText> =>
            page ?? (read(params, peer) as ReadByKeyResult),
        );
    },
    'process/lines': async (params, peer) => {
      const { key, ...query } = params;
      const seenIn = (log: ProcessView['log']) => seenBy(peer.identity, { log });
      return (
        (await history.lines.read(console.process(key), query, seenIn)) ??
        methods['process/lines'](params, peer)
      );
    },
    'process/recording': async (params, peer) =>
      (await console.desk(peer).search(() => history.replay.recording(console.process(params.key)))) ??
      methods['process/recording'](params, peer),
    'process/moment': async (params, peer) => {
      const { key, atMs, scrollback } = params;
      const isCovered = !seesSecrets(peer.identity);
      return (
        (await console
          .desk(peer)
          .search(() => history.replay.moment(console.process(key), { atMs, scrollback, isCovered }))) ??
        methods['process/moment'](params, peer)
      );
    },
  };
  return {
    ...all,
    ...(Object.fromEntries(READING.map((method) => [method, opening(all[method] as Handler)])) as object),
  };
}
