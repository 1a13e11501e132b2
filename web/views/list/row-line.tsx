// Last output of a row's process, or its notification or bell until its pane has been viewed.
import { BellRing, MessageSquare } from 'lucide-react';
import type { CSSProperties } from 'react';
import { useStore } from 'zustand';
import type { ProcessInfo } from '../../../protocol/console.ts';
import { hasUnseenNotification, seenStore } from '../../state/processes/seen.ts';
import { visible } from '../../../text/visible.ts';
import { attentionStore } from '../../state/attention/attention-store.ts';

interface RowLineProps {
  readonly info: ProcessInfo;
  readonly line: string;
  /** True when the line is a question waiting for an answer. */
  readonly isAsked: boolean;
}

export function RowLine({ info, line, isAsked }: RowLineProps) {
  const rings = useStore(attentionStore, ({ rung }) => rung.has(info.key));
  const seen = useStore(seenStore);
  const text = hasUnseenNotification(info, seen) ? visible(info.notification?.text ?? '') : null;
  const activity = text ?? (rings ? 'rang its bell' : null);
  const roomFor = (letters: number): CSSProperties => ({
    flexBasis: `min(${isAsked ? '100%' : '50%'}, ${letters}ch + 1px)`,
  });
  if (activity === null)
    return (
      <span className="process-row-line" style={roomFor(line.length)} title={line}>
        {line}
      </span>
    );
  const Icon = text === null ? BellRing : MessageSquare;
  return (
    <span className="process-row-line" style={roomFor(activity.length + ICON_LETTERS)} title={line}>
      <span className="row-activity">
        <Icon size={12} aria-hidden="true" />
        {activity}
      </span>
    </span>
  );
}

const ICON_LETTERS = 3;
