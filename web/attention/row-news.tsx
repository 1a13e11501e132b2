// In a row: what the program has asked attention for, until somebody has looked at its pane.
import { BellRing, MessageSquare } from 'lucide-react';
import { useStore } from 'zustand';
import { attentionStore } from './attention-store.ts';

export function RowNews({ processKey, line }: { readonly processKey: string; readonly line: string }) {
  const news = useStore(attentionStore, ({ unseen }) => unseen[processKey]);
  if (news?.cause !== 'notification' && news?.cause !== 'bell') return line;
  const Icon = news.cause === 'bell' ? BellRing : MessageSquare;
  return (
    <span className="row-news">
      <Icon size={12} aria-hidden="true" />
      {news.text}
    </span>
  );
}
