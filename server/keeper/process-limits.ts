// Limits of one process: its event log, flow control, input, and what lists show of it.
import type { EventLogLimits } from './event-log.ts';
import type { FlowLimits } from './flow-control.ts';
import type { WriteLimits } from './writes.ts';

export interface ProcessLimits extends EventLogLimits, FlowLimits, WriteLimits {
  readonly sandboxVerdictMs: number;
  readonly shownCommandChars: number;
}
