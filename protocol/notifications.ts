// Notifications from server to client, without the legacy ones, and the members that observers and guests receive.
import type { GapEvent, ResizedEvent } from './attached-events.ts';
import type { BodyDelta } from './http.ts';
import type { ProcessUsage, StyledRun, Tile, TreeProcess } from './looks.ts';
import type { ClosedEvent, ExitedEvent, OutputEvent } from './process.ts';
import { masked, each, only, shown, type Seen } from './seen.ts';
import { CONSOLE_CHANGED } from './seen-shapes.ts';

/** Observers attach by key, so each chunk has the time at which it was read. */
interface SeenOutput extends OutputEvent {
  readonly atMs?: number;
}

const ADDRESS = { key: shown, processId: shown } as const;

export const NOTIFICATIONS = {
  'process/output': only<SeenOutput>({
    ...ADDRESS,
    seq: shown,
    stream: shown,
    chunk: shown,
    atMs: shown,
  }) as Seen<OutputEvent>,
  'process/exited': only<ExitedEvent>({ ...ADDRESS, seq: shown, exitCode: shown, sandboxDenied: shown }),
  'process/closed': only<ClosedEvent>({ ...ADDRESS, seq: shown }),
  'process/gap': only<GapEvent>({ ...ADDRESS, afterSeq: shown, nextSeq: shown, bytes: shown }),
  'process/resized': only<ResizedEvent>({ ...ADDRESS, afterSeq: shown, rows: shown, cols: shown }),
  'http/request/bodyDelta': only<BodyDelta>({}),
  'fs/missingChanged': only<{ readonly watchId: number }>({}),
  'console/changed': CONSOLE_CHANGED,
  'console/tilesChanged': only<{ readonly tiles: readonly Tile[] }>({
    tiles: each(
      only<Tile>({
        key: shown,
        rows: shown,
        cols: shown,
        lines: each(
          each(
            only<StyledRun>({ text: shown, fg: shown, bg: shown, bold: shown, dim: shown, inverse: shown }),
          ),
        ),
      }),
    ),
  }),
  'console/usageChanged': only<{ readonly usage: readonly ProcessUsage[] }>({
    usage: each(
      only<ProcessUsage>({
        key: shown,
        cpu: shown,
        memoryBytes: shown,
        processes: shown,
        ports: each(only<ProcessUsage['ports'][number]>({ port: shown, address: shown })),
        tree: each(
          only<TreeProcess>({ pid: shown, parent: shown, name: masked, cpu: shown, memoryBytes: shown }),
        ),
      }),
    ),
  }),
};
