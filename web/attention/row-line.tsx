// The last thing that a row's process said; what it has asked attention for, until somebody has looked at its pane.
import { BellRing, MessageSquare } from 'lucide-react';
import type { CSSProperties } from 'react';
import { useStore } from 'zustand';
import { attentionStore } from './attention-store.ts';

interface RowLineProps {
  readonly processKey: string;
  readonly line: string;
  /** Whether the line is what somebody is asked. */
  readonly isAsked: boolean;
}

export function RowLine({ processKey, line, isAsked }: RowLineProps) {
  const news = useStore(attentionStore, ({ unseen }) => unseen[processKey]);
  const roomFor = (letters: number): CSSProperties => ({
    flexBasis: `min(${isAsked ? '100%' : '50%'}, ${letters}ch + 1px)`,
  });
  if (news?.cause !== 'notification' && news?.cause !== 'bell')
    return (
      <span className="process-row-line" style={roomFor(line.length)} title={line}>
        {line}
      </span>
    );
  const Icon = news.cause === 'bell' ? BellRing : MessageSquare;
  return (
    <span className="process-row-line" style={roomFor(news.text.length + ICON_LETTERS)} title={line}>
      <span className="row-news">
        <Icon size={12} aria-hidden="true" />
        {news.text}
      </span>
    </span>
  );
}

const ICON_LETTERS = 3;
