// The limits of one process: of its log, its output in flight, what is typed, and what is shown of it.
import type { EventLogLimits } from './event-log.ts';
import type { FlowLimits } from './flow-control.ts';
import type { WriteLimits } from './writes.ts';

export interface ProcessLimits extends EventLogLimits, FlowLimits, WriteLimits {
  readonly sandboxVerdictMs: number;
  readonly shownCommandChars: number;
}
