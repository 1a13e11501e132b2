// Sample metadata of a recorded process that has ended.
import { processInfo } from '../../protocol/testing/process-info.ts';
import type { StoredMeta } from '../record/stored-meta.ts';

export function storedMeta(key: string, startedAtMs: number): StoredMeta {
  return {
    version: 1,
    info: processInfo({
      key,
      argv: ['true'],
      tty: false,
      size: null,
      state: 'closed',
      exitCode: 0,
      startedAtMs,
      exitedAtMs: startedAtMs,
    }),
    isConsole: false,
    tokenId: 't',
    role: 'agent',
    sandboxType: 'none',
    clientName: null,
    endedAtMs: startedAtMs,
    recordedBytes: 0,
    lostBytes: 0,
  };
}
