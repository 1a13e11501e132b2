// Status icon; the status word is shown beside it, since not everyone can tell colours and shapes apart.
import { Check, CircleDashed, CircleStop, Hand, TextCursorInput, Hourglass, Unplug, X } from 'lucide-react';
import type { ProcessStatus } from '../../text/process-words.ts';

interface StatusIconProps {
  readonly status: ProcessStatus;
  /** True when a person must approve or type something. */
  readonly isWaiting?: boolean;
}

export function StatusIcon({ status, isWaiting = false }: StatusIconProps) {
  return (
    <span className={`status-icon ${isWaiting ? 'waiting' : status}`} aria-hidden="true">
      {isWaiting && status !== 'waiting-for-approval' ? <TextCursorInput size={14} /> : iconOf(status)}
    </span>
  );
}

function iconOf(status: ProcessStatus) {
  switch (status) {
    case 'waiting-for-approval':
      return <Hand size={13} />;
    case 'starting':
      return <CircleDashed size={14} />;
    case 'running':
      return <span className="status-dot" />;
    case 'terminating':
      return <Hourglass size={13} />;
    case 'succeeded':
      return <Check size={14} strokeWidth={2.5} />;
    case 'failed':
      return <X size={14} strokeWidth={2.5} />;
    case 'stopped':
      return <CircleStop size={14} />;
    case 'lost':
      return <Unplug size={13} />;
  }
}
