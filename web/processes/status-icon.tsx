// The status as an icon; the word stands beside it, since colour and shape alone tell nobody everything.
import { Check, CircleDashed, CircleQuestionMark, Hourglass, Unplug, X } from 'lucide-react';
import type { ProcessStatus } from './process-status.ts';

interface StatusIconProps {
  readonly status: ProcessStatus;
  /** Whether it seems to wait for an answer. */
  readonly asks?: boolean;
}

export function StatusIcon({ status, asks = false }: StatusIconProps) {
  return (
    <span className={`status-icon ${asks ? 'asks' : status}`} aria-hidden="true">
      {asks ? <CircleQuestionMark size={14} /> : iconOf(status)}
    </span>
  );
}

function iconOf(status: ProcessStatus) {
  switch (status) {
    case 'starting':
      return <CircleDashed size={14} />;
    case 'running':
      return <span className="status-pulse" />;
    case 'terminating':
      return <Hourglass size={13} />;
    case 'succeeded':
      return <Check size={14} strokeWidth={2.5} />;
    case 'failed':
      return <X size={14} strokeWidth={2.5} />;
    case 'lost':
      return <Unplug size={13} />;
  }
}
