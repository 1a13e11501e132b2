// Button shown in a phone's pane view: counts pending requests and opens them.
import { Hand } from 'lucide-react';
import { useStore } from 'zustand';
import { IconButton } from '../../parts/icon-button.tsx';
import { approvalsStore, isOpen } from '../../state/approvals/approvals-store.ts';
import { goToRequest } from '../../state/approvals/request-view.ts';

export function RequestsButton() {
  const count = useStore(approvalsStore, ({ requests }) => requests.filter(isOpen).length);
  if (count === 0) return null;
  const text = count === 1 ? '1 request' : `${count} requests`;
  return (
    <IconButton icon={Hand} label={`${text} for approval`} onClick={() => goToRequest(null)}>
      {text}
    </IconButton>
  );
}
